import Rules

/// Requests of one loop by edge and kind, in a flat array without allocation per request.
struct EdgeCounters: Sendable {
    struct Row: Sendable {
        var count: UInt64 = 0
        var errors: UInt64 = 0
        var response = CompactHistogram()
    }

    private var rows: [Row] = []

    private static let kinds = RequestKind.allCases.count

    /// Counts a finished request of an edge; a response time below zero means none.
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

    func forEachRow(_ visit: (_ slot: UInt16, _ kind: RequestKind, _ row: Row) -> Void) {
        for index in rows.indices where rows[index].count > 0 {
            guard let kind = RequestKind(rawValue: UInt8(clamping: index % Self.kinds)) else { continue }
            visit(UInt16(clamping: index / Self.kinds), kind, rows[index])
        }
    }

    /// Resets the counters and keeps the memory.
    mutating func clear() {
        for index in rows.indices where rows[index].count > 0 {
            rows[index].count = 0
            rows[index].errors = 0
            rows[index].response.clear()
        }
    }
}
