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
        swap(&connection.pointee.reader, &told.answer)
        swap(&connection.pointee.transfer, &told.transfer)
        let times = times(connection.pointee.firstByteAt, connection.pointee.receivedAt, now, descriptor)
        let answeredOn = connection.pointee.answeredOn
        // An answer before the request is written in full ends the connection.
        if told.answer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true, life == nil || isKept(connection, at: now)
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
        swap(&carried.reader, &told.answer)
        swap(&carried.transfer, &told.transfer)
        told.descriptor = descriptor
        conclude(failure, times(carried.firstByteAt, carried.receivedAt, now, descriptor), on: answeredOn)
    }

    @inline(__always)
    private func times(_ first: Instant, _ received: Instant, _ now: Instant, _ descriptor: Int32) -> AnswerTimes {
        let outgrew = Self.outgrows(told.answer.wireBodyBytes, descriptor)
        return AnswerTimes(firstByteAt: first, receivedAt: received, doneAt: now, outgrewBuffer: outgrew)
    }

    /// Bytes; no socket's buffer is smaller with the system's defaults.
    private static let leastBuffer = 32 << 10

    private static func outgrows(_ bytes: Int, _ descriptor: Int32) -> Bool {
        bytes > leastBuffer && descriptor >= 0 && bytes > ConnectingSocket.receiveBuffer(of: descriptor)
    }

    private func conclude(_ failure: TransportFailure?, _ times: AnswerTimes, on answeredOn: AnsweredOn) {
        guard failure == nil, RedirectStatus(told.answer.status) != nil, let transfer = told.transfer else {
            tell(failure, times, on: answeredOn)
            return
        }
        let location = told.answer.header("location") ?? ""
        let url = location.isEmpty ? nil : RequestTarget.resolve(location, against: transfer.hop.url) ?? ""
        switch redirection(of: transfer, to: url, after: told.result(nil, times, on: answeredOn)) {
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
        if let handler, let token = told.transfer?.request.token {
            handler.transferFinished(token: token, told.result(failure, times, on: connection))
        }
        told.clear()
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

/// Source of the result while an exchange's end is reported; confined to the loop.
///
/// Accesses never overlap, so none is checked.
final class FinishedExchange {
    @exclusivity(unchecked) var answer: AnswerReader
    @exclusivity(unchecked) var transfer: CarriedTransfer?
    /// -1 once it is closed.
    @exclusivity(unchecked) var descriptor: Int32 = -1
    private let connections: ConnectionTable
    private let remotes: RemoteAddresses

    init(_ connections: ConnectionTable, _ remotes: RemoteAddresses) {
        answer = connections.freshReader
        self.connections = connections
        self.remotes = remotes
    }

    func result(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) -> TransferResult {
        let keepsBody = transfer?.request.keepBody == true
        return TransferResult(
            failure: failure,
            status: answer.status,
            body: keepsBody ? answer.body : UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: answer.wireBodyBytes,
            plannedAt: transfer?.request.plannedAt ?? .zero,
            history: transfer?.history ?? TransferHistory(),
            times: failure?.isTimeout == true ? times.withoutEnd : times,
            on: connection,
            carrier: .exchange,
            flaws: answer.flaws,
            source: self
        )
    }

    func clear() {
        transfer = nil
        answer.reset()
    }
}

extension FinishedExchange: AnswerSource {
    var answerURL: String { transfer?.hop.url ?? "" }

    func answerHeader(_ name: String) -> String? { answer.header(name) }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        answer.readHeader(name, take)
    }

    func copyAnswerHead() -> AnswerHeadCopy { AnswerHeadCopy(answer.head) }

    func remoteAddress(_ number: UInt16) -> String { remotes.text(number) }

    func noteConnection(_ note: UInt16) {
        guard descriptor >= 0, connections[descriptor].pointee.phase != .none else { return }
        connections[descriptor].pointee.note = note
    }

    var lastRequest: PreparedRequest? { transfer?.hop }
}
