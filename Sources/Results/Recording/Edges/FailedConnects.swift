import Values

/// Connections that an address refused, or did not accept in time, whether another address then took the request or none.
package struct FailedConnects: Equatable, Sendable {
    /// Addresses kept: the first in their order.
    package static let limit = 64

    /// Counts by address with port, such as `192.0.2.1:443`.
    package private(set) var counts: [String: UInt64] = [:]

    package init() {}

    mutating func count(_ address: String) { add([address: 1]) }

    package mutating func add(_ other: FailedConnects) { add(other.counts) }

    private mutating func add(_ other: [String: UInt64]) {
        for (address, count) in other { counts[address, default: 0] &+= count }
        while counts.count > Self.limit, let last = counts.keys.max() { counts[last] = nil }
    }
}

extension FailedConnects: CodableByForm, EmptyWhereMissing {
    package init(form counts: [String: UInt64]) { add(counts) }

    package var form: [String: UInt64] { counts }
}
