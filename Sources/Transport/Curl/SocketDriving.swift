import CCurl
import Glibc
import Values

extension CurlCarrier {
    /// -1 on failure.
    func openSocket(for transfer: Transfer, _ address: curl_sockaddr) -> Int32 {
        loop.assertOnLoop()
        guard let owner = transfer.request?.owner else { return -1 }
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, address.protocol)
        guard descriptor >= 0 else {
            transfer.socketErrno = errno
            return -1
        }
        let source = Int(owner.sourceAddressIndex)
        if source >= 0, !sourceAddresses[source].bind(descriptor, family: address.family) {
            transfer.socketErrno = errno
            Glibc.close(descriptor)
            return -1
        }
        sockets.insert(descriptor, owner: owner)
        owner.connectionsOpened += 1
        return descriptor
    }

    func closeSocket(_ descriptor: Int32) -> Int32 {
        loop.assertOnLoop()
        let socket = sockets.remove(descriptor)
        if let registration = socket.registration { loop.deregister(registration) }
        return Glibc.close(descriptor)
    }

    /// Updates the events that libcurl wants of a socket.
    ///
    /// An owner's idle socket stays registered, because the next poll wants the same events: that saves two system calls a
    /// request. The registration ends if the server closes it or sends something unasked.
    func socketChanged(_ descriptor: Int32, _ what: Int32) {
        loop.assertOnLoop()
        var socket = sockets[descriptor]
        switch what {
        case CURL_POLL_IN: socket.wanted = .readable
        case CURL_POLL_OUT: socket.wanted = .writable
        case CURL_POLL_INOUT: socket.wanted = [.readable, .writable]
        default:
            sockets[descriptor].wanted = []
            if socket.owner == nil { stopWatching(descriptor) }
            return
        }
        do {
            if let registration = socket.registration {
                if socket.watched != socket.wanted { try loop.update(registration, interest: socket.wanted) }
            } else {
                socket.registration = try loop.register(descriptor: descriptor, interest: socket.wanted, handler: self)
            }
            socket.watched = socket.wanted
        } catch {
            fail("cannot watch a socket: \(error)")
        }
        sockets[descriptor] = socket
    }

    func stopWatching(_ descriptor: Int32) {
        guard let registration = sockets[descriptor].registration else { return }
        loop.deregister(registration)
        sockets[descriptor].registration = nil
        sockets[descriptor].watched = []
    }

    /// When libcurl wants to be called; negative for never.
    func timerChanged(_ milliseconds: Int) {
        loop.assertOnLoop()
        switch milliseconds {
        case ..<0: libraryDeadline = .distantFuture
        case 0: needsDrive = true
        default:
            let delay = Int64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
            libraryDeadline = delay.overflow ? .distantFuture : MonotonicClock.now() &+ delay.partialValue
            armLibraryTimer()
        }
    }

    /// No later than libcurl's; a needless early timer is cheaper than moving it each time.
    func armLibraryTimer() {
        guard libraryDeadline < armedLibraryDeadline else { return }
        loop.cancel(libraryTimer)
        libraryTimer = loop.schedule(at: libraryDeadline, token: TimerToken.library, handler: self)
        armedLibraryDeadline = libraryDeadline
    }
}

extension CurlCarrier: ReadinessHandler {
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        guard !sockets[descriptor].wanted.isEmpty else { return stopWatching(descriptor) }
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

enum TimerToken {
    static let library: UInt64 = 1
    static let sweep: UInt64 = 2
}

struct SocketTable {
    struct Socket {
        /// Outlives libcurl's interest: see `CurlCarrier.socketChanged`.
        var registration: Registration?
        var watched: Readiness = []
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

    mutating func insert(_ descriptor: Int32, owner: ConnectionOwner) {
        self[descriptor] = Socket(owner: owner)
        owner.sockets.insert(descriptor, at: 0)
    }

    mutating func remove(_ descriptor: Int32) -> Socket {
        let socket = self[descriptor]
        socket.owner?.sockets.removeAll { $0 == descriptor }
        self[descriptor] = Socket()
        return socket
    }
}
