import CCurl
import DequeModule
import Glibc
import Rules
import Values

/// Drives libcurl from readiness events, timers and ends of turns, never from within `start`; confined to its loop; tear it
/// down before releasing it.
final class CurlCarrier: TransferCarrier, ReadinessHandler {
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
        expectedOwners: Int,
        origins: OriginTable
    ) throws(TransportError) {
        guard Self.globalInitialisation == CURLE_OK, let multi = curl_multi_init() else {
            throw .library(call: "curl_multi_init", message: "initialisation failed")
        }
        self.multi = multi
        names = NameLookup(loop: loop, fixed: origins.places, names: configuration.names)
        connectTo = configuration.connectTo.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
        super.init(.curl, loop: loop, configuration: configuration, origins: origins)
        names.whenAnswered.append { [unowned(unsafe) self] in resolved($0) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Unset, libcurl would close idle connections beyond four for each transfer in flight.
        let connections = max(1, min(expectedOwners, 1 << 20)) * 16
        let codes = [
            podswarm_multi_set_socket_function(multi) { _, socket, what, carrier, _ in
                object(carrier, CurlCarrier.self)?.socketChanged(socket, what)
                return 0
            },
            podswarm_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            podswarm_multi_set_timer_function(multi) { _, milliseconds, carrier in
                object(carrier, CurlCarrier.self)?.timerChanged(milliseconds)
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

    var inFlight: Int { activeCount + pending.count + unresolved.count + ended.count }

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
        for slot in owner.transferSlots { if let transfer = transfers[Int(slot)] { abandon(transfer, .abandoned) } }
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

    /// True while there is more to admit.
    func turnEnded() -> Bool {
        reportFailure()
        endOverdue()
        admitPending()
        if needsDrive {
            needsDrive = false
            act(on: CURL_SOCKET_TIMEOUT, 0)
        }
        tellEnded()
        if activeCount > 0 || !unresolved.isEmpty { armSweep() }
        return needsDrive || !pending.isEmpty || !ended.isEmpty
            || (harnessFailure != nil && !hasReportedFailure)
    }

    private func admitPending() {
        var admitted = 0
        while admitted < Self.batchLimit, let next = pending.popFirst() {
            if let failure = admit(next) { end(next, failure) }
            admitted += 1
        }
    }

    /// Returns the failure where libcurl cannot get the transfer.
    private func admit(_ next: CarriedTransfer) -> TransportFailure? {
        guard harnessFailure == nil else { return .other }
        guard !next.request.owner.isClosed else { return .abandoned }
        guard let route = origins.route(of: next.hop) else { return .unauthorisedHost }
        // Only an owner's first connection waits for its name to be asked again.
        let isOpen = !next.request.owner.sockets.isEmpty
        if let name = unknownName(of: route) {
            names.lookUp(name)
            guard isOpen, name.addressesUntil != .zero else {
                unresolved.append((next, name, MonotonicClock.now()))
                return nil
            }
        }
        if !isOpen, let failure = nameFailure(of: route) { return failure }
        guard let transfer = takeTransfer() else { return .localResources }
        transfer.begin(next)
        do {
            try configure(transfer, for: next)
        } catch {
            idleTransfers.append(transfer)
            return .localResources
        }
        activeCount += 1
        let (now, limits) = (MonotonicClock.now(), next.request.limits)
        if let least = limits.least { deadlines.notice(timeout: least) }
        // The total time includes earlier hops and carriers.
        let began = next.history.startedAt == .zero ? now : next.history.startedAt
        transfer.carried?.history.startedAt = began
        transfer.latestEnd = began.later(by: limits.total.nanoseconds(otherwise: totalTimeout))
        add(transfer, at: now)
        return nil
    }

    func add(_ transfer: Transfer, at now: Instant) {
        let code = curl_multi_add_handle(multi, transfer.easy)
        guard code == CURLM_OK else {
            fail("curl_multi_add_handle: \(String(cString: curl_multi_strerror(code)))")
            return abandon(transfer, .other)
        }
        transfer.isAdded = true
        transfer.request?.owner.transferSlots.append(transfer.slot)
        let limits = transfer.request?.limits ?? .configured
        let end = now.later(by: limits.connect.nanoseconds(otherwise: connectTimeout))
        setDeadline(transfer, end, .connectTimeout)
    }

    private func takeTransfer() -> Transfer? {
        if let idle = idleTransfers.popLast() { return idle }
        guard let easy = curl_easy_init() else { return nil }
        let slot = freeSlots.popLast() ?? Int32(clamping: transfers.count)
        let transfer = Transfer(easy: easy, slot: slot, carrier: self)
        if Int(slot) < transfers.count { transfers[Int(slot)] = transfer } else { transfers.append(transfer) }
        do {
            try transfer.setLastingOptions()
            return transfer
        } catch {
            fail("\(error)")
            free(transfer)
            return nil
        }
    }

    private func configure(_ transfer: Transfer, for next: CarriedTransfer) throws(TransportError) {
        let owner = next.request.owner
        let group = try group(of: owner)
        if transfer.configuredGroup !== group {
            try transfer.check(CURLOPT_SHARE, podswarm_set_pointer(transfer.easy, CURLOPT_SHARE, group.share))
            transfer.configuredGroup = group
        }
        transfer.isRepeated = false
        try transfer.set(CURLOPT_FRESH_CONNECT, 0)
        try transfer.set(CURLOPT_ADDRESS_SCOPE, Int(owner.scope))
        try transfer.set(next)
    }

    /// libcurl alone can convert names beyond ASCII, so it looks them up.
    private func isForeign(_ route: Route) -> Bool { !route.place.host.utf8.allSatisfy { $0 < 0x80 } }

    /// The name that must be looked up before a connection is opened, the proxy's first; nil where none must.
    func unknownName(of route: Route) -> Route? {
        if let proxy = route.proxy {
            guard names.knows(proxy.route) else { return proxy.route }
            if proxy.looksUpNames { return nil }
        }
        return isForeign(route) || names.knows(route) ? nil : route
    }

    /// The failure of a name without an address; nil where each has one.
    func nameFailure(of route: Route) -> TransportFailure? {
        if let proxy = route.proxy {
            guard !proxy.route.addresses.isEmpty else { return .proxyUnresolved }
            if proxy.looksUpNames { return nil }
        }
        return route.addresses.isEmpty && !isForeign(route) ? .dns : nil
    }

    func resolved(_ route: Route) { pending += unresolved.take { $0.route === route }.map(\.transfer) }

    func release(_ transfer: Transfer) {
        deadlines.set(transfer.slot, .distantFuture)
        activeCount -= 1
    }

    /// Reported at the end of the turn, without what came of its answer.
    func abandon(_ transfer: Transfer, _ failure: TransportFailure) {
        stop(transfer)
        if let carried = transfer.carried { end(carried, failure, on: transfer.connection) }
        recycle(transfer)
    }

    /// Ends what libcurl has not.
    private func stop(_ transfer: Transfer) {
        readConnectionTimes(of: transfer)
        remove(transfer)
        release(transfer)
        detach(transfer)
    }

    func remove(_ transfer: Transfer) {
        guard transfer.isAdded else { return }
        transfer.isAdded = false
        transfer.request?.owner.transferSlots.removeAll { $0 == transfer.slot }
        let code = curl_multi_remove_handle(multi, transfer.easy)
        if code != CURLM_OK { fail("curl_multi_remove_handle: \(String(cString: curl_multi_strerror(code)))") }
    }

    // libcurl's own timeouts would cost each request two insertions into its timer tree. It has none for the first byte:
    // `CURLOPT_LOW_SPEED_TIME` counts whole seconds and cannot tell a silent server from a slow one.

    func requestSent(_ transfer: Transfer, at now: Instant) {
        let limits = transfer.request?.limits ?? .configured
        let end = now.later(by: limits.firstByte.nanoseconds(otherwise: firstByteTimeout))
        setDeadline(transfer, end, .firstByteTimeout)
    }

    func answerBegun(_ transfer: Transfer) { setDeadline(transfer, .distantFuture, .totalTimeout) }

    private func setDeadline(_ transfer: Transfer, _ phaseEnd: Instant, _ failure: TransportFailure) {
        transfer.timeout = phaseEnd <= transfer.latestEnd ? failure : .totalTimeout
        deadlines.set(transfer.slot, min(phaseEnd, transfer.latestEnd))
    }

    private func endOverdue() {
        guard isSweepDue else { return }
        isSweepDue = false
        for slot in deadlines.takeExpired(at: MonotonicClock.now()) {
            // A handler may have ended others.
            guard let transfer = transfers[Int(slot)], transfer.isAdded else { continue }
            stop(transfer)
            let failure = transfer.behindProxy(transfer.timeout)
            report(failure, present(transfer, at: MonotonicClock.now()), on: transfer.connection)
            recycle(transfer)
        }
        let now = MonotonicClock.now()
        let overdue = unresolved.take {
            $0.since.later(by: $0.transfer.request.limits.connect.nanoseconds(otherwise: connectTimeout)) <= now
        }
        for waiting in overdue {
            let isBehindProxy = origins.route(of: waiting.transfer.hop)?.proxy != nil
            end(waiting.transfer, isBehindProxy ? .proxyTimeout : .connectTimeout)
        }
    }

    func drainMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = podswarm_message_result(message)
            var context: UnsafeMutableRawPointer?
            guard podswarm_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK,
                let transfer = object(context, Transfer.self)
            else {
                fail("libcurl finished a handle that is not ours")
                return
            }
            finish(transfer, code)
        }
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        let doneAt = MonotonicClock.now()
        transfer.answer.take(status: transfer.number(CURLINFO_RESPONSE_CODE))
        readConnectionTimes(of: transfer)
        learnVersion(from: transfer)
        remove(transfer)
        if code != CURLE_OK, transfer.request?.owner.isFlooded == true {
            transfer.stopReason = transfer.stopReason ?? .protocolError
        }
        var failure =
            transfer.stopReason
            ?? TransportFailure(code: code, osError: transfer.osError(code), explanation: transfer.explanation)
        if failure == nil, case .failed(let reason) = transfer.answer.ended(isAnnounced: transfer.isEndAnnounced) {
            failure = reason
        }
        if failure == .reset, transfer.repeats(afterConnections: transfer.number(CURLINFO_NUM_CONNECTS)) {
            return add(transfer, at: doneAt)
        }
        failure = transfer.behindProxy(failure, code)
        let times = present(transfer, at: doneAt)
        if failure == nil, RedirectStatus(reportedAnswer.status) != nil {
            do {
                if let next = try redirection(times, on: transfer.connection) {
                    try follow(next, with: transfer, at: doneAt)
                    return clearReported()
                }
            } catch {
                failure = error
            }
        }
        release(transfer)
        report(failure, times, on: transfer.connection)
        recycle(transfer)
    }

    /// Makes the transfer the reported one.
    func present(_ transfer: Transfer, at doneAt: Instant) -> AnswerTimes {
        swap(&transfer.answer, &reportedAnswer)
        reportedTransfer = transfer.carried
        // libcurl reads the sockets, so there are no kernel stamps.
        return AnswerTimes(firstByteAt: transfer.firstByteAt, doneAt: doneAt)
    }

    /// Sends the next hop over the same handle, unless its name is unknown; a redirect is followed here, so that each hop is
    /// checked first.
    private func follow(_ next: CarriedTransfer, with transfer: Transfer, at now: Instant) throws(TransportFailure) {
        let isHeld = isHeld(next)
        guard !isHeld, let route = origins.route(of: next.hop), unknownName(of: route) == nil else {
            release(transfer)
            recycle(transfer)
            if !isHeld { start(next) }
            return
        }
        if let failure = nameFailure(of: route) { throw failure }
        do { try transfer.set(next) } catch { throw .localResources }
        transfer.carried = next
        transfer.beginHop()
        add(transfer, at: now)
    }

    func readConnectionTimes(of transfer: Transfer) {
        let connections = transfer.number(CURLINFO_NUM_CONNECTS)
        guard connections > 0 else { return }
        transfer.carried?.history.newConnections &+= Int16(clamping: connections)
        let resolved = transfer.time(CURLINFO_NAMELOOKUP_TIME_T)
        let connected = transfer.time(CURLINFO_CONNECT_TIME_T)
        let secured = transfer.time(CURLINFO_APPCONNECT_TIME_T)
        if connected > 0 { transfer.carried?.history.connectMicroseconds &+= max(1, connected &- resolved) }
        if secured > 0 { transfer.carried?.history.tlsMicroseconds &+= max(1, secured &- connected) }
    }

    private func learnVersion(from transfer: Transfer) {
        guard configuration.httpVersion != .http1, transfer.firstByteAt != .zero, let prepared = transfer.configured,
            let route = origins.route(of: prepared), route.isSecure, !route.takesHTTP1,
            transfer.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_1_1
        else { return }
        route.takesHTTP1 = true
    }

    func recycle(_ transfer: Transfer) {
        transfer.carried = nil
        transfer.answer.reset()
        if let group = transfer.configuredGroup, group.ownerCount == 0 { detach(transfer) }
        guard idleTransfers.count < Self.idleLimit else { return free(transfer) }
        idleTransfers.append(transfer)
    }

    func free(_ transfer: Transfer) {
        curl_easy_cleanup(transfer.easy)
        transfers[Int(transfer.slot)] = nil
        freeSlots.append(transfer.slot)
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
