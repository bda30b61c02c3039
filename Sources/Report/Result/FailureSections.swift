package import Results
import Rules

/// Summary of a failure: its viewers, its time, one request, and what to look at.
enum FailureSections {
    private static let limit = 3
    private static let rangeLimit = 20
    /// The section on findings has the whole text.
    private static let evidenceLimit = 160

    static func failures(_ document: ResultDocument) -> Section? {
        let blocks = blocks(document)
        let hasFailed = blocks.contains { if case .entries = $0 { true } else { false } }
        let title = hasFailed ? "What failed" : "What to look at"
        return blocks.isEmpty ? nil : Section("failed", title, forms: [.text, .markdown]).showing(blocks)
    }

    static func blocks(_ document: ResultDocument) -> [Block] {
        let found = findings(document).map(finding)
        let failed = document.thresholds.filter { $0.failed && !document.leavesOpen($0) }
        // Several thresholds of breaks have the same ones.
        let breaks = failed.contains { $0.subject == "breaks" } ? document.breaks.worstFirst : []
        let missed = breaks.filter { $0.onTime < $0.due }.map { entry(of: $0, document) }
        let kinds = failed.filter { !["breaks", "findings"].contains($0.subject) }.map { kind($0, document) }
        let remedy = document.isLimitedByMachine ? "lacked_cores" : "over_budget"
        return lists(found, "kind of finding", "kinds of findings") + lists(missed + kinds, "place", "places")
            + (document.health.withinBudget ? [] : [.paragraph(.sentence(remedy))])
    }

    private static func findings(_ document: ResultDocument) -> [FindingResult] {
        document.findings.filter(\.failsRun).sorted { place($0) < place($1) }
    }

    /// The sightings that are shown in full, by code.
    static func told(_ document: ResultDocument) -> [String: FindingSections.Seen] {
        let told = findings(document).prefix(limit).compactMap { found in found.earliest.map { (found.code, $0) } }
            .filter { max($1.expected.count, $1.observed.count) <= evidenceLimit }
        return Dictionary(told) { first, _ in first }
    }

    private static func place(_ finding: FindingResult) -> (Int, Int) {
        (finding.severity == Severity.broken.rawValue ? 0 : 1, -finding.viewers)
    }

    private static func lists(_ entries: [Entries.Entry], _ one: String, _ many: String) -> [Block] {
        let hidden = entries.count - limit
        let more: [Block] = hidden > 0 ? [.said("and \(hidden) more \(hidden == 1 ? one : many), below")] : []
        return entries.isEmpty ? [] : [.entries(Entries(Array(entries.prefix(limit))))] + more
    }

    private static func finding(_ finding: FindingResult) -> Entries.Entry {
        let ranges = finding.viewerRanges ?? []
        let listed = ranges.prefix(rangeLimit).joined(separator: ", ")
        let first = finding.earliest
        let last = finding.seen.map(\.wallMicroseconds).max()
        let span = first.flatMap { first in last.map { Self.span(first.wallMicroseconds, $0) } } ?? ""
        let who = first.map { "viewer \($0.viewer): " } ?? ""
        let served = first?.address.map { ", answered by \($0)" } ?? ""
        let facts: [Fact?] = [
            listed.isEmpty ? nil : Fact("viewers", Words(listed + (ranges.count > rangeLimit ? ", …" : ""))),
            first.map { Fact("expected", .code(TextLayout.cut($0.expected, to: evidenceLimit))) },
            first.map { Fact("observed", .code(TextLayout.cut($0.observed, to: evidenceLimit))) },
            first.flatMap { $0.url.isEmpty ? nil : Fact("request", "\(who)\(code: $0.url)\(served)") },
            finding.whereToLook.map { Fact("look at", Words($0)) },
        ]
        let viewers = "\(TextLayout.counted(finding.viewers, "viewer")) (\(MetricText.percent(finding.viewersPercent)))"
        let times = TextLayout.counted(finding.count, "time") + span
        return .init("\(tag: finding.severity, .bad) \(code: finding.code): \(viewers), \(times)", [.facts(facts)])
    }

