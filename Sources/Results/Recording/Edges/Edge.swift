/// Address of a server, and the point of presence named in its answers.
package struct Edge: Hashable, Comparable, Codable, Sendable {
    package static let others = Edge(address: "(other edges)")
    /// Edge of requests that ended without a connection.
    package static let none = Edge(address: "")

    private static let textLimit = 128

    /// With port, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
    package let address: String
    /// As in the answer's header, such as `FRA56-P3`; empty if unnamed.
    package let pop: String

    /// Cuts texts, because names of points of presence are foreign.
    package init(address: String, pop: String = "") {
        self.address = String(address.prefix(Self.textLimit))
        self.pop = String(pop.prefix(Self.textLimit))
    }

    package static func < (lhs: Edge, rhs: Edge) -> Bool { (lhs.address, lhs.pop) < (rhs.address, rhs.pop) }
}

package enum EdgeSlot {
    /// Later edges are counted together.
    package static let limit = 64
    package static let none: UInt16 = 0
    static let others = UInt16(limit + 1)
}

struct EdgeBook: Sendable {
    /// Index plus 1 is the slot.
    private(set) var edges: [Edge] = []
    private var slots: [Edge: UInt16] = [:]

    mutating func slot(of edge: Edge) -> UInt16 {
        if let known = slots[edge] { return known }
        guard edges.count < EdgeSlot.limit else { return EdgeSlot.others }
        edges.append(edge)
        let slot = UInt16(clamping: edges.count)
        slots[edge] = slot
        return slot
    }

    static func edge(_ slot: Int, of edges: [Edge]) -> Edge {
        if slot == Int(EdgeSlot.none) { return .none }
        return edges.indices.contains(slot - 1) ? edges[slot - 1] : .others
    }
}
