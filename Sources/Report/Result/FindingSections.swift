import Results
import Rules

enum FindingSections {
    typealias Seen = FindingOccurrence.Seen

    /// `told` has the sightings, by code, that the text has already shown.
    static func findings(_ findings: [FindingResult], _ all: ResultDocument, told: [String: Seen] = [:]) -> Section {
        let grave = findings.filter { !$0.isAdvice }
        let advice = findings.filter(\.isAdvice)
        let title = advice.count == 1 ? "One piece of advice" : "\(advice.count) pieces of advice"
        let limits = Limits(markdown: 40)
        let listed = { (findings: [FindingResult], told: [String: Seen]) in
            Block.entries(Entries(findings.map { entry($0, all, told[$0.code]) }, limits: limits, noun: "code"))
        }
        let (evidence, advised) = (listed(grave, [:]), listed(advice, [:]))
        let summary = !grave.isEmpty ? nil : Words(findings.isEmpty ? "none" : "none but advice", .good)
        return Section("findings", "Findings", link: "Findings", summary: summary).showing([
            table(findings).only(.markdown), .folded("Evidence", [evidence]).only(.markdown),
            listed(grave, told).only(.text), evidence.only(.page), advised.only(.text),
            .folded(Words(title), [advised]).only(.page),
        ])
    }

    private static func table(_ findings: [FindingResult]) -> Block {
        let heads: [Table.Column] = ["finding", .text("severity"), "times", "viewers"]
        return Table("Table of findings", heads, limits: Limits(markdown: 40), noun: "finding").listing(findings) {
            finding in
            let severity = finding.severity + (finding.allowanceNote.map { "; \($0)" } ?? "")
            let viewers = "\(TextLayout.grouped(finding.viewers)) (\(MetricText.percent(finding.viewersPercent)))"
            return .init([.code(finding.code), Words(severity), .count(finding.count), Words(viewers)])
        }
    }

    private static func entry(_ finding: FindingResult, _ document: ResultDocument, _ told: Seen?) -> Entries.Entry {
        let tone = finding.failsRun ? Tone.bad : finding.isAdvice ? .quiet : .warn
        let allowed = finding.allowanceNote.map { " (\($0))" } ?? ""
        let places = Entries(
            finding.occurrences.map { occurrence($0, told) },
            limits: Limits(text: finding.isAdvice ? 1 : 3, markdown: 3),
            noun: finding.kindOfPlace,
            unlisted: finding.occurrencesNotListed
        )
        let (first, others) = places.divided
        let causes = finding.causes
        let shown = FindingEntry(
            places: [
                .entries(places).only([.text, .markdown]), .entries(first).only(.page),
                .folded(Words(others.title), [.entries(others)]).only(.page),
            ] + exchanges(finding, document),
            meaning: Words(finding.meaning),
            causes: causes.all(of: finding.likelyCauses),
            forms: finding.isAdvice && causes.own.isEmpty ? .page : .all,
            whereToLook: told == nil ? finding.whereToLook : nil,
            rule: finding.rule,
            sources: sources(of: finding).map { Words("\(link: $0.name, $0.address)") }
        )
        let counts = counts(finding.count, finding.viewers, finding.viewersPercent) + allowed
        return .init("\(tag: finding.severity, tone) \(code: finding.code)", [.said(counts)] + shown.blocks)
    }

    /// Exchanges of the first viewer and of the one with most findings.
    private static func exchanges(_ finding: FindingResult, _ document: ResultDocument) -> [Block?] {
        let kept = (document.exchanges ?? []).filter { $0.findings.contains(finding.code) }
        let first = kept.prefix(1)
        let worst = kept.max { $0.viewerFindings < $1.viewerFindings }.map { [$0] } ?? []
        return (first + worst.filter { !first.contains($0) }).map { exchange in
            .folded(Words(exchange.title), [.list(exchange.lines.map { .code($0) })]).only(.page)
        }
    }

    static func counts(_ count: UInt64, _ viewers: Int, _ percent: Double) -> String {
        "\(TextLayout.counted(count, "time")), \(TextLayout.counted(viewers, "viewer")) (\(MetricText.percent(percent)))"
    }

    /// Without documents that the result's version, or another vendor's target, has no rule of.
    private static func sources(of finding: FindingResult) -> [(name: String, address: String)] {
        var sources: [(name: String, address: String)] = []
        let citations = FindingCode(name: finding.code)?.rule.citations ?? []
        for document in citations.filter({ finding.rule.contains($0.text) }).map(\.document) {
            guard let address = document.address, !sources.contains(where: { $0.address == address }) else { continue }
            sources.append((document.name, address))
        }
        return sources
    }

