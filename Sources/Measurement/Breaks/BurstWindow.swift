/// What happened per 100 ms from 30 s before a break's start to 30 s after it.
///
/// What falls outside is counted in two overflow counters, so the size is bounded whatever happens; steps are kept from
/// the first used one to the last.
package struct BurstWindow: Equatable, Sendable {
    package static let bucketMicroseconds: Int64 = 100_000
    package static let bucketsBefore = 300
    package static let bucketCount = 600

    /// The first step that is kept, and the steps from there.
    private var firstKept = 0
    private var kept: [UInt32] = []
    package private(set) var earlier: UInt64 = 0
    package private(set) var later: UInt64 = 0
    /// Offset from the break's start of the first event, in microseconds.
    package private(set) var firstOffset: Int64?
    package private(set) var lastOffset: Int64?

    package init() {}

    /// Step `i` covers the 100 ms that begin `(i - 300) * 100` ms from the break's start.
    package var counts: [UInt32] {
        var counts = [UInt32](repeating: 0, count: Self.bucketCount)
        for (place, count) in kept.enumerated() { counts[firstKept + place] = count }
        return counts
    }

    /// Time from the first event to the last.
    package var spreadMicroseconds: Int64? {
        guard let firstOffset, let lastOffset else { return nil }
        return lastOffset.subtractingReportingOverflow(firstOffset).partialValue
    }

    /// Counts one event.
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
            makeRoom(for: Int(bucket)...Int(bucket))
            kept[Int(bucket) - firstKept] &+= 1
        }
    }

    mutating func add(_ other: BurstWindow) {
        if !other.kept.isEmpty {
            makeRoom(for: other.firstKept...other.firstKept + other.kept.count - 1)
            for (place, count) in other.kept.enumerated() { kept[other.firstKept + place - firstKept] &+= count }
        }
        earlier &+= other.earlier
        later &+= other.later
        firstOffset = [firstOffset, other.firstOffset].compactMap(\.self).min()
        lastOffset = [lastOffset, other.lastOffset].compactMap(\.self).max()
    }

    private mutating func makeRoom(for steps: ClosedRange<Int>) {
        if kept.isEmpty {
            firstKept = steps.lowerBound
        } else if steps.lowerBound < firstKept {
            kept.insert(contentsOf: repeatElement(0, count: firstKept - steps.lowerBound), at: 0)
            firstKept = steps.lowerBound
        }
        let missing = steps.upperBound + 1 - firstKept - kept.count
        if missing > 0 { kept.append(contentsOf: repeatElement(0, count: missing)) }
    }
}

extension BurstWindow: Codable {
    private enum CodingKeys: String, CodingKey {
        case firstKept = "at"
        case kept = "n"
        case earlier = "before"
        case later = "after"
        case firstOffset = "first"
        case lastOffset = "last"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        firstKept = try values.decodeIfPresent(Int.self, forKey: .firstKept) ?? 0
        kept = try values.decodeIfPresent([UInt32].self, forKey: .kept) ?? []
        guard firstKept >= 0, firstKept <= Self.bucketCount, kept.count <= Self.bucketCount - firstKept else {
            throw DecodingError.dataCorruptedError(forKey: .kept, in: values, debugDescription: "outside the window")
        }
        earlier = try values.decodeIfPresent(UInt64.self, forKey: .earlier) ?? 0
        later = try values.decodeIfPresent(UInt64.self, forKey: .later) ?? 0
        firstOffset = try values.decodeIfPresent(Int64.self, forKey: .firstOffset)
        lastOffset = try values.decodeIfPresent(Int64.self, forKey: .lastOffset)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if !kept.isEmpty {
            try values.encode(firstKept, forKey: .firstKept)
            try values.encode(kept, forKey: .kept)
        }
        if earlier > 0 { try values.encode(earlier, forKey: .earlier) }
        if later > 0 { try values.encode(later, forKey: .later) }
        try values.encodeIfPresent(firstOffset, forKey: .firstOffset)
        try values.encodeIfPresent(lastOffset, forKey: .lastOffset)
    }
}
