import Glibc
import Rules
import Values

extension ExchangeCarrier {
    func abandon(_ descriptor: Int32, _ failure: TransportFailure) {
        // The later racing attempt carries the request.
        let attempt = connections[descriptor].pointee.attempt
        let descriptor = attempt.isSpare && attempt.rival >= 0 ? attempt.rival : descriptor
        let transfer = connections[descriptor].pointee.transfer
        let others = connections[descriptor].pointee.http2.flatMap { http2?.abandon($0) } ?? []
        let connection = connections[descriptor].pointee.answeredOn
        closeConnection(descriptor)
        if let transfer { end(transfer, failure, on: connection) }
        for other in others { end(other, failure, on: connection) }
    }

    func finish(_ descriptor: Int32, _ failure: TransportFailure?, at now: Instant) {
        let connection = connections[descriptor]
        guard connection.pointee.transfer != nil else { return closeConnection(descriptor) }
        swap(&connection.pointee.reader, &reportedAnswer)
        swap(&connection.pointee.transfer, &reportedTransfer)
        let times = times(connection.pointee.firstByteAt, connection.pointee.receivedAt, now, descriptor)
        let answeredOn = connection.pointee.answeredOn
        // An answer before the request is written in full ends the connection.
        if reportedAnswer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true, life == nil || isKept(connection, at: now)
        {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            reportedDescriptor = descriptor
        } else {
            closeConnection(descriptor)
            reportedDescriptor = -1
        }
        conclude(failure, times, on: answeredOn)
    }

    /// Whether the connection's life goes on after one more answer, or request over HTTP/2.
    func isKept(_ connection: UnsafeMutablePointer<Connection>, at now: Instant) -> Bool {
        guard let life else { return true }
        if connection.pointee.answers < .max { connection.pointee.answers += 1 }
        return !life.isOver(since: connection.pointee.since, connection.pointee.answers, at: now)
    }

    func finish(
        _ carried: CarriedStream,
        _ failure: TransportFailure?,
        at now: Instant,
        on answeredOn: AnsweredOn,
        descriptor: Int32
    ) {
        swap(&carried.reader, &reportedAnswer)
        swap(&carried.transfer, &reportedTransfer)
        reportedDescriptor = descriptor
        conclude(failure, times(carried.firstByteAt, carried.receivedAt, now, descriptor), on: answeredOn)
    }

    @inline(__always)
    private func times(_ first: Instant, _ received: Instant, _ now: Instant, _ descriptor: Int32) -> AnswerTimes {
        let outgrew = Self.outgrows(reportedAnswer.wireBodyBytes, descriptor)
        return AnswerTimes(firstByteAt: first, receivedAt: received, doneAt: now, outgrewBuffer: outgrew)
    }

    /// Bytes; no socket's buffer is smaller with the system's defaults.
    private static let leastBuffer = 32 << 10

    private static func outgrows(_ bytes: Int, _ descriptor: Int32) -> Bool {
        bytes > leastBuffer && descriptor >= 0 && bytes > ConnectingSocket.receiveBuffer(of: descriptor)
    }

    private func conclude(_ failure: TransportFailure?, _ times: AnswerTimes, on answeredOn: AnsweredOn) {
        var failure = failure
        if failure == nil, RedirectStatus(reportedAnswer.status) != nil, let transfer = reportedTransfer {
            switch redirection(of: transfer, after: result(nil, times, on: answeredOn)) {
            case .followed(let next):
                if let route = route(for: next.hop) {
                    carry(next, to: route)
                } else {
                    carriedCount -= 1
                    curl.start(next)
                }
                return clearReported()
            case .refused(let reason): failure = reason
            case .none: break
            }
        }
        carriedCount -= 1
        report(failure, times, on: answeredOn)
    }

    func closeConnection(_ descriptor: Int32) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .connecting, .handshaking: opener.inTheMaking -= 1
        case .none, .idle, .sending, .awaiting, .http2: break
        }
        connection.pointee.http2?.closed()
        connection.pointee.endTLS()
        if let registration = connection.pointee.registration { loop.deregister(registration) }
        deadlines.set(descriptor, .distantFuture)
        connection.pointee.reader.reset()
        let rival = connection.pointee.attempt.rival
        connections.remove(descriptor)
        Glibc.close(descriptor)
        if rival >= 0 {
            connections[rival].pointee.attempt.rival = -1
            closeConnection(rival)
        }
        opener.openWaiting()
    }
}
