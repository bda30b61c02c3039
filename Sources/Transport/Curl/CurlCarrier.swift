import CCurl
import DequeModule
import Glibc
import Rules
import Values

/// Drives libcurl from readiness events, timers and ends of turns, never from within `start`; confined to its loop; tear it
/// down before releasing it.
final class CurlCarrier: TransferCarrier {
    let multi: UnsafeMutableRawPointer
    var sockets = SocketTable()

    var transfers: ContiguousArray<Transfer?> = []
    var freeSlots: ContiguousArray<Int32> = []
    var idleTransfers: ContiguousArray<Transfer> = []
    var activeCount = 0
    var pending: Deque<CarriedTransfer> = []

    var isSweepDue = false
    var libraryTimer = TimerID.none
    private static let libraryToken: UInt64 = 1
    var needsDrive = false

    var groups: [ObjectIdentifier: ConnectionGroup] = [:]
    /// Spares a new owner the search through thousands of full groups.
    var groupsWithRoom: ContiguousArray<ConnectionGroup> = []

    @exclusivity(unchecked) var harnessFailure: String?
    var hasReportedFailure = false
    private var isTornDown = false

    let names: NameLookup
    var unresolved: [(transfer: CarriedTransfer, route: Route, since: Instant)] = []
    let connectTo: UnsafeMutablePointer<curl_slist>?

    /// Beyond this, the first handles added are cold in the cache when libcurl is driven.
    static let batchLimit = 64
    static let idleLimit = 512

    private static let globalInitialisation: CURLcode = {
        // A write to a closed connection is an error code here, never a signal.
        signal(SIGPIPE, SIG_IGN)
        return podswarm_global_init()
    }()

