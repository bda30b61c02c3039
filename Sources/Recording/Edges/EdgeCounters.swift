import Rulebook

/// What each edge answered on one loop, by kind of request, in a flat array; nothing is allocated for a request.
struct EdgeCounters: Sendable {
    /// One edge and one kind.
    struct Row: Sendable {
        var count: UInt64 = 0
        var errors: UInt64 = 0
        var response = CompactHistogram()
    }

    /// By slot, then by kind.
    private var rows: [Row] = []

    private static let kinds = RequestKind.allCases.count

    /// Counts a request that an edge answered, or left without an answer.
    ///
    /// - Parameters:
    ///   - slot: The edge.
    ///   - kind: What for.
    ///   - isError: Whether it counts against the target.
    ///   - microseconds: The response time; below zero for none.
    @inline(__always)
    mutating func record(_ slot: UInt16, _ kind: RequestKind, isError: Bool, responseMicroseconds microseconds: Int64) {
        let index = Int(slot) &* Self.kinds &+ Int(kind.rawValue)
        if index >= rows.count { makeRoom(for: index) }
        rows[index].count &+= 1
        if isError { rows[index].errors &+= 1 }
        if microseconds >= 0 { rows[index].response.record(microseconds) }
    }

    @inline(never)
    private mutating func makeRoom(for index: Int) {
        let missing = (index / Self.kinds &+ 1) * Self.kinds - rows.count
        rows.append(contentsOf: repeatElement(Row(), count: missing))
    }

    /// Visits the rows that hold anything.
    func forEachRow(_ visit: (_ slot: UInt16, _ kind: RequestKind, _ row: Row) -> Void) {
        for index in rows.indices where rows[index].count > 0 {
            guard let kind = RequestKind(rawValue: UInt8(clamping: index % Self.kinds)) else { continue }
            visit(UInt16(clamping: index / Self.kinds), kind, rows[index])
        }
    }

    /// Forgets everything and keeps its memory.
    mutating func clear() {
        for index in rows.indices where rows[index].count > 0 {
            rows[index].count = 0
            rows[index].errors = 0
            rows[index].response.clear()
        }
    }
}
