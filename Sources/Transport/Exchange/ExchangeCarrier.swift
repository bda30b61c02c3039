import Glibc
import Rules
import Values

/// Connections of one owner each, confined to a loop.
///
/// A request to an idle connection is written within `start`; an end without the network's part is reported at the end of the
/// turn. An answer in one piece is handed on from the buffer it was read into.
final class ExchangeCarrier: TransferCarrier {
    /// Continues transfers whose redirect only libcurl can carry.
    let curl: CurlCarrier
    let tls: TLSContext

    let connections: ConnectionTable
    /// Valid until the next read.
    let buffer: UnsafeMutableRawBufferPointer

    let life: ConnectionLife?

    /// nil where HTTP/2 is not configured.
    @exclusivity(unchecked) private(set) var http2: HTTP2Carrier?

    private(set) lazy var opener = ConnectionOpener(for: self)
    /// A check costs a fiftieth of a poll.
    @exclusivity(unchecked) var carriedCount = 0

    /// Larger than any playlist: one read is one answer.
    private static let bufferCapacity = 256 << 10

    init(beside curl: CurlCarrier, _ tls: TLSContext) {
        self.curl = curl
        self.tls = tls
        let configuration = curl.configuration
        let reader = AnswerReader(configuration)
        connections = ConnectionTable(reader: reader)
        life = configuration.connectionLife
        buffer = .allocate(byteCount: Self.bufferCapacity, alignment: 64)
        super.init(
            .exchange,
            loop: curl.loop,
            configuration: configuration,
            sourceAddresses: curl.sourceAddresses,
            origins: curl.origins,
            remotes: curl.remotes,
            reader: reader
        )
        if configuration.httpVersion != .http1 { http2 = HTTP2Carrier(self) }
    }

    deinit { buffer.deallocate() }

    var inFlight: Int { carriedCount }
    var wantsTurn: Bool { !ended.isEmpty }

    /// nil when libcurl has to carry the request.
    @inline(__always)
    func route(for request: PreparedRequest) -> Route? {
        guard !request.needsCurl, let route = origins.route(of: request), route.proxy == nil else { return nil }
        return route
    }

    func start(_ request: TransferRequest, to route: Route) {
        var transfer = CarriedTransfer(request: request)
        transfer.history.startedAt = MonotonicClock.now()
        carriedCount += 1
        if let least = request.limits.least { deadlines.notice(timeout: least) }
        guard !request.owner.isClosed else { return end(transfer, .abandoned) }
        carry(consume transfer, to: route)
    }

    func carry(_ transfer: consuming CarriedTransfer, to route: Route) {
        if let http2, !route.takesHTTP1 { return http2.carry(transfer, to: route) }
        if let descriptor = connections.first(
            of: transfer.request.owner,
            to: route,
            where: { $0.pointee.phase == .idle }
        ) {
            send(transfer, on: descriptor)
            return
        }
        // An opening ahead of need goes to the first request.
        if let descriptor = connections.first(
            of: transfer.request.owner,
            to: route,
            where: { $0.pointee.awaitsRequest }
        ) {
            connections[descriptor].pointee.transfer = consume transfer
            setDeadline(descriptor, deadlines.deadline(of: descriptor))
            return
        }
        opener.open(PendingOpening(owner: transfer.request.owner, route: route, transfer: transfer))
    }

    func warm(_ owner: ConnectionOwner, to route: Route) {
        if let http2, !route.takesHTTP1 { return http2.warm(owner, to: route) }
        guard connections.first(of: owner, to: route, where: { $0.pointee.awaitsRequest }) == nil else { return }
        opener.open(PendingOpening(owner: owner, route: route, transfer: nil))
    }

    func close(_ owner: ConnectionOwner) {
        // First, because each closed connection lets the next opening in line begin.
        opener.drop(.abandoned) { $0.owner === owner }
        while owner.firstConnection >= 0 { abandon(owner.firstConnection, .abandoned) }
        owner.sessions.removeAll()
    }

    func stopAll(_ failure: TransportFailure) {
        opener.drop(failure) { _ in true }
        for descriptor in connections.open {
            switch connections[descriptor].pointee.phase {
            // One attempt's end closes its rival too.
            case .none, .idle: break
            case .connecting, .handshaking, .sending, .awaiting, .http2: abandon(descriptor, failure)
            }
        }
    }

    func turnEnded() {
        carriedCount -= ended.count
        tellEnded()
    }

    /// The handler may have closed the reported exchange's connection meanwhile.
    override func noteConnection(_ note: UInt16) {
        guard reportedDescriptor >= 0, connections[reportedDescriptor].pointee.phase != .none else { return }
        connections[reportedDescriptor].pointee.note = note
    }

    /// No transfer may be in flight.
    func tearDown() {
        loop.cancel(sweepTimer)
        opener.isTornDown = true
        for descriptor in connections.open where connections[descriptor].pointee.phase != .none {
            closeConnection(descriptor)
        }
    }
}