    private static func occurrence(_ occurrence: FindingOccurrence, _ told: Seen?) -> Entries.Entry {
        let first = occurrence.first
        let last = occurrence.last == first ? nil : occurrence.last
        let isSame = last?.expected == first?.expected && last?.observed == first?.observed
        let isTold = told != nil && told?.expected == first?.expected && told?.observed == first?.observed
        let start = isTold && first == told && first?.served == nil && first?.traceID == nil ? nil : first
        let seen = [
            start.map { Self.seen("first", $0, isTold: true) }, last.map { Self.seen("last", $0, isTold: isSame) },
        ]
        let counts = counts(occurrence.count, occurrence.viewers, occurrence.viewersPercent)
        let place: Words = "\(occurrence.place): \(counts)"
        let shares = occurrence.shares.map { share -> Words in
            "\(MetricText.percent(share.viewersPercent)) (\(TextLayout.grouped(share.viewers)))  \(code: share.label)"
        }
        let blocks: [Block?] = [.list(shares, limit: Limits(markdown: 5)), .entries(Entries(seen))]
        guard let first, !isTold else { return .init(isTold ? "where: \(place)" : place, blocks) }
        return FindingEntry.sighting(first.expected, first.observed, [Fact("where", place)], blocks)
    }

    /// `isTold` leaves out what was expected and what came.
    private static func seen(_ word: String, _ seen: Seen, isTold: Bool) -> Entries.Entry {
        let time = UTCText.iso8601(microseconds: seen.wallMicroseconds)
        let evidence = [
            ("expected", isTold ? "" : seen.expected), ("observed", isTold ? "" : seen.observed),
            ("answered by", seen.address ?? ""), ("served by", seen.served ?? ""), ("trace", seen.traceID ?? ""),
        ]
        let sighting: Words = "\(word): viewer \(String(seen.viewer)) at \(time)"
        // A request without an answer may have no URL.
        let head = seen.url.isEmpty ? sighting : "\(sighting), \(code: seen.url)"
        return .init(head, [.facts(evidence.filter { !$0.1.isEmpty }.map { Fact($0.0, .code($0.1)) })])
    }

    static func warnings(_ document: ResultDocument) -> Section? {
        guard let warnings = document.adServerWarnings, !warnings.isEmpty else { return nil }
        let all = warnings.reduce(0) { $0 &+ $1.answers }
        let entries = warnings.map { entry in
            let listed = entry.texts.reduce(0) { $0 &+ $1.answers }
            let hidden = listed < entry.answers ? ", some with texts that are not listed" : ""
            let texts = entry.texts.map { text in
                Words("\(TextLayout.grouped(text.answers)) × \(text.text.isEmpty ? "(no text)" : text.text)")
            }
            let head = Words("\(entry.kind): \(TextLayout.counted(entry.answers, "answer"))\(hidden)")
            return Entries.Entry(head, [.list(texts)])
        }
        let summary: Words = "in \(code: "X-Ad-Manager-Dai-Warning") of \(TextLayout.counted(all, "answer"))"
        return Section("warnings", "Warnings of the ad server", summary: summary).showing([.entries(Entries(entries))])
    }

    static func withheld(_ document: ResultDocument) -> Section? {
        func count(_ counter: ViewerCounter) -> UInt64 { document.viewers[counter.name] ?? 0 }
        let (pings, beacons) = (count(.pingsWithheld), count(.beaconsWithheld))
        return WithheldText(pings: pings, beacons: beacons, adSegments: count(.adSegmentsWithheld)).list.map {
            let text = $0 + " not sent (the profile does not say impressions: allowed)"
            return Section("withheld", "Impressions withheld").showing([.said(text)])
        }
    }

    static func leftOut(_ document: ResultDocument) -> Section? {
        guard let leftOut = document.leftOut else { return nil }
        let rows = leftOut.hosts.map { host in
            let remedy = LeftOutText.remedy(host).map { "; to allow them, \($0)" } ?? ""
            return Words("\(LeftOutText.subject(host)): \(TextLayout.counted(host.requests, "request"))\(remedy)")
        }
        let requests = TextLayout.counted(leftOut.requests, "request")
        return Section("left-out", "Left out", summary: "\(requests) to hosts that the profile does not authorise")
            .showing([.list(rows), LeftOutText.others(leftOut).map { .said($0) }])
    }

