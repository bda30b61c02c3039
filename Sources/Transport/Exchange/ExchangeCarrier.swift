import EventLoop
import Glibc
import Rulebook
import Sockets
import Time

/// Carries requests on connections that belong to one owner each: over HTTP/1.1 one at a time, over HTTP/2 as its own
/// carrier does.
///
/// Where an owner has none that is free, `opener` brings one about. Confined to its loop. A request to an idle connection
/// is written within `start`. An end that the network has no part in is reported at the end of the turn. An answer that
/// comes in one piece is handed on from the buffer it was read into.
final class ExchangeCarrier {
    let configuration: TransportConfiguration
    let loop: EventLoop
    let origins: OriginTable
    let remotes: RemoteAddresses
    let ends: TransferEnds
    /// Takes over what a redirect leads to and only it can carry.
    let curl: CurlCarrier
    let tls: TLSContext
    let sourceAddresses: [SourceAddress]

    let connections: ConnectionTable
    let deadlines: DeadlineTable
    /// What is being told at the moment: the handler may use or close the connection that it came on.
    let told: FinishedExchange
    var sweepTimer = TimerID.none
    let connectTimeout: Int64
    let firstByteTimeout: Int64
    let totalTimeout: Int64
    /// Where answers are read into; what they hold is good until the next read.
    let buffer: UnsafeMutableRawBufferPointer

    /// Nil where nobody is asked for HTTP/2.
    @exclusivity(unchecked) private(set) var http2: HTTP2Carrier?

    /// How connections come to be.
    private(set) lazy var opener = ConnectionOpener(for: self)
    /// Unchecked, because a check of it is a fiftieth of what a poll costs, and only the loop's own thread gets here.
    @exclusivity(unchecked) var carriedCount = 0
    /// Ended without the network's word, to be told at the end of the turn.
    var ended: ContiguousArray<EndedTransfer> = []

    /// Larger than any playlist: one read is one answer.
    private static let bufferCapacity = 256 << 10

    init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        sourceAddresses: [SourceAddress],
        origins: OriginTable,
        remotes: RemoteAddresses,
        ends: TransferEnds,
        curl: CurlCarrier,
        tls: TLSContext
    ) {
        self.loop = loop
        self.configuration = configuration
        self.sourceAddresses = sourceAddresses
        self.origins = origins
        self.remotes = remotes
        self.ends = ends
        self.curl = curl
        self.tls = tls
        connectTimeout = max(0, configuration.connectTimeout.nanosecondsHeld)
        firstByteTimeout = max(0, configuration.firstByteTimeout.nanosecondsHeld)
        totalTimeout = max(0, configuration.totalTimeout.nanosecondsHeld)
        deadlines = DeadlineTable(leastTimeout: min(connectTimeout, firstByteTimeout, totalTimeout))
        connections = ConnectionTable(
            reader: AnswerReader(
                limits: AnswerReader.Limits(
                    headerBytes: configuration.maximumHeaderBytes,
                    bodyBytes: configuration.maximumBodyBytes
                ),
                decodesContent: configuration.acceptEncoding,
                pool: AnswerPool(budget: configuration.bodyBudget)
            )
        )
        told = FinishedExchange(connections, remotes)
        buffer = .allocate(byteCount: Self.bufferCapacity, alignment: 64)
        if configuration.httpVersion == .http2 { http2 = HTTP2Carrier(self) }
    }

    deinit { buffer.deallocate() }

    /// Transfers started whose end has not been told yet.
    var inFlight: Int { carriedCount }
    var openConnections: Int { connections.openCount }
    /// Whether something is to be told at the end of another turn.
    var wantsTurn: Bool { !ended.isEmpty }

    /// Where this carrier sends a request; nil when that is libcurl's.
    @inline(__always)
    func route(for request: PreparedRequest) -> Route? { request.needsCurl ? nil : origins.route(of: request) }

    /// Starts a transfer on an idle connection of its owner, or on a new one.
    func start(_ request: TransferRequest, to route: Route) {
        var transfer = CarriedTransfer(request: request)
        transfer.history.startedAt = MonotonicClock.now()
        carriedCount += 1
        if let least = request.limits.least { deadlines.notice(timeout: least) }
        guard !request.owner.isClosed else {
            end(transfer, .abandoned)
            return
        }
        carry(consume transfer, to: route)
    }

    /// Puts a transfer on a connection to its route that takes it, or on a new one.
    func carry(_ transfer: consuming CarriedTransfer, to route: Route) {
        if let http2, !route.choseHTTP1 {
            http2.carry(transfer, to: route)
            return
        }
        if let descriptor = connections.first(
            of: transfer.request.owner,
            to: route,
            where: { $0.pointee.phase == .idle }
        ) {
            send(transfer, on: descriptor)
            return
        }
        // A connection that is being opened ahead of need goes to the first request that comes.
        if let descriptor = connections.first(
            of: transfer.request.owner,
            to: route,
            where: { $0.pointee.awaitsRequest }
        ) {
            let startedAt = transfer.history.startedAt
            let limits = transfer.request.limits
            connections[descriptor].pointee.transfer = consume transfer
            setDeadline(descriptor, deadlines.deadline(of: descriptor), startedAt: startedAt, limits)
            return
        }
        opener.open(PendingOpening(owner: transfer.request.owner, route: route, transfer: transfer))
    }

    /// Opens a connection for later unless there is one.
    func warm(_ owner: ConnectionOwner, to route: Route) {
        if let http2, !route.choseHTTP1 {
            http2.warm(owner, to: route)
            return
        }
        guard connections.first(of: owner, to: route, where: { $0.pointee.awaitsRequest }) == nil else { return }
        opener.open(PendingOpening(owner: owner, route: route, transfer: nil))
    }

    /// Ends what an owner has here: its connections close, and its transfers end as abandoned.
    func close(_ owner: ConnectionOwner) {
        // What waits goes first: a connection that closes lets the next one in line open.
        opener.drop(.abandoned) { $0.owner === owner }
        while owner.firstConnection >= 0 { abandon(owner.firstConnection, .abandoned) }
        owner.sessions.removeAll()
    }

    /// Ends every transfer for the given reason, told at the end of the turn.
    func stopAll(_ failure: TransportFailure) {
        // What waits goes first: a connection that closes lets the next one in line open.
        opener.drop(failure) { _ in true }
        for descriptor in connections.open where connections[descriptor].pointee.phase != .idle {
            abandon(descriptor, failure)
        }
    }

    /// Tells what has ended by our own decision.
    func turnEnded() {
        guard !ended.isEmpty else { return }
        // What the handler adds meanwhile is told in the next round of the turn.
        let toTell = ended
        ended = []
        for end in toTell { tell(end) }
    }

    /// Closes every connection; nothing may be in flight any more.
    func tearDown() {
        loop.cancel(sweepTimer)
        opener.tearDown()
        for descriptor in connections.open { closeConnection(descriptor) }
    }
}
