struct SocketTable {
    struct Socket {
        /// The loop's registration, which outlives libcurl's interest: see `CurlCarrier.socketChanged`.
        var registration: Registration?
        var watched: Readiness = []
        /// The events that libcurl wants; empty while the connection is idle.
        var wanted: Readiness = []
        /// nil for sockets that libcurl made without asking, such as its resolver's.
        var owner: ConnectionOwner?
        var previousOfOwner: Int32 = -1
        var nextOfOwner: Int32 = -1
    }

    private var sockets: ContiguousArray<Socket> = []
    private(set) var ownedCount = 0

    /// The state of a descriptor; one never seen reads as closed.
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
        var socket = Socket()
        socket.owner = owner
        socket.nextOfOwner = owner.firstSocket
        if owner.firstSocket >= 0 { self[owner.firstSocket].previousOfOwner = descriptor }
        owner.firstSocket = descriptor
        self[descriptor] = socket
        ownedCount += 1
    }

    mutating func remove(_ descriptor: Int32) -> Socket {
        let socket = self[descriptor]
        if let owner = socket.owner {
            if socket.previousOfOwner >= 0 {
                self[socket.previousOfOwner].nextOfOwner = socket.nextOfOwner
            } else {
                owner.firstSocket = socket.nextOfOwner
            }
            if socket.nextOfOwner >= 0 { self[socket.nextOfOwner].previousOfOwner = socket.previousOfOwner }
            ownedCount -= 1
        }
        self[descriptor] = Socket()
        return socket
    }
}
