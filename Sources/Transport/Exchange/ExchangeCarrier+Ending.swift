import Glibc
import Rules
import Values

extension ExchangeCarrier {
    /// Ends a transfer that is on no connection; reported at the end of the turn.
    func end(
        _ transfer: CarriedTransfer,
        _ failure: TransportFailure,
        explanation: String = "",
        on connection: AnsweredOn = .nothing
    ) {
        ended.append(
            EndedTransfer(transfer: transfer, failure: failure, explanation: explanation, connection: connection)
        )
    }

    func abandon(_ descriptor: Int32, _ failure: TransportFailure, explanation: String = "") {
        let transfer = connections[descriptor].pointee.transfer
        let others = connections[descriptor].pointee.http2.flatMap { http2?.abandon($0) } ?? []
        let connection = connections[descriptor].pointee.answeredOn
        closeConnection(descriptor)
        if let transfer { end(transfer, failure, explanation: explanation, on: connection) }
        for other in others { end(other, failure, explanation: explanation, on: connection) }
    }

    func tell(_ end: EndedTransfer) {
        told.transfer = end.transfer
        told.explanation = end.explanation
        told.descriptor = -1
        tell(end.failure, AnswerTimes(doneAt: MonotonicClock.now()), on: end.connection)
        told.explanation = ""
    }

    /// Ends an answer, successful or not: reports it, and keeps the connection if it may be kept.
    func finish(_ descriptor: Int32, _ failure: TransportFailure?, at now: Instant) {
        let connection = connections[descriptor]
        guard connection.pointee.transfer != nil else {
            closeConnection(descriptor)
            return
        }
        swap(&connection.pointee.reader, &told.answer)
        swap(&connection.pointee.transfer, &told.transfer)
        let times = AnswerTimes(
            firstByteAt: connection.pointee.firstByteAt,
            receivedAt: connection.pointee.receivedAt,
            doneAt: now,
            outgrewBuffer: Self.outgrows(told.answer.wireBodyBytes, descriptor)
        )
        let answeredOn = connection.pointee.answeredOn
        // An answer to a request that is not written in full ends the connection with it.
        if told.answer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true
        {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            told.descriptor = descriptor
        } else {
            closeConnection(descriptor)
            told.descriptor = -1
        }
        conclude(failure, times, on: answeredOn)
    }

    func finish(
        _ carried: CarriedStream,
        _ failure: TransportFailure?,
        at now: Instant,
        on answeredOn: AnsweredOn,
        descriptor: Int32
    ) {
        swap(&carried.reader, &told.answer)
        swap(&carried.transfer, &told.transfer)
        told.descriptor = descriptor
        let times = AnswerTimes(
            firstByteAt: carried.firstByteAt,
            receivedAt: carried.receivedAt,
            doneAt: now,
            outgrewBuffer: Self.outgrows(told.answer.wireBodyBytes, descriptor)
        )
        conclude(failure, times, on: answeredOn)
    }

    /// No socket's buffer is smaller with the system's defaults.
    private static let leastBuffer = 32 << 10

    private static func outgrows(_ bytes: Int, _ descriptor: Int32) -> Bool {
        bytes > leastBuffer && descriptor >= 0 && bytes > ConnectingSocket.receiveBuffer(of: descriptor)
    }

    /// Reports the exchange in `told`, or follows its redirect.
    private func conclude(_ failure: TransportFailure?, _ times: AnswerTimes, on answeredOn: AnsweredOn) {
        guard failure == nil, Redirection.isRedirect(told.answer.status), let transfer = told.transfer else {
            tell(failure, times, on: answeredOn)
            return
        }
        let location = told.answer.header("location") ?? ""
        let redirection = Redirection(
            of: transfer,
            to: location.isEmpty ? nil : RequestTarget.resolve(location, against: transfer.hop.url) ?? "",
            status: told.answer.status,
            flaws: told.answer.flaws,
            times,
            limit: configuration.maximumRedirects,
            origins
        )
        switch redirection {
        case .followed(let next):
            if let route = route(for: next.hop) {
                carry(next, to: route)
            } else {
                carriedCount -= 1
                curl.start(next)
            }
            told.clear()
        case .refused(let reason): tell(reason, times, on: answeredOn)
        case .none: tell(nil, times, on: answeredOn)
        }
    }

    private func tell(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) {
        carriedCount -= 1
        if let handler = ends.handler, let token = told.transfer?.request.token {
            handler.transferFinished(token: token, told.result(failure, times, on: connection))
        }
        told.clear()
    }

    func closeConnection(_ descriptor: Int32) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .connecting, .handshaking: opener.closedInTheMaking()
        case .none, .idle, .sending, .awaiting, .http2: break
        }
        connection.pointee.http2?.closed()
        connection.pointee.endTLS()
        if let registration = connection.pointee.registration { loop.deregister(registration) }
        deadlines.set(descriptor, .distantFuture)
        connection.pointee.reader.reset()
        connections.remove(descriptor)
        Glibc.close(descriptor)
        opener.openWaiting()
    }
}
