import Rules
import Values

/// Requests of an edge, or of viewers with one value.
package struct Answers<Durations: BucketedDurations>: Equatable, Sendable, CheckedWhenRead {
    package private(set) var count: UInt64 = 0
    package private(set) var errors: UInt64 = 0
    /// Answers marked as made by a cache, and those marked as not.
    package private(set) var cacheHits: UInt64 = 0
    package private(set) var cacheMisses: UInt64 = 0
    package private(set) var response = Durations(digits: .two)

    package var problem: String? {
        count < 1 << 48 && response.digits == .two && response.count <= count && errors <= count
            && cacheHits <= count && cacheMisses <= count - cacheHits ? nil : "no edge's"
    }

    /// A response time below zero means none.
    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample, responseMicroseconds microseconds: Int64) {
        count &+= 1
        if sample.outcome.isError { errors &+= 1 }
        switch sample.cache {
        case .unsaid: break
        case .hit: cacheHits &+= 1
        case .miss: cacheMisses &+= 1
        }
        if microseconds >= 0 { response.record(microseconds) }
    }
}

package typealias AnswerTally = Answers<DenseHistogram>
package typealias AnswerFigures = Answers<SparseHistogram>

extension AnswerFigures: Summable {
    package mutating func add(_ other: Answers<some BucketedDurations>) {
        count &+= other.count
        errors &+= other.errors
        cacheHits &+= other.cacheHits
        cacheMisses &+= other.cacheMisses
        response.add(other.response)
    }
}

extension AnswerTally {
    mutating func clear() {
        (count, errors, cacheHits, cacheMisses) = (0, 0, 0, 0)
        response.clear()
    }
}

extension Answers: Encodable where Durations: Encodable {}
extension Answers: Decodable where Durations: Decodable {}

/// Requests by kind and slot of an edge or number of a value, without allocation per request.
struct AnswerCounters: Sendable {
    private var rows: [AnswerTally] = []

    private static let kinds = RequestKind.allCases.count

    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample, at slot: Int, responseMicroseconds microseconds: Int64) {
        let index = slot &* Self.kinds &+ Int(sample.kind.rawValue)
        if index >= rows.count { makeRoom(for: index) }
        rows[index].record(sample, responseMicroseconds: microseconds)
    }

    @inline(never)
    private mutating func makeRoom(for index: Int) {
        let missing = (index / Self.kinds &+ 1) * Self.kinds - rows.count
        rows.append(contentsOf: repeatElement(AnswerTally(), count: missing))
    }

    func forEachRow(_ visit: (_ slot: Int, _ kind: RequestKind, _ row: AnswerTally) -> Void) {
        for index in rows.indices where rows[index].count > 0 {
            guard let kind = RequestKind(rawValue: UInt8(clamping: index % Self.kinds)) else { continue }
            visit(index / Self.kinds, kind, rows[index])
        }
    }

    mutating func clear() { for index in rows.indices where rows[index].count > 0 { rows[index].clear() } }
}

extension Dictionary where Value == [RequestKind: AnswerFigures] {
    mutating func add(_ loop: AnswerCounters, by key: (_ slot: Int) -> Key) {
        loop.forEachRow { self[key($0), default: [:]][$1, default: AnswerFigures()].add($2) }
    }
}
