import Recording
import Rulebook

/// Who answered: each edge with the requests that ended on connections to it.
package struct EdgeResults: Equatable, Codable, Sendable {
    /// Edges listed at most; those that answered least are in `others`.
    package static let limit = 64

    /// Those with most requests first.
    package var each: [EdgeResult]
    /// The edges that are not listed, together; nil where all are.
    package var others: [String: EdgeKindResult]?
    /// Requests that ended without a connection, so that nobody knows their edge.
    package var withoutConnection: UInt64

    /// Nil where no request ended on a connection.
    init?(_ sums: EdgeSums) {
        let known = sums.edges.filter { $0.key != .none && $0.key != .others }
        guard !known.isEmpty else { return nil }
        let sorted = known.map { ($0.key, $0.value, $0.value.values.reduce(0) { $0 &+ $1.count }) }
            .sorted { ($1.2, $0.0) < ($0.2, $1.0) }
        each = sorted.prefix(Self.limit).map { EdgeResult($0.0, $0.1) }
        var others = sums.edges[.others] ?? [:]
        for (_, kinds, _) in sorted.dropFirst(Self.limit) {
            for (kind, figures) in kinds { others[kind, default: EdgeFigures()].add(figures) }
        }
        self.others = others.isEmpty ? nil : EdgeKindResult.named(others)
        withoutConnection = (sums.edges[.none] ?? [:]).values.reduce(0) { $0 &+ $1.count }
    }
}

/// One edge: an address that answered, and the point of presence that its answers name.
package struct EdgeResult: Equatable, Codable, Sendable {
    /// With its port.
    package var address: String
    /// Nil where the answers named none.
    package var pop: String?
    package var count: UInt64
    package var errors: UInt64
    /// By kind name.
    package var requests: [String: EdgeKindResult]

    init(_ edge: Edge, _ kinds: [RequestKind: EdgeFigures]) {
        address = edge.address
        pop = edge.pop.isEmpty ? nil : edge.pop
        count = kinds.values.reduce(0) { $0 &+ $1.count }
        errors = kinds.values.reduce(0) { $0 &+ $1.errors }
        requests = EdgeKindResult.named(kinds)
    }

    /// The edge in words.
    package var name: String { pop.map { "\(address) \($0)" } ?? address }
}

/// The requests of one kind that ended on connections to an edge.
package struct EdgeKindResult: Equatable, Codable, Sendable {
    package var count: UInt64
    /// Those that count against the target.
    package var errors: UInt64
    /// Response times to 1 %, and the largest as it was; nil where none was measured.
    package var p50Microseconds: Int64?
    package var p90Microseconds: Int64?
    package var p99Microseconds: Int64?
    package var maximumMicroseconds: Int64?

    init(_ figures: EdgeFigures) {
        count = figures.count
        errors = figures.errors
        let percentiles = figures.response.microseconds(atPercentiles: [50, 90, 99])
        p50Microseconds = percentiles[0]
        p90Microseconds = percentiles[1]
        p99Microseconds = percentiles[2]
        maximumMicroseconds = figures.response.count == 0 ? nil : figures.response.maximumMicroseconds
    }

    static func named(_ kinds: [RequestKind: EdgeFigures]) -> [String: EdgeKindResult] {
        kinds.reduce(into: [:]) { $0[$1.key.name] = EdgeKindResult($1.value) }
    }
}
