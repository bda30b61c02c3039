/// A growing stretch of memory that takes one body after the other.
struct BodyBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    static let initialCapacity = 4096

    init() {
        memory = .allocate(byteCount: Self.initialCapacity, alignment: 16)
    }

    var capacity: Int { memory.count }

    /// Valid until the next change of the buffer.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = count + bytes.count
        if needed > memory.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(needed, 2 * memory.count),
                alignment: 16
            )
            larger.copyMemory(from: self.bytes)
            memory.deallocate()
            memory = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count = needed
    }

    mutating func removeAll() {
        count = 0
    }

    func deallocate() {
        memory.deallocate()
    }
}

/// The body buffers that no transfer is using, the most recently used (and so the warmest) first.
struct BodyBufferPool {
    /// What is kept for reuse: one batch of bodies; a burst's surplus goes back to the allocator.
    private static let maximumCount = 64
    private static let maximumCapacity = 256 << 10

    private var idle: ContiguousArray<BodyBuffer> = []

    mutating func take() -> BodyBuffer {
        idle.popLast() ?? BodyBuffer()
    }

    mutating func giveBack(_ buffer: BodyBuffer) {
        guard idle.count < Self.maximumCount, buffer.capacity <= Self.maximumCapacity else {
            buffer.deallocate()
            return
        }
        var buffer = buffer
        buffer.removeAll()
        idle.append(buffer)
    }

    mutating func removeAll() {
        for buffer in idle { buffer.deallocate() }
        idle.removeAll()
    }
}