    static func thresholds(_ document: ResultDocument) -> Section? {
        let thresholds = document.thresholds
        guard !thresholds.isEmpty else { return nil }
        let open = thresholds.count(where: document.leavesOpen)
        let failed = thresholds.count { !$0.passed } - open
        let parts = [
            failed == 0 ? nil : "\(failed) of \(thresholds.count) failed.",
            open == 0 ? nil : "\(open) of \(thresholds.count) did not hold; this does not change the verdict.",
        ].compactMap(\.self)
        let held = thresholds.count == 1 ? "It held." : "All \(thresholds.count) held."
        let rows = thresholds.map { threshold in
            let name = "observed \(threshold.observedText), limit in \(threshold.shownText)"
            let bar = threshold.observed.map {
                Markup.bar(name, of: $0, against: threshold.limit, passed: threshold.passed)
            }
            let verdict: Words =
                threshold.passed
                ? .tag("held", .good) : document.leavesOpen(threshold) ? .tag("open", .warn) : .tag("FAILED", .bad)
            return Table.Row(
                [verdict, .code(threshold.shownText), Words(threshold.observedText), "\(bar ?? Markup.none)"],
                rank: threshold.passed ? 0 : 1
            )
        }
        let heads: [Table.Column] = [
            "verdict", .text("threshold"), "observed", .text("against its limit", style: "barcol"),
        ]
        let table = Table("Table of thresholds", heads, limits: Limits(markdown: 100), noun: "threshold").listing(rows)
        return Section("thresholds", "Thresholds", summary: Words(parts.isEmpty ? held : parts.joined(separator: " ")))
            .showing([table])
    }
}

extension Entries {
    fileprivate var title: String {
        "Where else it was seen: \(TextLayout.counted(items.count + unlisted, noun)), the most frequent first"
    }

    fileprivate var divided: (first: Entries, others: Entries) {
        var (first, others) = (self, self)
        (first.items, first.unlisted, others.items) = (Array(items.prefix(1)), 0, Array(items.dropFirst()))
        return (first, others)
    }
}

extension FindingResult {
    /// Nil if the profile does not name the code.
    var allowanceNote: String? {
        guard let allowance, allowance != FindingAllowance.any.rawValue else {
            return allowed ? "allowed by the profile" : nil
        }
        let limit = allowance.hasSuffix("%") ? "\(allowance) of viewers" : "\(allowance) in all"
        return allowed ? "allowed by the profile: \(limit)" : "the profile allows \(limit)"
    }

    var seen: [FindingOccurrence.Seen] { occurrences.flatMap { [$0.first, $0.last] }.compactMap(\.self) }

    var earliest: FindingOccurrence.Seen? { seen.min { $0.wallMicroseconds < $1.wallMicroseconds } }

    var causes: LikelyCauses { LikelyCauses(seen.map(\.likely)) }

    var kindOfPlace: String { occurrences.contains { $0.cohort != nil } ? "place" : "break" }

    func concerns(_ viewer: Int) -> Bool {
        (viewerRanges ?? []).contains { range in
            let bounds = range.split(separator: "-").compactMap { Int($0) }
            guard let first = bounds.first, let last = bounds.last else { return false }
            return first <= viewer && viewer <= last
        }
    }
}

extension FindingOccurrence {
    var place: Words {
        let place: Words = breakKey.map { "break \(code: $0)" } ?? "outside any break"
        return cohort.map { "\(place), cohort \(code: $0)" } ?? place
    }
}

/// In the order of a reader's questions.
struct FindingEntry {
    /// Each with the expected and the observed text.
    var places: [Block?]
    var meaning: Words
    var causes: [String]
    var forms = Forms.all
    var whereToLook: String?
    var rule: String
    /// Documents of the rule, for pages.
    var sources: [Words] = []

    var blocks: [Block?] {
        let written = sources.isEmpty ? [] : [Fact("written in", sources.joined(separator: "; "))]
        return places + [
            .paragraph(meaning, .claim),
            .facts(causes.map { Fact("likely", Words($0)) }, limit: Limits(markdown: 5)).only(forms),
            .facts(whereToLook.map { [Fact("look at", Words($0))] } ?? []), .facts([Fact("rule", Words(rule))]),
            .facts(written).only(.page),
        ]
    }

    static func sighting(_ expected: String, _ observed: String, _ place: [Fact], _ more: [Block?]) -> Entries.Entry {
        .init("expected: \(code: expected)", [.facts([Fact("observed", .code(observed))] + place)] + more)
    }
}

struct LikelyCauses {
    /// Causes that its sightings name, each once.
    let own: [String]
    /// Whether some sighting names no cause.
    private let isOpen: Bool

    init(_ sightings: some Sequence<String?>) {
        let most = 3
        isOpen = sightings.contains { $0 == nil }
        own = sightings.compactMap(\.self).reduce(into: []) { causes, cause in
            if !causes.contains(cause), causes.count < most { causes.append(cause) }
        }
    }

    /// Causes of the code follow if a sighting names none.
    func all(of code: [String]) -> [String] { own + (isOpen || own.isEmpty ? code : []) }
}
