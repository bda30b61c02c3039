import EventLoop
import Glibc
import Rulebook
import Time

// How transfers and connections end.

extension ExchangeCarrier {
    /// Ends a transfer that is on no connection; told at the end of the turn.
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

    /// Closes a connection and ends what it carries for a reason of our own.
    func abandon(_ descriptor: Int32, _ failure: TransportFailure) {
        let transfer = connections[descriptor].pointee.transfer
        let connection = connections[descriptor].pointee.answeredOn
        closeConnection(descriptor)
        if let transfer { end(transfer, failure, on: connection) }
    }

    func tell(_ end: EndedTransfer) {
        told.pointee.transfer = end.transfer
        told.pointee.explanation = end.explanation
        told.pointee.descriptor = -1
        tell(end.failure, firstByteAt: .zero, doneAt: MonotonicClock.now(), on: end.connection)
        told.pointee.explanation = ""
    }

    /// Called when an answer has come as far as it will.
    ///
    /// Reports it, and keeps the connection if it may be kept.
    func finish(_ descriptor: Int32, _ failure: TransportFailure?, at now: Instant) {
        let connection = connections[descriptor]
        guard connection.pointee.transfer != nil else {
            closeConnection(descriptor)
            return
        }
        swap(&connection.pointee.reader, &told.pointee.answer)
        swap(&connection.pointee.transfer, &told.pointee.transfer)
        let firstByteAt = connection.pointee.firstByteAt
        let answeredOn = connection.pointee.answeredOn
        // An answer to a request that is not written in full ends the connection with it.
        if told.pointee.answer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true
        {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            told.pointee.descriptor = descriptor
        } else {
            closeConnection(descriptor)
            told.pointee.descriptor = -1
        }
        guard failure == nil, Redirection.isRedirect(told.pointee.answer.status) else {
            tell(failure, firstByteAt: firstByteAt, doneAt: now, on: answeredOn)
            return
        }
        switch followRedirect() {
        case .followed:
            told.pointee.transfer = nil
            told.pointee.answer.reset()
        case .refused(let reason): tell(reason, firstByteAt: firstByteAt, doneAt: now, on: answeredOn)
        case .none: tell(nil, firstByteAt: firstByteAt, doneAt: now, on: answeredOn)
        }
    }

    /// Tells of what stands in `told`, and empties it.
    private func tell(_ failure: TransportFailure?, firstByteAt: Instant, doneAt: Instant, on connection: AnsweredOn) {
        carriedCount -= 1
        if let handler = ends.handler, let token = told.pointee.transfer?.request.token {
            handler.transferFinished(
                token: token,
                result(failure, firstByteAt: firstByteAt, doneAt: doneAt, on: connection)
            )
        }
        told.pointee.transfer = nil
        told.pointee.answer.reset()
    }

    private func result(
        _ failure: TransportFailure?,
        firstByteAt: Instant,
        doneAt: Instant,
        on connection: AnsweredOn
    ) -> TransferResult {
        let keepsBody = told.pointee.transfer?.request.keepBody == true
        return TransferResult(
            failure: failure,
            status: told.pointee.answer.status,
            body: keepsBody ? told.pointee.answer.body : UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: told.pointee.answer.wireBodyBytes,
            plannedAt: told.pointee.transfer?.request.plannedAt ?? .zero,
            history: told.pointee.transfer?.history ?? TransferHistory(),
            firstByteAt: firstByteAt,
            doneAt: doneAt,
            on: connection,
            carrier: .exchange,
            flaws: told.pointee.answer.flaws,
            source: self
        )
    }

    /// Takes a connection out of everything and closes its socket.
    func closeConnection(_ descriptor: Int32) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .connecting, .handshaking: openingCount -= 1
        case .none, .idle, .sending, .awaiting: break
        }
        connection.pointee.endTLS()
        if let registration = connection.pointee.registration { loop.deregister(registration) }
        deadlines.set(descriptor, .distantFuture)
        connection.pointee.reader.reset()
        connections.remove(descriptor)
        Glibc.close(descriptor)
        if !openings.isLineEmpty { openWaiting() }
    }
}

// MARK: - Redirects

extension ExchangeCarrier {
    private enum Redirect {
        /// The next hop is under way.
        case followed
        case refused(TransportFailure)
        /// There is nowhere to go: the answer stands.
        case none
    }

    private func followRedirect() -> Redirect {
        guard configuration.maximumRedirects > 0, let transfer = told.pointee.transfer,
            let location = told.pointee.answer.header("location"), !location.isEmpty
        else { return .none }
        guard Int(transfer.history.redirects) < configuration.maximumRedirects else { return .refused(.redirectLimit) }
        let status = told.pointee.answer.status
        guard var next = transfer.redirected(to: location, status: status), origins.route(of: next.hop) != nil else {
            return .refused(.unauthorisedHost)
        }
        next.history.flaws.formUnion(told.pointee.answer.flaws)
        let hop = next.hop
        let owner = transfer.request.owner
        if let route = route(for: hop, of: owner) {
            carry(next, to: route)
        } else {
            carriedCount -= 1
            curl.start(
                TransferRequest(
                    hop,
                    owner: owner,
                    plannedAt: transfer.request.plannedAt,
                    token: transfer.request.token,
                    keepBody: transfer.request.keepBody,
                    limits: transfer.request.limits
                ),
                after: next.history
            )
        }
        return .followed
    }
}
