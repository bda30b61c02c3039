/// Who answers on a connection: an address, and the point of presence that the answers on it name.
package struct Edge: Hashable, Comparable, Codable, Sendable {
    /// Stands in for every edge past the limit.
    package static let others = Edge(address: "(other edges)")
    /// Of requests that ended without a connection, whose edge nobody knows.
    package static let none = Edge(address: "")

    private static let textLimit = 128

    /// With its port, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
    package let address: String
    /// As the head of an answer spells it, such as `FRA56-P3`; empty where none is named.
    package let pop: String

    /// Keeps at most 128 characters of each text, because the names of points of presence are foreign.
    package init(address: String, pop: String = "") {
        self.address = String(address.prefix(Self.textLimit))
        self.pop = String(pop.prefix(Self.textLimit))
    }

    package static func < (lhs: Edge, rhs: Edge) -> Bool { (lhs.address, lhs.pop) < (rhs.address, rhs.pop) }
}

/// The small numbers under which a loop keeps edges.
package enum EdgeSlot {
    /// Edges that a loop keeps apart; those that it meets later are counted together.
    package static let limit = 64
    /// Of a request without a connection.
    package static let none: UInt16 = 0
    /// Of all edges past the limit.
    static let others = UInt16(limit + 1)
}
