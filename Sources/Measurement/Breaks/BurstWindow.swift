/// Pod requests per 100 ms from 30 s before a break's start to 30 s after it.
///
/// What falls outside is counted in two overflow counters, so the size is fixed whatever happens.
package struct BurstWindow: Equatable, Sendable {
    package static let bucketMicroseconds: Int64 = 100_000
    package static let bucketsBefore = 300
    package static let bucketCount = 600

    /// Bucket `i` covers the 100 ms that begin `(i - 300) * 100` ms from the break's start.
    package private(set) var counts = [UInt32](repeating: 0, count: bucketCount)
    package private(set) var earlier: UInt64 = 0
    package private(set) var later: UInt64 = 0
    /// Offset from the break's start of the first request, in microseconds.
    package private(set) var firstOffset: Int64?
    package private(set) var lastOffset: Int64?

    package init() {}

    /// Time from the first request to the last.
    package var spreadMicroseconds: Int64? {
        guard let firstOffset, let lastOffset else { return nil }
        return lastOffset.subtractingReportingOverflow(firstOffset).partialValue
    }

    /// Counts one request.
    ///
    /// - Parameter offset: Microseconds from the break's start; negative before it.
    mutating func count(offset: Int64) {
        firstOffset = min(firstOffset ?? offset, offset)
        lastOffset = max(lastOffset ?? offset, offset)
        let floored = offset >= 0 ? offset / Self.bucketMicroseconds : (offset &+ 1) / Self.bucketMicroseconds - 1
        let bucket = floored &+ Int64(Self.bucketsBefore)
        if bucket < 0 {
            earlier &+= 1
        } else if bucket >= Int64(Self.bucketCount) {
            later &+= 1
        } else {
            counts[Int(bucket)] &+= 1
        }
    }

    mutating func add(_ other: BurstWindow) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        earlier &+= other.earlier
        later &+= other.later
        firstOffset = [firstOffset, other.firstOffset].compactMap(\.self).min()
        lastOffset = [lastOffset, other.lastOffset].compactMap(\.self).max()
    }
}
