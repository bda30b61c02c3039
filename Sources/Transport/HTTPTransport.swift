import CCurl
import Glibc
import Rules
import Values

/// HTTP/1.1 and HTTP/2 go over podswarm's own exchange, everything else over libcurl; confined to its loop, `init` included.
///
/// No handler is called from within `start`. Shut it down before releasing it, and before releasing its loop.
package final class HTTPTransport {
    package let configuration: TransportConfiguration
    let loop: EventLoop
    let curl: CurlCarrier
    let exchange: ExchangeCarrier?
    private var nextScope: UInt32 = 1
    private var state = State.running

    private enum State {
        case running
        /// Calls these at the end.
        case shuttingDown([() -> Void])
        case closed
    }

    /// `expectedOwners` sizes tables and is not a limit; `tls` is trust shared with other transports; throws where a file, a
    /// source address or a library cannot be used.
    package init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        expectedOwners: Int,
        tls: TLSContext? = nil
    ) throws(TransportError) {
        loop.assertOnLoop()
        for file in [configuration.caFile, configuration.clientCertificateFile, configuration.clientKeyFile] {
            guard let file else { continue }
            try TransportError.refuseSpecial(file)
            if access(file, R_OK) != 0 { throw .unreadableFile(file) }
        }
        var trust = configuration.carriers == .auto ? tls : nil
        if configuration.carriers == .auto, trust == nil { trust = try TLSContext(configuration) }
        (self.loop, self.configuration) = (loop, configuration)
        self.curl = try CurlCarrier(
            loop: loop,
            configuration: configuration,
            expectedOwners: expectedOwners,
            origins: try OriginTable(configuration)
        )
        self.exchange = trust.map { [curl] in ExchangeCarrier(beside: curl, $0) }
        // The loop keeps the transport alive until shut down: libcurl's callbacks point at its objects.
        loop.addTurnHandler(self)
    }

    package var handler: (any TransferHandler)? {
        didSet {
            curl.handler = handler
            exchange?.handler = handler
        }
    }

    package static var libraryVersion: String { curl_version().map { String(cString: $0) } ?? "unknown" }

    package var inFlight: Int { curl.inFlight + (exchange?.inFlight ?? 0) }

    /// `sourceAddressIndex` counts modulo the configured addresses; nil lets the kernel choose; with the configuration's seed,
    /// it also sets the order of a name's addresses.
    package func makeOwner(sourceAddressIndex: Int? = nil) -> ConnectionOwner {
        loop.assertOnLoop()
        let count = UInt(curl.origins.sources.count)
        defer {
            // After four billion owners the first bearers are gone.
            nextScope = nextScope == .max ? 1 : nextScope + 1
        }
        // Mixed first: else viewers of one seed would be those of the next under other numbers.
        var seed = SplitMix64(seed: configuration.seed)
        var chance = SplitMix64(seed: seed.next() &+ UInt64(sourceAddressIndex?.magnitude ?? UInt(nextScope)))
        return ConnectionOwner(
            scope: nextScope,
            source: count == 0 ? nil : sourceAddressIndex.map { Int32(clamping: $0.magnitude % count) },
            chance: UInt32(truncatingIfNeeded: chance.next())
        )
    }

    /// The owner's transfers end as abandoned; a second call does nothing.
    package func close(_ owner: ConnectionOwner) {
        loop.assertOnLoop()
        guard !owner.isClosed else { return }
        owner.isClosed = true
        if case .closed = state { return }
        exchange?.close(owner)
        curl.close(owner)
    }

    /// For a benchmark, while no request is in flight; a caller that reads must read all of an answer, and never beyond it.
    package func descriptors(of owner: ConnectionOwner) -> [Int32] {
        loop.assertOnLoop()
        return owner.connections.map(\.pointee.descriptor) + owner.sockets
    }

    /// Does nothing after `shutDown`; else the handler is called once, never from within this call.
    package func start(_ request: TransferRequest) {
        loop.assertOnLoop()
        guard case .running = state else { return }
        if curl.harnessFailure == nil, let exchange, let route = exchange.route(for: request.request) {
            exchange.start(request, to: route)
        } else {
            curl.start(CarriedTransfer(request: request))
        }
    }

    /// Continues a transfer that the handler held, as `start` does.
    package func start(_ request: TransferRequest, after history: TransferHistory) {
        loop.assertOnLoop()
        guard case .running = state else { return }
        let held = CarriedTransfer(request: request, history: history)
        if curl.harnessFailure == nil, let exchange { exchange.resume(held) } else { curl.start(held) }
    }

    /// Opens a connection ahead of need unless the owner has one to the origin; libcurl ignores it.
    package func warm(_ request: PreparedRequest, owner: ConnectionOwner) {
        loop.assertOnLoop()
        guard case .running = state, !owner.isClosed, let exchange, let route = exchange.route(for: request) else {
            return
        }
        exchange.warm(owner, to: route)
    }

    /// Handlers are called at the end of the present turn.
    package func cancelAll() {
        loop.assertOnLoop()
        exchange?.stopAll(.abandoned)
        curl.stopAll(.abandoned)
    }

    /// Ends and reports transfers as abandoned; each call's `done` is called on the loop.
    package func shutDown(_ done: @escaping () -> Void) {
        loop.assertOnLoop()
        switch state {
        case .closed: done()
        case .shuttingDown(let others): state = .shuttingDown(others + [done])
        case .running:
            state = .shuttingDown([done])
            cancelAll()
        }
    }

    func fail(_ reason: String) { curl.fail(reason) }
}

extension HTTPTransport: TurnHandler {
    /// True while a carrier has more to do.
    package func turnEnded() -> Bool {
        if case .closed = state { return false }
        if curl.harnessFailure != nil { exchange?.stopAll(.other) }
        exchange?.turnEnded()
        let wantsMore = curl.turnEnded()
        guard case .shuttingDown(let waiting) = state, inFlight == 0 else {
            return wantsMore || exchange?.wantsTurn == true
        }
        exchange?.tearDown()
        curl.tearDown()
        state = .closed
        handler = nil
        loop.removeTurnHandler(self)
        for done in waiting { done() }
        return false
    }
}
