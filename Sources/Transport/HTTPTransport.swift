import CCurl
package import EventLoop
import Glibc

/// HTTP transfers over libcurl's multi interface on one event loop; every owner keeps connections of its own.
///
/// Confined to its loop: all members, the initialiser included, are called there. libcurl is driven from readiness
/// events, timers and the end of a turn only, never from within `start`, so a caller may start, close and cancel
/// wherever it is. It must be shut down before it is let go, and before its loop is.
package final class HTTPTransport {
    package let configuration: TransportConfiguration
    /// Told how each transfer ended.
    package var handler: (any TransferHandler)?
    /// Told when libcurl itself failed.
    package weak var delegate: (any TransportDelegate)?

    let loop: EventLoop
    let multi: UnsafeMutableRawPointer
    var sockets = SocketTable()
    var bodyBuffers = BodyBufferPool()

    // Transfers
    var transfers: ContiguousArray<Transfer?> = []
    var freeSlots: ContiguousArray<Int32> = []
    var idleTransfers: ContiguousArray<Transfer> = []
    var activeCount = 0
    var pending: ContiguousArray<TransferRequest> = []
    var pendingHead = 0
    var batchDepth = 0
    /// Ended without libcurl's word, to be told at the end of the turn.
    var ended: ContiguousArray<(transfer: Transfer, failure: TransferFailure)> = []
    var endedBeforeStart: ContiguousArray<(request: TransferRequest, failure: TransferFailure)> = []

    // Deadlines
    var connecting: DeadlineQueue
    var awaitingFirstByte: DeadlineQueue
    var whole: DeadlineQueue
    var deadlineTimer = TimerID.none
    var armedDeadline = Int64.max
    var libraryTimer = TimerID.none
    var libraryDeadline = Int64.max
    var armedLibraryDeadline = Int64.max
    /// libcurl asked to be called at once.
    var needsDrive = false

    // Owners
    var groupsWithRoom: ContiguousArray<ConnectionGroup> = []
    var groups: [ObjectIdentifier: ConnectionGroup] = [:]
    private var nextScope: UInt32 = 1

    // End
    var harnessFailure: String?
    var hasReportedFailure = false
    var shutdownWaiters: [() -> Void] = []
    var state = State.running

    enum State {
        case running
        case shuttingDown
        case closed
    }

    let sourceAddresses: [SourceAddress]
    private let resolve: UnsafeMutablePointer<curl_slist>?
    let handleOptions: EasyHandleOptions

    /// Handles added to libcurl before it is driven: more go cold before they are worked on.
    static let batchLimit = 64
    /// Idle handles kept for reuse; a burst's surplus is freed.
    static let idleLimit = 512

    /// libcurl's global state, made once in the process.
    private static let globalInitialisation: CURLcode = {
        // Writing to a connection that the peer closed is an error code here, never a signal.
        signal(SIGPIPE, SIG_IGN)
        return podswarm_global_init()
    }()

    /// Called on the loop; `expectedOwners` sizes tables and is no limit.
    package init(loop: EventLoop, configuration: TransportConfiguration, expectedOwners: Int) throws(TransportError) {
        loop.assertOnLoop()
        for file in [configuration.caFile, configuration.clientCertificateFile, configuration.clientKeyFile] {
            if let file, access(file, R_OK) != 0 { throw .unreadableFile(file) }
        }
        var addresses: [SourceAddress] = []
        for text in configuration.sourceAddresses { addresses.append(try SourceAddress(text)) }
        guard Self.globalInitialisation == CURLE_OK, let multi = curl_multi_init() else {
            throw .library(call: "curl_multi_init", message: "initialisation failed")
        }
        self.loop = loop
        self.configuration = configuration
        self.multi = multi
        self.sourceAddresses = addresses
        self.connecting = DeadlineQueue(timeout: configuration.connectTimeout.clampedNanoseconds)
        self.awaitingFirstByte = DeadlineQueue(timeout: configuration.firstByteTimeout.clampedNanoseconds)
        self.whole = DeadlineQueue(timeout: configuration.totalTimeout.clampedNanoseconds)
        self.resolve = configuration.resolveOverrides.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
        self.handleOptions = EasyHandleOptions(configuration, resolve: resolve)
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Unset, libcurl would close idle connections beyond four for each transfer in flight.
        let connections = max(1, min(expectedOwners, 1 << 20)) * 16
        let codes = [
            podswarm_multi_set_socket_function(multi, socketCallback),
            podswarm_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            podswarm_multi_set_timer_function(multi, timerCallback),
            podswarm_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            podswarm_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections),
        ]
        if let code = codes.first(where: { $0 != CURLM_OK }) {
            curl_multi_cleanup(multi)
            state = .closed
            throw .library(call: "curl_multi_setopt", message: String(cString: curl_multi_strerror(code)))
        }
        // The loop keeps the transport alive until it is shut down: libcurl's callbacks point at it.
        loop.addTurnHandler(self)
    }

    deinit {
        curl_slist_free_all(resolve)
        assert(state == .closed, "a transport must be shut down before it is let go")
    }

    /// Transfers started whose end has not been told yet.
    package var inFlight: Int {
        activeCount + pending.count - pendingHead + ended.count + endedBeforeStart.count
    }

    /// Connections open at the moment, idle ones included.
    package var openConnections: Int { sockets.ownedCount }
}

