import Values

/// Keyed by descriptor or slot, swept at intervals: a request sets one word, while a list or heap would touch several
/// cold lines.
///
/// Confined to its loop.
final class DeadlineTable {
    private static let chunkShift: Int32 = 10
    private static let chunkCapacity = 1 << Int(chunkShift)
    private static let chunkLimit = 1 << 12
    /// Nanoseconds; a later sweep was delayed together with the loop.
    static let ownDelay: Int64 = 250_000_000

    /// Nanoseconds; the greatest delay of a timeout.
    private(set) var interval: Int64
    private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<Instant>?>

    /// In nanoseconds.
    init(leastTimeout: Int64) {
        interval = Self.interval(for: leastTimeout)
        chunks = .allocate(capacity: Self.chunkLimit)
        chunks.initialize(repeating: nil, count: Self.chunkLimit)
    }

    private static func interval(for timeout: Int64) -> Int64 { min(max(timeout / 16, 1_000_000), 50_000_000) }

    /// Shortens the interval; in nanoseconds.
    @inline(__always)
    func notice(timeout: Int64) { interval = min(interval, Self.interval(for: timeout)) }

    deinit {
        for index in 0..<Self.chunkLimit { chunks[index]?.deallocate() }
        chunks.deallocate()
    }

    /// The distant future clears a deadline; descriptors beyond four million have none.
    @inline(__always)
    func set(_ descriptor: Int32, _ deadline: Instant) {
        let index = Int(descriptor >> Self.chunkShift)
        guard index >= 0, index < Self.chunkLimit else { return }
        let chunk = chunks[index] ?? makeChunk(index)
        chunk[Int(descriptor & Int32(Self.chunkCapacity - 1))] = deadline
    }

    func isSet(_ descriptor: Int32) -> Bool { deadline(of: descriptor) != .distantFuture }

    func deadline(of descriptor: Int32) -> Instant {
        let index = Int(descriptor >> Self.chunkShift)
        guard index >= 0, index < Self.chunkLimit, let chunk = chunks[index] else { return .distantFuture }
        return chunk[Int(descriptor & Int32(Self.chunkCapacity - 1))]
    }

    func postpone(by nanoseconds: Int64) {
        for chunkIndex in 0..<Self.chunkLimit {
            guard let chunk = chunks[chunkIndex] else { continue }
            for index in 0..<Self.chunkCapacity where chunk[index] != .distantFuture {
                chunk[index] = chunk[index].later(by: nanoseconds)
            }
        }
    }

    private func makeChunk(_ index: Int) -> UnsafeMutablePointer<Instant> {
        let chunk = UnsafeMutablePointer<Instant>.allocate(capacity: Self.chunkCapacity)
        chunk.initialize(repeating: .distantFuture, count: Self.chunkCapacity)
        chunks[index] = chunk
        return chunk
    }

    func takeExpired(at now: Instant) -> [Int32] {
        var expired: [Int32] = []
        for chunkIndex in 0..<Self.chunkLimit {
            guard let chunk = chunks[chunkIndex] else { continue }
            for index in 0..<Self.chunkCapacity where chunk[index] <= now {
                chunk[index] = .distantFuture
                expired.append(Int32(clamping: chunkIndex << Int(Self.chunkShift) + index))
            }
        }
        return expired
    }
}
