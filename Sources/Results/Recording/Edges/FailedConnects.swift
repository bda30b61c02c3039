import Values

/// Refused or timed out, whether or not another address took the request.
package struct FailedConnects: Equatable, Codable, Sendable {
    /// The first in their order are kept.
    package static let limit = 64

    /// Keyed by address with port.
    package private(set) var counts: [String: UInt64] = [:]

    package init() {}

    mutating func count(_ address: String) { add([address: 1]) }

    package mutating func add(_ other: FailedConnects) { add(other.counts) }

    private mutating func add(_ other: [String: UInt64]) {
        for (address, count) in other { counts[address, default: 0] &+= count }
        while counts.count > Self.limit, let last = counts.keys.max() { counts[last] = nil }
    }
}

extension FailedConnects: EmptyWhereMissing, CheckedWhenRead {
    package var problem: String? { counts.count <= Self.limit ? nil : "\(counts.count) addresses" }
}
