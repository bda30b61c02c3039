import Rulebook
import RunResult
import Thresholds

extension TextSummary {
    /// Who answered, where there were several: the file holds the rest.
    func edges() -> [String] {
        guard let edges = document.edges, edges.each.count > 1 else { return [] }
        let kinds = edges.comparableKinds.prefix(Self.edgeKinds)
        var table = TextTable(header: ["edge", "requests", "errors"] + kinds.map { "\($0.name) p99" })
        for edge in edges.each.prefix(Self.edgeLimit) {
            table.rows.append(
                [edge.name, TextLayout.grouped(edge.count), TextLayout.grouped(edge.errors)]
                    + kinds.map { edge.requests[$0.name]?.cell(.p99, \.p99Microseconds) ?? "–" }
            )
        }
        let hidden = edges.each.count - min(edges.each.count, Self.edgeLimit)
        let more = hidden > 0 ? ["  and \(TextLayout.counted(hidden, "more edge"))"] : []
        let others = edges.others == nil ? [] : ["  and more than \(EdgeResults.limit) that are counted together"]
        return [
            style.inked("Edges", .bold) + "  \(TextLayout.grouped(edges.each.count)) addresses and points of presence"
        ]
            + table.lines(width: width) + more + others
    }

    /// The slowest answer of the kinds that were slowest, with what leads to whoever was slow.
    func slowest() -> [String] {
        let told = SlowAnswerResult.slowestKinds(of: document.slowestAnswers ?? []).prefix(Self.slowKinds)
        guard !told.isEmpty else { return [] }
        return [style.inked("Slowest answers", .bold)]
            + told.flatMap { answer in
                TextLayout.wrapped(
                    "\(answer.kind): \(time(answer.responseMicroseconds)), \(answer.whereabouts.joined(separator: ", "))",
                    width: width,
                    indent: "  ",
                    hanging: "  "
                )
            }
    }

    private static let edgeLimit = 6
    private static let edgeKinds = 3
    private static let slowKinds = 4
}

extension EdgeResults {
    /// The kinds that several edges answered at a speed of their own: those that begin a break first, then by number.
    var comparableKinds: [RequestKind] {
        let counts = RequestKind.allCases.filter { !$0.isHeldBack }
            .map { kind in
                let answered = each.compactMap { $0.requests[kind.name] }.filter { $0.p99Microseconds != nil }
                return (kind: kind, edges: answered.count, count: answered.reduce(0) { $0 &+ $1.count })
            }
        return counts.filter { $0.edges > 1 }
            .sorted { ($0.kind.beginsBreak ? 0 : 1, $1.count) < ($1.kind.beginsBreak ? 0 : 1, $0.count) }
            .map(\.kind)
    }
}

extension SlowAnswerResult {
    /// Of each kind that no server holds back on purpose the slowest answer, the slowest first.
    static func slowestKinds(of answers: [SlowAnswerResult]) -> [SlowAnswerResult] {
        let kinds = RequestKind.allCases.filter { !$0.isHeldBack }
        return kinds.compactMap { kind in answers.first { $0.kind == kind.name } }
            .sorted { $0.responseMicroseconds > $1.responseMicroseconds }
    }

    /// Where to look for it, in words.
    var whereabouts: [String] {
        let place = breakKey.map { "break \($0)" }
        let seconds = Double(offsetMilliseconds) / 1_000
        return [
            outcome, "viewer \(viewer) after \(TimeText.elapsed(seconds))", place,
            address.map { "answered by \($0)" }, served, traceID.map { "trace \($0)" },
        ]
        .compactMap(\.self)
    }
}
