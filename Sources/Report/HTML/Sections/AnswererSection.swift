import Rulebook
import RunResult
import Thresholds

/// Who answered: each edge, and for the kinds of request that several edges answered how fast each was.
struct EdgeSection {
    struct Cell {
        var p50: String
        var p99: String
        var longest: String
    }

    struct Row {
        var name: String
        var pop: String
        var count: String
        var errors: String
        var hasErrors: Bool
        var cells: [Cell]
    }

    var rows: [Row]
    var kinds: [String]
    var notes: [String]

    /// Kinds beside each other on a page.
    private static let kindLimit = 4

    /// Nil where nothing is known of who answered.
    init?(_ document: ResultDocument) {
        guard let edges = document.edges else { return nil }
        let comparable = edges.comparableKinds
        let asked = RequestKind.allCases.filter { kind in edges.each.contains { $0.requests[kind.name] != nil } }
        let kinds = Array((comparable.isEmpty ? asked : comparable).prefix(Self.kindLimit))
        self.kinds = kinds.map(\.name)
        rows = edges.each.map { edge in
            Row(
                name: edge.address,
                pop: edge.pop ?? "–",
                count: TextLayout.grouped(edge.count),
                errors: TextLayout.grouped(edge.errors),
                hasErrors: edge.errors > 0,
                cells: kinds.map { Self.cell(edge.requests[$0.name]) }
            )
        }
        notes = []
        if let others = edges.others {
            let count = others.values.reduce(0) { $0 &+ $1.count }
            notes.append("\(TextLayout.counted(count, "request")) of further edges, which are counted together.")
        }
        if edges.withoutConnection > 0 {
            let count = TextLayout.counted(edges.withoutConnection, "request")
            notes.append("\(count) ended without a connection.")
        }
    }

    private static func cell(_ result: EdgeKindResult?) -> Cell {
        Cell(
            p50: result?.cell(.p50, \.p50Microseconds) ?? "–",
            p99: result?.cell(.p99, \.p99Microseconds) ?? "–",
            longest: result?.cell(.max, \.maximumMicroseconds) ?? "–"
        )
    }
}

/// The slowest answers, with what leads to whoever was slow.
struct SlowestSection {
    struct Row {
        var kind: String
        var response: String
        var outcome: String
        var time: String
        var viewer: String
        var place: String
        var url: String
        var answerer: String
        var trace: String
    }

    var rows: [Row]
    var title: String

    /// Nil where none are known.
    init?(_ document: ResultDocument) {
        guard let answers = document.slowestAnswers, !answers.isEmpty else { return nil }
        rows = answers.map { answer in
            Row(
                kind: answer.kind,
                response: TimeText.duration(answer.responseMicroseconds),
                outcome: answer.outcome,
                time: TimeText.elapsed(Double(answer.offsetMilliseconds) / 1_000),
                viewer: String(answer.viewer),
                place: answer.breakKey ?? "–",
                url: answer.url,
                answerer: [answer.address, answer.served].compactMap(\.self).joined(separator: "; "),
                trace: answer.traceID ?? "–"
            )
        }
        title = "The slowest answers of each kind and break: \(rows.count)"
    }
}

extension EdgeKindResult {
    /// A figure as a cell of a table beside the number of requests; nil where no time was measured.
    func cell(_ statistic: Statistic, _ figure: KeyPath<EdgeKindResult, Int64?>) -> String? {
        TimeText.percentile(statistic, self[keyPath: figure], of: count, maximum: maximumMicroseconds)
    }
}
