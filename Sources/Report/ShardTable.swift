import RunResult
import Thresholds

/// The shards of a run as rows of text, for whatever shows them.
struct ShardTable {
    /// Shards shown at most; the file holds the rest.
    static let limit = 100
    static let header = ["shard", "host", "viewers", "requests", "errors", "on time", "clock", "generator", "ended"]

    /// How many there are, and how many of them are all right.
    let title: String
    private let shown: [ShardResult]

    /// Nil for a run that was its whole plan.
    init?(_ document: ResultDocument) {
        guard let shards = document.shards, !shards.isEmpty else { return nil }
        let whole = shards.count { !Self.isLost($0) && !Self.isLimited($0) }
        // Those that a reader looks for come first where not all have room.
        let odd = shards.filter { Self.isLost($0) || Self.isLimited($0) }
        let rest = shards.filter { !Self.isLost($0) && !Self.isLimited($0) }
        shown = Array((odd + rest).prefix(Self.limit)).sorted { $0.index < $1.index }
        let more = shards.count > Self.limit ? "; \(Self.limit) of them are shown" : ""
        title = "Shards: \(whole) of \(shards.count) whole and within their budget\(more)"
    }

    var rows: [[String]] { shown.map { Self.row($0) } }

    /// With the marks that a page needs.
    var marked: [(cells: [String], isLimited: Bool, isLost: Bool)] {
        shown.map { (Self.row($0), Self.isLimited($0), Self.isLost($0)) }
    }

    static func isLost(_ shard: ShardResult) -> Bool { shard.state != .ended && shard.state != .aborted }
    static func isLimited(_ shard: ShardResult) -> Bool { shard.health.map { !$0.withinBudget } ?? false }

    private static func row(_ shard: ShardResult) -> [String] {
        func count(_ count: UInt64?) -> String { count.map { TextLayout.grouped($0) } ?? "-" }
        let due = shard.due ?? 0
        return [
            "\(shard.index)",
            shard.host?.name ?? "-",
            count(shard.viewers),
            count(shard.requests),
            count(shard.errors),
            due == 0 ? "-" : MetricText.percent(Double(shard.onTime ?? 0) * 100 / Double(due)),
            shard.clock.map(Self.words) ?? "-",
            shard.health.map { $0.withinBudget ? "within its budget" : "was the limit" } ?? "-",
            words(shard.state),
        ]
    }

    /// What was added to its clock, and how sure that is.
    private static func words(_ clock: ShardClock) -> String {
        let offset = clock.start.offsetMicroseconds
        let bound =
            clock.boundMicroseconds.map { "±" + MetricText.time(microseconds: Double($0)) } ?? "unknown at the end"
        return (offset < 0 ? "" : "+") + MetricText.time(microseconds: Double(offset)) + " " + bound
    }

    private static func words(_ state: ShardResult.State) -> String {
        switch state {
        case .ended: "by itself"
        case .interrupted: "interrupted"
        case .aborted: "aborted"
        case .cutOff: "cut off"
        case .missing: "left nothing"
        }
    }
}

extension TextSummary {
    /// What each shard did; nothing for a run that was its whole plan.
    func shards() -> [String] {
        guard let shards = ShardTable(document) else { return [] }
        let table = TextTable(header: ShardTable.header, rows: shards.rows)
        return [style.inked(TextLayout.cut(shards.title, to: width), .bold)] + table.lines(width: width)
    }
}
