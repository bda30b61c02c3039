import CCurl
import Glibc
import Rules
import Values

/// HTTP transfers on one event loop; every owner has connections of its own.
///
/// HTTP/1.1 and HTTP/2 go over podswarm's own exchange, everything else over libcurl; each result names its carrier. Confined
/// to its loop: all members, the initialiser included, are called there. No handler is called from within `start`, so a caller
/// may start, close and cancel wherever it is. It must be shut down before it is released, and before its loop is.
package final class HTTPTransport {
    package let configuration: TransportConfiguration
    let loop: EventLoop
    let ends = TransferEnds()
    let origins: OriginTable
    let curl: CurlCarrier
    /// nil where everything goes over libcurl.
    let exchange: ExchangeCarrier?
    private let sourceAddressCount: Int
    private var nextScope: UInt32 = 1
    private var shutdownWaiters: [() -> Void] = []
    private var state = State.running

    private enum State {
        case running
        case shuttingDown
        case closed
    }

    /// `expectedOwners` sizes tables and is no limit; `tls` is trust shared with other transports, nil makes its own.
    ///
    /// Throws where a file or source address cannot be used, or a library cannot be set up.
    package init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        expectedOwners: Int,
        tls: TLSContext? = nil
    ) throws(TransportError) {
        loop.assertOnLoop()
        for file in [configuration.caFile, configuration.clientCertificateFile, configuration.clientKeyFile] {
            if let file, access(file, R_OK) != 0 { throw .unreadableFile(file) }
        }
        var addresses: [SourceAddress] = []
        for text in configuration.sourceAddresses { addresses.append(try SourceAddress(text)) }
        self.loop = loop
        self.configuration = configuration
        self.sourceAddressCount = addresses.count
        self.origins = OriginTable(
            authorisedHosts: configuration.authorisedHosts,
            places: FixedPlaces(resolve: configuration.resolve, connectTo: configuration.connectTo),
            version: configuration.httpVersion
        )
        self.curl = try CurlCarrier(
            loop: loop,
            configuration: configuration,
            sourceAddresses: addresses,
            expectedOwners: expectedOwners,
            origins: origins,
            ends: ends
        )
        var trust = configuration.carriers == .auto ? tls : nil
        do throws(TransportError) {
            if configuration.carriers == .auto, trust == nil { trust = try TLSContext(configuration) }
        } catch {
            curl.tearDown()
            throw error
        }
        self.exchange = trust.map { [curl] in ExchangeCarrier(beside: curl, $0) }
        // The loop keeps the transport alive until it is shut down: libcurl's callbacks point at objects it owns.
        loop.addTurnHandler(self)
    }

    package var handler: (any TransferHandler)? {
        get { ends.handler }
        set { ends.handler = newValue }
    }

    package var delegate: (any TransportDelegate)? {
        get { ends.delegate }
        set { ends.delegate = newValue }
    }

    /// Transfers started whose end has not been reported yet.
    package var inFlight: Int { curl.inFlight + (exchange?.inFlight ?? 0) }

    package var openConnections: Int { curl.openConnections + (exchange?.openConnections ?? 0) }
}

// MARK: - Owners

extension HTTPTransport {
    /// Creates an owner, with connections from the given source address (modulo the list's count), or from the kernel's.
    ///
    /// The index also says, with the configuration's seed, in which order the owner tries the addresses of a name.
    package func makeOwner(sourceAddressIndex: Int? = nil) -> ConnectionOwner {
        loop.assertOnLoop()
        var source: Int32 = -1
        if let index = sourceAddressIndex, sourceAddressCount > 0 {
            source = Int32(truncatingIfNeeded: index.magnitude % UInt(sourceAddressCount))
        }
        defer {
            // Numbers repeat after four billion owners: nothing of the first bearer is left by then.
            nextScope = nextScope == .max ? 1 : nextScope + 1
        }
        // Mixed first, so that the viewers of one seed are not those of the next one under other numbers.
        var seed = SplitMix64(seed: configuration.seed)
        var chance = SplitMix64(seed: seed.next() &+ UInt64(sourceAddressIndex?.magnitude ?? UInt(nextScope)))
        return ConnectionOwner(
            scope: nextScope,
            sourceAddressIndex: source,
            chance: UInt32(truncatingIfNeeded: chance.next())
        )
    }

    /// Closes each of an owner's connections and ends its transfers as abandoned; a second call does nothing.
    package func close(_ owner: ConnectionOwner) {
        loop.assertOnLoop()
        guard !owner.isClosed else { return }
        owner.isClosed = true
        guard state != .closed else { return }
        exchange?.close(owner)
        curl.close(owner)
    }
}

// MARK: - Sockets

extension HTTPTransport {
    /// The sockets of an owner's open connections, for a benchmark that uses them while no request is in flight.
    ///
    /// A caller that reads from one must read all of an answer, and never beyond it.
    package func descriptors(of owner: ConnectionOwner) -> [Int32] {
        loop.assertOnLoop()
        return (exchange?.connections.descriptors(of: owner) ?? []) + owner.sockets
    }
}

// MARK: - Requests

extension HTTPTransport {
    /// Starts a transfer, at once where a connection is idle; its handler is called once, and never from within.
    ///
    /// After `shutDown` nothing is started and the handler is not called.
    package func start(_ request: TransferRequest) {
        loop.assertOnLoop()
        guard state == .running else { return }
        if curl.harnessFailure == nil, let exchange, let route = exchange.route(for: request.request) {
            exchange.start(request, to: route)
        } else {
            curl.start(CarriedTransfer(request: request))
        }
    }

    /// Opens a connection ahead of need where the owner has none to the request's origin; its end is not reported.
    ///
    /// Only podswarm's own exchange does so; libcurl ignores it.
    package func warm(_ request: PreparedRequest, owner: ConnectionOwner) {
        loop.assertOnLoop()
        guard state == .running, !owner.isClosed, let exchange, let route = exchange.route(for: request)
        else { return }
        exchange.warm(owner, to: route)
    }

    /// Ends every transfer as abandoned; the handler is called at the end of the present turn.
    package func cancelAll() {
        loop.assertOnLoop()
        exchange?.stopAll(.abandoned)
        curl.stopAll(.abandoned)
    }

    /// Ends every transfer as abandoned, reports that, closes all connections and calls `done` on the loop.
    ///
    /// May be called more than once; every `done` is called.
    package func shutDown(_ done: @escaping () -> Void) {
        loop.assertOnLoop()
        guard state != .closed else {
            done()
            return
        }
        shutdownWaiters.append(done)
        guard state == .running else { return }
        state = .shuttingDown
        cancelAll()
    }

    func fail(_ reason: String) { curl.fail(reason) }
}

extension HTTPTransport: TurnHandler {
    /// Lets both carriers report ended transfers; true while there is more to do.
    package func turnEnded() -> Bool {
        guard state != .closed else { return false }
        if curl.harnessFailure != nil { exchange?.stopAll(.other) }
        exchange?.turnEnded()
        let wantsMore = curl.turnEnded()
        guard state == .shuttingDown, inFlight == 0 else { return wantsMore || exchange?.wantsTurn == true }
        tearDown()
        return false
    }

    private func tearDown() {
        exchange?.tearDown()
        curl.tearDown()
        state = .closed
        ends.handler = nil
        loop.removeTurnHandler(self)
        let waiters = shutdownWaiters
        shutdownWaiters = []
        for done in waiters { done() }
    }
}

extension HTTPTransport {
    /// Name and version of libcurl and of the libraries it uses, in libcurl's own words.
    package static var libraryVersion: String { curl_version().map { String(cString: $0) } ?? "unknown" }
}
