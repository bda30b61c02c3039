import Values

/// Bytes in memory that grows, and is allocated with the first of them.
struct BodyBuffer {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private(set) var count = 0
    private var taken = 0

    static let initialCapacity = 4096

    init() {}

    var capacity: Int { memory.count }

    /// Valid until the buffer's next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        extend(by: bytes.count)?.copyMemory(from: start, byteCount: bytes.count)
    }

    /// The caller writes the added bytes at the returned place.
    @inline(__always)
    mutating func extend(by length: Int) -> UnsafeMutableRawPointer? {
        let end = count
        if end + length > memory.count { grow(to: end + length) }
        count = end + length
        return memory.baseAddress.map { $0 + end }
    }

    private mutating func grow(to needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity(for: needed), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }

    /// False where the budget has no room and the bytes are not `needed`; then nothing is appended.
    mutating func append(_ bytes: UnsafeRawBufferPointer, within budget: BodyBudget, needed: Bool = false) -> Bool {
        let capacity = capacity(for: count + bytes.count)
        if capacity > taken {
            if needed { budget.hold(capacity - taken) } else if !budget.take(capacity - taken) { return false }
            taken = capacity
        }
        append(bytes)
        return true
    }

    /// Gives bytes back to the budget once the body has been read.
    mutating func settle(with budget: BodyBudget) {
        guard taken > 0 else { return }
        budget.giveBack(taken)
        taken = 0
    }

    private func capacity(for needed: Int) -> Int {
        needed <= memory.count ? memory.count : max(needed, 2 * memory.count, Self.initialCapacity)
    }

    mutating func removeAll() { count = 0 }

    func deallocate() { memory.deallocate() }
}
