/// All connections, by descriptor; an entry stays at its address while the table lives.
///
/// Confined to its loop. The chunks hang on constants, so that reaching an entry is two loads and no check of access.
final class ConnectionTable {
    private typealias Chunk = UnsafeMutablePointer<Connection>

    private static let chunkShift: Int32 = 8
    private static let chunkCapacity = 1 << Int(chunkShift)
    private static let cacheLine = 64
    /// Room for four million descriptors, more than a kernel gives to a process by default.
    private static let chunkLimit = 1 << 14

    private let chunks: UnsafeMutablePointer<Chunk?>
    private var chunkCount = 0
    let freshReader: AnswerReader
    private(set) var openCount = 0

    init(reader: AnswerReader) {
        freshReader = reader
        chunks = .allocate(capacity: Self.chunkLimit)
        chunks.initialize(repeating: nil, count: Self.chunkLimit)
    }

    deinit {
        for index in 0..<chunkCount {
            chunks[index]?.deinitialize(count: Self.chunkCapacity)
            chunks[index]?.deallocate()
        }
        chunks.deallocate()
    }

    /// The entry of a descriptor that was added before; stops the process for any other.
    @inline(__always)
    subscript(descriptor: Int32) -> UnsafeMutablePointer<Connection> {
        guard let chunk = chunks[Int(descriptor >> Self.chunkShift)] else {
            preconditionFailure("no connection was ever at this descriptor")
        }
        return chunk + Int(descriptor & Int32(Self.chunkCapacity - 1))
    }

    var open: [Int32] {
        (0..<Int32(clamping: chunkCount * Self.chunkCapacity)).filter { self[$0].pointee.phase != .none }
    }

    @inline(__always)
    func first(
        of owner: ConnectionOwner,
        to route: Route,
        where isMeant: (UnsafeMutablePointer<Connection>) -> Bool
    ) -> Int32? {
        var descriptor = owner.firstConnection
        while descriptor >= 0 {
            let connection = self[descriptor]
            if isMeant(connection), connection.pointee.route === route { return descriptor }
            descriptor = connection.pointee.nextOfOwner
        }
        return nil
    }

    func descriptors(of owner: ConnectionOwner) -> [Int32] {
        var descriptors: [Int32] = []
        var descriptor = owner.firstConnection
        while descriptor >= 0 {
            descriptors.append(descriptor)
            descriptor = self[descriptor].pointee.nextOfOwner
        }
        return descriptors
    }

    /// Adds an entry at the head of its owner's list; nil for a descriptor beyond the table.
    func enter(_ descriptor: Int32, owner: ConnectionOwner, route: Route) -> UnsafeMutablePointer<Connection>? {
        let needed = Int(descriptor >> Self.chunkShift) + 1
        guard needed <= Self.chunkLimit else { return nil }
        while chunkCount < needed {
            let size = Self.chunkCapacity * MemoryLayout<Connection>.stride
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.cacheLine)
                .bindMemory(to: Connection.self, capacity: Self.chunkCapacity)
            for index in 0..<Self.chunkCapacity { (chunk + index).initialize(to: Connection(reader: freshReader)) }
            chunks[chunkCount] = chunk
            chunkCount += 1
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

    func remove(_ descriptor: Int32) {
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
}
