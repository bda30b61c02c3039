import Recording
import Rules

/// Requests by the edge whose connection they ended on.
package struct EdgeResults: Equatable, Codable, Sendable {
    /// Maximum of listed edges; those with fewest answers are in `others`.
    package static let limit = 64

    /// Most requests first.
    package var each: [EdgeResult]
    /// Sum of the edges not listed; nil if all are listed.
    package var others: [String: EdgeKindResult]?
    /// Requests that ended without a connection, whose edge is unknown.
    package var withoutConnection: UInt64

    /// Nil if no request ended on a connection.
    init?(_ sums: EdgeSums) {
        let known = sums.edges.filter { $0.key != .none && $0.key != .others }
        guard !known.isEmpty else { return nil }
        let sorted = known.map { ($0.key, $0.value, $0.value.values.reduce(0) { $0 &+ $1.count }) }
            .sorted { ($1.2, $0.0) < ($0.2, $1.0) }
        each = sorted.prefix(Self.limit).map { EdgeResult($0.0, $0.1) }
        var others = sums.edges[.others] ?? [:]
        for (_, kinds, _) in sorted.dropFirst(Self.limit) { others.add(kinds) }
        self.others = others.isEmpty ? nil : EdgeKindResult.named(others)
        withoutConnection = (sums.edges[.none] ?? [:]).values.reduce(0) { $0 &+ $1.count }
    }
}

/// One edge: an address and the point of presence named in its answers.
package struct EdgeResult: Equatable, Codable, Sendable {
    /// With port.
    package var address: String
    /// Nil if the answers named none.
    package var pop: String?
    package var count: UInt64
    package var errors: UInt64
    /// Keyed by kind name.
    package var requests: [String: EdgeKindResult]

    init(_ edge: Edge, _ kinds: [RequestKind: EdgeFigures]) {
        address = edge.address
        pop = edge.pop.isEmpty ? nil : edge.pop
        count = kinds.values.reduce(0) { $0 &+ $1.count }
        errors = kinds.values.reduce(0) { $0 &+ $1.errors }
        requests = EdgeKindResult.named(kinds)
    }

    package var name: String { pop.map { "\(address) \($0)" } ?? address }
}

package struct EdgeKindResult: Equatable, Codable, Sendable {
    package var count: UInt64
    package var errors: UInt64
    /// Response times: percentiles to 1 %, the maximum exact; nil if none was measured.
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
