import EventLoop
import Glibc

// How transfers and connections end.

extension ExchangeCarrier {
    /// Ends a transfer that is on no connection; told at the end of the turn.
    func end(_ transfer: CarriedTransfer, _ failure: TransferFailure, explanation: String = "") {
        ended.append(EndedTransfer(transfer: transfer, failure: failure, explanation: explanation))
    }

    /// Closes a connection and ends what it carries for a reason of our own.
    func abandon(_ descriptor: Int32, _ failure: TransferFailure) {
        let transfer = connections[descriptor].pointee.transfer
        closeConnection(descriptor)
        if let transfer { end(transfer, failure) }
    }

    func tell(_ end: EndedTransfer) {
        carriedCount -= 1
        let result = TransferResult(
            end.transfer.request,
            hop: end.transfer.hop,
            answer: connections.freshReader,
            failure: end.failure,
            explanation: end.explanation,
            history: end.transfer.history,
            firstByteAt: 0,
            doneAt: MonotonicClock.now(),
            localPort: 0
        )
        ends.handler?.transferFinished(token: end.transfer.request.token, result)
    }

    /// An answer has come in full, or as far as it will: tells of it, and keeps the connection if it may be kept.
    func finish(_ descriptor: Int32, _ failure: TransferFailure?, at now: Int64) {
        let connection = connections[descriptor]
        guard let transfer = connection.pointee.transfer else {
            closeConnection(descriptor)
            return
        }
        // The handler may use or close this connection, and the answer must outlive that.
        var answer = connection.pointee.reader
        connection.pointee.reader = connections.freshReader
        connection.pointee.transfer = nil
        let firstByteAt = connection.pointee.firstByteAt
        let localPort = connection.pointee.localPort
        // An answer to a request that is not written in full ends the connection with it.
        if failure == nil, answer.keepsConnection, connection.pointee.phase == .awaiting {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(descriptor, .max)
        } else {
            closeConnection(descriptor)
        }
        var failure = failure
        if failure == nil, Redirection.isRedirect(answer.status) {
            switch redirect(transfer, answer) {
            case .followed:
                answer.reset()
                return
            case .refused(let reason): failure = reason
            case .none: break
            }
        }
        carriedCount -= 1
        let result = TransferResult(
            transfer.request,
            hop: transfer.hop,
            answer: answer,
            failure: failure,
            explanation: "",
            history: transfer.history,
            firstByteAt: firstByteAt,
            doneAt: now,
            localPort: localPort
        )
        ends.handler?.transferFinished(token: transfer.request.token, result)
        answer.reset()
    }

    /// Takes a connection out of everything and closes its socket.
    func closeConnection(_ descriptor: Int32) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .connecting, .handshaking: openingCount -= 1
        case .none, .idle, .sending, .awaiting: break
        }
        let isEstablished = connection.pointee.phase.rawValue >= Connection.Phase.idle.rawValue
        if let tls = connection.pointee.tls {
            if isEstablished {
                if let owner = connection.pointee.owner, let route = connection.pointee.route, !owner.isClosed {
                    keepSession(of: tls, route: route, owner: owner)
                }
                tls.sayGoodbye()
            }
            tls.free()
        }
        if let registration = connection.pointee.registration { loop.deregister(registration) }
        deadlines.set(descriptor, .max)
        connection.pointee.reader.reset()
        connections.remove(descriptor)
        Glibc.close(descriptor)
        if !waiting.isEmpty { openWaiting() }
    }

    /// Keeps what a connection's TLS session is worth for the owner's next connection to the same origin.
    private func keepSession(of tls: TLSConnection, route: Route, owner: ConnectionOwner) {
        guard let session = tls.takeSession(route: route) else { return }
        owner.sessions.removeAll { $0.route === route }
        owner.sessions.append(session)
    }
}

// MARK: - Redirects

extension ExchangeCarrier {
    private enum Redirect {
        /// The next hop is under way.
        case followed
        case refused(TransferFailure)
        /// There is nowhere to go: the answer stands.
        case none
    }

    private func redirect(_ transfer: CarriedTransfer, _ answer: AnswerReader) -> Redirect {
        guard configuration.maximumRedirects > 0, let location = answer.header("location"), !location.isEmpty else {
            return .none
        }
        guard transfer.history.redirects < configuration.maximumRedirects else { return .refused(.redirectLimit) }
        guard let url = RequestTarget.resolve(location, against: transfer.hop.url) else {
            return .refused(.unauthorisedHost)
        }
        var next = transfer
        next.hop = transfer.hop.redirected(to: url, status: answer.status)
        next.history.redirects += 1
        guard origins.route(of: next.hop) != nil else { return .refused(.unauthorisedHost) }
        let owner = transfer.request.owner
        if let route = route(for: next.hop, of: owner) {
            carry(next, to: route)
        } else {
            carriedCount -= 1
            curl.start(
                TransferRequest(
                    next.hop,
                    owner: owner,
                    plannedAt: transfer.request.plannedAt,
                    token: transfer.request.token,
                    keepBody: transfer.request.keepBody
                ),
                after: next.history
            )
        }
        return .followed
    }
}
