import EventLoop

/// One connection of one owner: its socket, and the request that it carries at the moment.
struct Connection {
    enum Phase: UInt8 {
        /// There is no connection at this descriptor.
        case none
        case connecting
        case handshaking
        case idle
        /// The request is not written in full.
        case sending
        /// The request is written; the answer has not come in full.
        case awaiting
    }

    var phase = Phase.none
    /// Another request was answered on this connection before: a close without an answer may be a race.
    var isReused = false
    var localPort: UInt16 = 0
    /// Bytes of the request that are written.
    var written: Int32 = 0
    /// Neighbours in the owner's list of connections, by descriptor.
    var previousOfOwner: Int32 = -1
    var nextOfOwner: Int32 = -1
    var registration: Registration?
    var interest: Readiness = []
    var tls: TLSConnection?
    var route: Route?
    var owner: ConnectionOwner?

    /// What is carried; nil while idle, and for a connection that was opened ahead of need.
    var transfer: CarriedTransfer?
    var firstByteAt: Int64 = 0
    var reader: AnswerReader
    /// Place among the route's addresses of the one that is connected to.
    var addressIndex = 0
    /// When this step of opening began.
    var openedAt: Int64 = 0

    init(reader: AnswerReader) {
        self.reader = reader
    }
}

/// A request on its way, whatever connection it is on.
struct CarriedTransfer {
    let request: TransferRequest
    /// What is asked now: the request itself, or what a redirect made of it.
    var hop: PreparedRequest
    var history = TransferHistory()
}

/// All connections, by descriptor; an entry stays at its address while the table lives.
struct ConnectionTable {
    private static let chunkShift: Int32 = 8
    private static let chunkCapacity = 1 << Int(chunkShift)

    private var chunks: ContiguousArray<UnsafeMutablePointer<Connection>> = []
    /// A reader that has read nothing, for every connection.
    let freshReader: AnswerReader
    private(set) var openCount = 0

    init(reader: AnswerReader) {
        freshReader = reader
    }

    /// The entry of a descriptor that was entered before.
    @inline(__always)
    subscript(descriptor: Int32) -> UnsafeMutablePointer<Connection> {
        chunks[Int(descriptor >> Self.chunkShift)] + Int(descriptor & Int32(Self.chunkCapacity - 1))
    }

    /// Every open connection's descriptor.
    var open: [Int32] {
        (0..<Int32(clamping: chunks.count * Self.chunkCapacity)).filter { self[$0].pointee.phase != .none }
    }

    /// Makes an entry at the head of its owner's list.
    mutating func enter(_ descriptor: Int32, owner: ConnectionOwner, route: Route) -> UnsafeMutablePointer<Connection> {
        while chunks.count * Self.chunkCapacity <= Int(descriptor) {
            let chunk = UnsafeMutablePointer<Connection>.allocate(capacity: Self.chunkCapacity)
            for place in 0..<Self.chunkCapacity { (chunk + place).initialize(to: Connection(reader: freshReader)) }
            chunks.append(chunk)
        }
        let entry = self[descriptor]
        entry.pointee.phase = .connecting
        entry.pointee.owner = owner
        entry.pointee.route = route
        entry.pointee.nextOfOwner = owner.firstConnection
        if owner.firstConnection >= 0 { self[owner.firstConnection].pointee.previousOfOwner = descriptor }
        owner.firstConnection = descriptor
        openCount += 1
        return entry
    }

    /// Empties an entry.
    mutating func remove(_ descriptor: Int32) {
        let entry = self[descriptor]
        if let owner = entry.pointee.owner {
            if entry.pointee.previousOfOwner >= 0 {
                self[entry.pointee.previousOfOwner].pointee.nextOfOwner = entry.pointee.nextOfOwner
            } else {
                owner.firstConnection = entry.pointee.nextOfOwner
            }
            if entry.pointee.nextOfOwner >= 0 {
                self[entry.pointee.nextOfOwner].pointee.previousOfOwner = entry.pointee.previousOfOwner
            }
        }
        entry.pointee = Connection(reader: freshReader)
        openCount -= 1
    }

    mutating func deallocate() {
        for chunk in chunks {
            chunk.deinitialize(count: Self.chunkCapacity)
            chunk.deallocate()
        }
        chunks.removeAll()
    }
}
