import RunResult

/// What each shard of a run did, for the page.
struct ShardSection {
    struct Row {
        var index: String
        var host: String
        var viewers: String
        var requests: String
        var errors: String
        var onTime: String
        var clock: String
        var generator: String
        var limited: Bool
        var state: String
        var lost: Bool
    }

    var summary: String
    var rows: [Row]

    /// Nil for a run that was its whole plan.
    init?(_ document: ResultDocument) {
        guard let table = ShardTable(document) else { return nil }
        summary =
            "\(table.title). Each generator is judged by itself. Clock: what was added to it, by the place where the shards met."
        rows = table.marked.map { row in
            Row(
                index: row.cells[0],
                host: row.cells[1],
                viewers: row.cells[2],
                requests: row.cells[3],
                errors: row.cells[4],
                onTime: row.cells[5],
                clock: row.cells[6],
                generator: row.cells[7],
                limited: row.isLimited,
                state: row.cells[8],
                lost: row.isLost
            )
        }
    }
}