    private static func span(_ first: Int64, _ last: Int64) -> String {
        let begin = UTCText.iso8601(microseconds: first)
        return first == last ? ", at \(begin)" : ", \(begin) to \(TimeText.clock(last))"
    }

    private static func entry(of missed: BreakResult, _ document: ResultDocument) -> Entries.Entry {
        let most = TimeText.duration(missed.latenessMaximumMicroseconds)
        let late = missed.late == 0 ? "" : "\(TextLayout.grouped(missed.late)) late by up to \(most)"
        let ofLine = missed.missedByLine
        let line = ofLine == 0 ? "" : "\(TextLayout.grouped(ofLine)) of them by their own line"
        let causes = [late, missed.failures.sentence, line].filter { !$0.isEmpty }.joined(separator: ", ")
        let isSlow = missed.late &+ missed.unresolved > 0 || missed.failed["deadline_missed"] != nil
        let isOfTarget = ofLine < missed.due &- missed.onTime
        let answers = document.slowestAnswers?.filter {
            isOfTarget && $0.breakKey == missed.key && (isSlow || $0.isError)
        }
        let rate = Fact("look at", "\(code: "audience.bandwidth"), against the bit rate of the ads.")
        return .init(
            "\(tag: "late or failed", .bad) break \(code: missed.key): \(TextLayout.grouped(missed.due &- missed.onTime)) of \(TextLayout.counted(missed.due, "viewer"))",
            [.facts([Fact("how", Words(causes))] + request(answers ?? []) + (ofLine > 0 ? [rate] : []))]
        )
    }

    private static func kind(_ threshold: ThresholdResult, _ document: ResultDocument) -> Entries.Entry {
        let name = threshold.subject
        let errors = document.requests[name]?.outcomes.filter { !$0.key.hasPrefix("http_2") }.sentence ?? ""
        let isOfErrors = threshold.metric.contains(".errors")
        let answers = document.slowestAnswers?.filter { $0.kind == name && (!isOfErrors || $0.isError) }
        return .init(
            "\(tag: "failed", .bad) \(code: threshold.shownText): observed \(threshold.observedText)",
            [.facts((errors.isEmpty ? [] : [Fact("errors", Words(errors))]) + request(answers ?? []))]
        )
    }

    /// The slowest of the answers.
    private static func request(_ answers: [SlowAnswerResult]) -> [Fact] {
        guard let slowest = answers.max(by: { $0.responseMicroseconds < $1.responseMicroseconds }) else { return [] }
        let place = ([TimeText.duration(slowest.responseMicroseconds)] + slowest.whereabouts).joined(separator: ", ")
        return [
            Fact("slowest", "\(slowest.kind): \(place)"), Fact("request", .code(slowest.url)),
            Fact("look at", .sentence("slow_answer")),
        ]
    }
}

extension ResultDocument {
    /// All findings that concern a viewer, and its exchanges that are kept, as text.
    package func findingsText(ofViewer viewer: Int, _ rendering: TextRendering) -> String {
        let shown = (exchanges ?? []).filter { $0.viewer == viewer }.map { $0.text + "\n" }
        return ([findingsText(of: viewer, rendering)] + shown).joined(separator: "\n")
    }

    private func findingsText(of viewer: Int, _ rendering: TextRendering) -> String {
        let own = findings.filter { $0.concerns(viewer) }
        guard own.isEmpty else { return rendering.text(rendering.parts(FindingSections.findings(own, self))) }
        guard findings.allSatisfy({ $0.viewerRanges != nil }) else {
            return "This result of an earlier version does not say which viewers a finding concerns.\n"
        }
        let cut = findings.filter { $0.viewerRanges?.count == FindingResult.rangeLimit }.map(\.code)
        guard cut.isEmpty else {
            return "Of \(cut.joined(separator: ", ")) the result has the first \(FindingResult.rangeLimit) ranges of "
                + "viewers: viewer \(viewer) is not in them.\n"
        }
        return "No finding concerns viewer \(viewer).\n"
    }
}

extension ThresholdResult {
    fileprivate var subject: String { String(metric.prefix { !".[{".contains($0) }) }
}