    init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        sourceAddresses: [SocketAddress],
        expectedOwners: Int,
        origins: OriginTable
    ) throws(TransportError) {
        guard Self.globalInitialisation == CURLE_OK, let multi = curl_multi_init() else {
            throw .library(call: "curl_multi_init", message: "initialisation failed")
        }
        self.multi = multi
        names = NameLookup(loop: loop, fixed: origins.places, names: configuration.names)
        connectTo = configuration.connectTo.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
        super.init(
            .curl,
            loop: loop,
            configuration: configuration,
            sourceAddresses: sourceAddresses,
            origins: origins
        )
        names.whenAnswered.append { [unowned(unsafe) self] in resolved($0) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Unset, libcurl would close idle connections beyond four for each transfer in flight.
        let connections = max(1, min(expectedOwners, 1 << 20)) * 16
        let codes = [
            podswarm_multi_set_socket_function(multi) { _, socket, what, carrier, _ in
                CurlCarrier.at(carrier)?.socketChanged(socket, what)
                return 0
            },
            podswarm_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            podswarm_multi_set_timer_function(multi) { _, milliseconds, carrier in
                CurlCarrier.at(carrier)?.timerChanged(milliseconds)
                return 0
            },
            podswarm_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            podswarm_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections),
        ]
        if let code = codes.first(where: { $0 != CURLM_OK }) {
            curl_multi_cleanup(multi)
            isTornDown = true
            throw .library(call: "curl_multi_setopt", message: String(cString: curl_multi_strerror(code)))
        }
    }

    deinit {
        curl_slist_free_all(connectTo)
        assert(isTornDown, "a transport must be shut down before it is let go")
    }

    static func at(_ context: UnsafeMutableRawPointer?) -> CurlCarrier? {
        context.map { Unmanaged<CurlCarrier>.fromOpaque($0).takeUnretainedValue() }
    }

    var inFlight: Int {
        activeCount + pending.count + unresolved.count + ended.count
    }

    // MARK: Owners

    /// Assigned at first use.
    func group(of owner: ConnectionOwner) throws(TransportError) -> ConnectionGroup {
        if let group = owner.group { return group }
        let group = if let open = groupsWithRoom.last { open } else { try ConnectionGroup() }
        if group.ownerCount == 0 {
            groups[ObjectIdentifier(group)] = group
            groupsWithRoom.append(group)
        }
        group.ownerCount += 1
        if group.ownerCount == ConnectionGroup.capacity { groupsWithRoom.removeLast() }
        owner.group = group
        return group
    }

    func close(_ owner: ConnectionOwner) {
        for slot in owner.transferSlots {
            if let transfer = transfers[Int(slot)] { abandon(transfer, .abandoned) }
        }
        for waiting in unresolved.take(where: { $0.transfer.request.owner === owner }) {
            end(waiting.transfer, .abandoned)
        }
        for descriptor in owner.sockets {
            // libcurl has no call to close an idle connection: it does so when it next looks at the cache.
            loop.unwatch(descriptor)
            Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
        }
        guard let group = owner.group else { return }
        group.ownerCount -= 1
        if group.ownerCount == 0 {
            dissolve(group)
        } else if group.ownerCount == ConnectionGroup.capacity - 1 {
            groupsWithRoom.append(group)
        }
    }

    private func dissolve(_ group: ConnectionGroup) {
        for case let transfer? in transfers where transfer.configuredGroup === group { detach(transfer) }
        groupsWithRoom.removeAll { $0 === group }
        groups[ObjectIdentifier(group)] = nil
        if !group.cleanUp() { fail("a connection cache is still in use after its last owner left") }
    }

    func detach(_ transfer: Transfer) {
        guard transfer.configuredGroup != nil else { return }
        _ = podswarm_set_pointer(transfer.easy, CURLOPT_SHARE, nil)
        transfer.configuredGroup = nil
    }

    // MARK: Requests

    /// Starts at the end of the present turn.
    func start(_ transfer: CarriedTransfer) { pending.append(transfer) }

    func stopAll(_ failure: TransportFailure) {
        for case let transfer? in transfers where transfer.isAdded { abandon(transfer, failure) }
        for transfer in pending + unresolved.map(\.transfer) { end(transfer, failure) }
        pending.removeAll()
        unresolved.removeAll()
    }

    /// libcurl is unusable; reported at the end of the turn.
    func fail(_ reason: String) { if harnessFailure == nil { harnessFailure = reason } }

    func reportFailure() {
        guard let reason = harnessFailure else { return }
        stopAll(.other)
        guard !hasReportedFailure else { return }
        hasReportedFailure = true
        handler?.transportFailed(reason)
    }

    /// Frees in the order that libcurl asks for.
    func tearDown() {
        for timer in [libraryTimer, sweepTimer] { loop.cancel(timer) }
        names.whenAnswered.removeAll()
        for case let transfer? in transfers {
            detach(transfer)
            curl_easy_cleanup(transfer.easy)
        }
        idleTransfers.removeAll()
        transfers.removeAll()
        for group in groups.values { _ = group.cleanUp() }
        curl_multi_cleanup(multi)
        isTornDown = true
    }

    func closeSocket(_ descriptor: Int32) -> Int32 {
        loop.assertOnLoop()
        sockets[descriptor].owner?.sockets.removeAll { $0 == descriptor }
        sockets[descriptor] = SocketTable.Socket()
        loop.unwatch(descriptor)
        return Glibc.close(descriptor)
    }

    /// Updates the events that libcurl wants of a socket.
    ///
    /// An owner's idle socket stays watched, because the next poll wants the same events: that saves two system calls a
    /// request, until the server closes it or sends something unasked.
    func socketChanged(_ descriptor: Int32, _ what: Int32) {
        loop.assertOnLoop()
        var wanted: Readiness = []
        switch what {
        case CURL_POLL_IN: wanted = .readable
        case CURL_POLL_OUT: wanted = .writable
        case CURL_POLL_INOUT: wanted = [.readable, .writable]
        default: if sockets[descriptor].owner == nil { loop.unwatch(descriptor) }
        }
        sockets[descriptor].wanted = wanted
        guard !wanted.isEmpty else { return }
        do { try loop.watch(descriptor, for: wanted, self) } catch { fail("cannot watch a socket: \(error)") }
    }

    /// When libcurl wants to be called; negative for never.
    func timerChanged(_ milliseconds: Int) {
        loop.assertOnLoop()
        loop.cancel(libraryTimer)
        if milliseconds == 0 { needsDrive = true }
        guard milliseconds > 0 else { return }
        let end = MonotonicClock.now().later(by: .milliseconds(milliseconds))
        libraryTimer = loop.schedule(at: end, token: Self.libraryToken, handler: self)
    }

    override func timerFired(token: UInt64, deadline: Instant) {
        guard token == Self.libraryToken else { return super.timerFired(token: token, deadline: deadline) }
        needsDrive = false
        act(on: CURL_SOCKET_TIMEOUT, 0)
    }

    override func postponeDeadlines(by delay: Int64) {
        super.postponeDeadlines(by: delay)
        for case let transfer? in transfers where transfer.isAdded {
            transfer.latestEnd = transfer.latestEnd.later(by: delay)
        }
    }

    /// An answer that lies in its socket came in time: it is read first.
    override func sweep(at now: Instant) { isSweepDue = true }
}

extension CurlCarrier: ReadinessHandler {
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        guard !sockets[descriptor].wanted.isEmpty else { return loop.unwatch(descriptor) }
        var mask: Int32 = 0
        if readiness.contains(.readable) { mask |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { mask |= CURL_CSELECT_OUT }
        if readiness.contains(.failed) { mask |= CURL_CSELECT_ERR }
        act(on: descriptor, mask)
    }

    func act(on socket: curl_socket_t, _ mask: Int32) {
        guard harnessFailure == nil else { return }
        var running: Int32 = 0
        let code = curl_multi_socket_action(multi, socket, mask, &running)
        guard code == CURLM_OK else {
            fail("curl_multi_socket_action: \(String(cString: curl_multi_strerror(code)))")
            return
        }
        drainMessages()
    }
}

struct SocketTable {
    struct Socket {
        /// Empty while the connection is idle.
        var wanted: Readiness = []
        /// nil for sockets that libcurl made without asking, such as its resolver's.
        var owner: ConnectionOwner?
    }

    private var sockets: ContiguousArray<Socket> = []

    /// A descriptor never seen reads as closed.
    subscript(descriptor: Int32) -> Socket {
        get {
            let index = Int(descriptor)
            return index >= 0 && index < sockets.count ? sockets[index] : Socket()
        }
        set {
            guard descriptor >= 0 else { return }
            while sockets.count <= Int(descriptor) { sockets.append(Socket()) }
            sockets[Int(descriptor)] = newValue
        }
    }
}