// MARK: - Owners

extension HTTPTransport {
    /// Makes an owner, with connections from the given source address (taken round the list), or from the kernel's.
    package func makeOwner(sourceAddressIndex: Int? = nil) throws(TransportError) -> ConnectionOwner {
        loop.assertOnLoop()
        let group: ConnectionGroup
        if let roomy = groupsWithRoom.last {
            group = roomy
        } else {
            group = try ConnectionGroup()
            groups[ObjectIdentifier(group)] = group
            groupsWithRoom.append(group)
        }
        group.ownerCount += 1
        if group.ownerCount == ConnectionGroup.capacity { groupsWithRoom.removeLast() }
        var source: Int?
        if let index = sourceAddressIndex, !sourceAddresses.isEmpty {
            source = Int(index.magnitude % UInt(sourceAddresses.count))
        }
        defer {
            // Four billion owners later a number may come again: nothing of its first bearer is left by then.
            nextScope = nextScope == .max ? 1 : nextScope + 1
        }
        return ConnectionOwner(scope: nextScope, group: group, sourceAddressIndex: source)
    }

    /// Ends an owner: the server sees each of its connections close, and its transfers end as abandoned.
    ///
    /// Calling it again does nothing.
    package func close(_ owner: ConnectionOwner) {
        loop.assertOnLoop()
        guard !owner.isClosed else { return }
        owner.isClosed = true
        guard state != .closed else { return }
        while owner.firstTransfer >= 0, let transfer = transfers[Int(owner.firstTransfer)] {
            stop(transfer, .abandoned)
        }
        var descriptor = owner.firstSocket
        while descriptor >= 0 {
            // libcurl has no call to close an idle connection: it closes this one when it next looks at the cache.
            stopWatching(descriptor)
            Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
            descriptor = sockets[descriptor].nextOfOwner
        }
        let group = owner.group
        group.ownerCount -= 1
        if group.ownerCount == 0 {
            groupsWithRoom.removeAll { $0 === group }
            dissolve(group)
        } else if group.ownerCount == ConnectionGroup.capacity - 1 {
            groupsWithRoom.append(group)
        }
    }

    /// Closes what is left in the cache of a group without owners.
    private func dissolve(_ group: ConnectionGroup) {
        for case let transfer? in transfers where transfer.configuredGroup === group { detach(transfer) }
        groups[ObjectIdentifier(group)] = nil
        if !group.cleanUp() { fail("a connection cache is still in use after its last owner left") }
    }

    /// Takes a handle out of its owners' cache.
    func detach(_ transfer: Transfer) {
        guard transfer.configuredGroup != nil else { return }
        _ = podswarm_set_pointer(transfer.easy, CURLOPT_SHARE, nil)
        transfer.configuredGroup = nil
    }
}

// MARK: - Requests

extension HTTPTransport {
    /// Starts a transfer at the end of the present turn; its handler is called once.
    ///
    /// After `shutDown` nothing is started and nobody is told.
    package func start(_ request: TransferRequest) {
        loop.assertOnLoop()
        guard state == .running else { return }
        pending.append(request)
    }

    /// Holds back what is started until `endBatch`, so that a burst begins at one instant; batches may nest.
    package func beginBatch() {
        loop.assertOnLoop()
        batchDepth += 1
    }

    /// Lets a held batch go: it is sent in steps that keep each handle warm, without waiting between them.
    package func endBatch() {
        loop.assertOnLoop()
        batchDepth = max(0, batchDepth - 1)
    }

    /// Ends every transfer as abandoned; the handler is told at the end of the present turn.
    package func cancelAll() {
        loop.assertOnLoop()
        stopAll(.abandoned)
    }

    /// Ends every transfer as abandoned, tells so, closes all connections and calls `done` on the loop.
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
        stopAll(.abandoned)
    }

    private func stopAll(_ failure: TransferFailure) {
        for case let transfer? in transfers where transfer.isAdded { stop(transfer, failure) }
        while pendingHead < pending.count {
            endedBeforeStart.append((pending[pendingHead], failure))
            pendingHead += 1
        }
        pending.removeAll(keepingCapacity: true)
        pendingHead = 0
    }

    /// Notes that libcurl is unusable; told at the end of the turn.
    func fail(_ reason: String) {
        if harnessFailure == nil { harnessFailure = reason }
    }

    /// Tells of a failed library once and ends what it carried.
    func reportFailure() {
        guard let reason = harnessFailure else { return }
        stopAll(.other)
        guard !hasReportedFailure else { return }
        hasReportedFailure = true
        delegate?.transportFailed(reason)
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to what an `Int64` holds; never negative.
    fileprivate var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? 0 : .max }
        let (sum, sumOverflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? .max : max(0, sum)
    }
}
