package import Rules
import Values

/// Without allocation per request.
struct EdgeCounters: Sendable {
    struct Row: Sendable {
        var count: UInt64 = 0
        var errors: UInt64 = 0
        var cacheHits: UInt64 = 0
        var cacheMisses: UInt64 = 0
        var response = CompactHistogram()
    }

    private var rows: [Row] = []

    private static let kinds = RequestKind.allCases.count

    /// A response time below zero means none.
    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample, responseMicroseconds microseconds: Int64) {
        let index = Int(sample.edgeSlot) &* Self.kinds &+ Int(sample.kind.rawValue)
        if index >= rows.count { makeRoom(for: index) }
        rows[index].count &+= 1
        if sample.outcome.isError { rows[index].errors &+= 1 }
        switch sample.cache {
        case .unsaid: break
        case .hit: rows[index].cacheHits &+= 1
        case .miss: rows[index].cacheMisses &+= 1
        }
        if microseconds >= 0 { rows[index].response.record(microseconds) }
    }

    @inline(never)
    private mutating func makeRoom(for index: Int) {
        let missing = (index / Self.kinds &+ 1) * Self.kinds - rows.count
        rows.append(contentsOf: repeatElement(Row(), count: missing))
    }

    func forEachRow(_ visit: (_ slot: UInt16, _ kind: RequestKind, _ row: Row) -> Void) {
        for index in rows.indices where rows[index].count > 0 {
            guard let kind = RequestKind(rawValue: UInt8(clamping: index % Self.kinds)) else { continue }
            visit(UInt16(clamping: index / Self.kinds), kind, rows[index])
        }
    }

    mutating func clear() {
        for index in rows.indices where rows[index].count > 0 {
            rows[index].count = 0
            rows[index].errors = 0
            rows[index].cacheHits = 0
            rows[index].cacheMisses = 0
            rows[index].response.clear()
        }
    }
}

package struct EdgeFigures: Summable, Equatable, Codable, Sendable {
    package private(set) var count: UInt64 = 0
    package private(set) var errors: UInt64 = 0
    /// Answers that say that a cache made them, and those that say that none did.
    package private(set) var cacheHits: UInt64 = 0
    package private(set) var cacheMisses: UInt64 = 0
    /// To 1 %.
    package private(set) var response = SparseHistogram(digits: .two)

    mutating func add(_ row: EdgeCounters.Row) {
        count &+= row.count
        errors &+= row.errors
        cacheHits &+= row.cacheHits
        cacheMisses &+= row.cacheMisses
        response.add(SparseHistogram(row.response))
    }

    package mutating func add(_ other: EdgeFigures) {
        count &+= other.count
        errors &+= other.errors
        cacheHits &+= other.cacheHits
        cacheMisses &+= other.cacheMisses
        response.add(other.response)
    }
}

/// The order of additions does not matter.
package struct EdgeSums: Equatable, Sendable {
    package private(set) var edges: [Edge: [RequestKind: EdgeFigures]] = [:]

    package init() {}

    package var isEmpty: Bool { edges.isEmpty }

    mutating func add(_ loop: EdgeCounters, of book: [Edge]) {
        loop.forEachRow { slot, kind, row in
            edges[EdgeBook.edge(slot, of: book), default: [:]][kind, default: EdgeFigures()].add(row)
        }
    }

    package mutating func add(_ other: EdgeSums) { edges.add(other.edges) }
}

extension EdgeSums: CodableByForm, EmptyWhereMissing {
    package struct Row: Codable {
        var edge: Edge
        var kinds: [RequestKind: EdgeFigures]
    }

    package init(form rows: [Row]) {
        for row in rows { edges[row.edge, default: [:]].merge(row.kinds) { $1 } }
    }

    package var form: [Row] { edges.sorted { $0.key < $1.key }.map { Row(edge: $0.key, kinds: $0.value) } }
}

extension EdgeFigures: CheckedWhenRead {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        count = try values.decode(UInt64.self, forKey: .count)
        errors = try values.decode(UInt64.self, forKey: .errors)
        cacheHits = try values.decodeIfPresent(UInt64.self, forKey: .cacheHits) ?? 0
        cacheMisses = try values.decodeIfPresent(UInt64.self, forKey: .cacheMisses) ?? 0
        response = try values.decodeIfPresent(SparseHistogram.self, forKey: .response) ?? response
    }

    package var problem: String? {
        count < 1 << 48 && response.digits == .two && response.count <= count && errors <= count
            && cacheHits <= count && cacheMisses <= count - cacheHits ? nil : "no edge's"
    }
}
