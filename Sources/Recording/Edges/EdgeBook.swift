struct EdgeBook: Sendable {
    /// Index plus 1 is the slot.
    private(set) var edges: [Edge] = []
    private var slots: [Edge: UInt16] = [:]

    /// Slot of an edge; past the limit, that of all others.
    mutating func slot(of edge: Edge) -> UInt16 {
        if let known = slots[edge] { return known }
        guard edges.count < EdgeSlot.limit else { return EdgeSlot.others }
        edges.append(edge)
        let slot = UInt16(clamping: edges.count)
        slots[edge] = slot
        return slot
    }

    static func edge(_ slot: UInt16, of edges: [Edge]) -> Edge {
        switch Int(slot) {
        case 0: .none
        case 1...max(1, edges.count) where !edges.isEmpty: edges[Int(slot) - 1]
        default: .others
        }
    }
}
