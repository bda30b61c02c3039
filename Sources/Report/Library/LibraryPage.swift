package import Comparison
import Dispatch
import Foundation
import Results
import Rules
import Synchronization
import Values

/// All runs of a folder on one page.
package struct LibraryPage: Sendable {
    struct Profile: Sendable {
        let name: String
        let place: Int
        let rows: [RunRow]
        let history: ReleaseHistory
    }

    let list: RunList
    /// As the user wrote it.
    let folder: String
    /// From a file to the folder, empty or ended by a slash; nil for a server, which makes the pages of runs.
    let base: String?
    /// Label that distinguishes releases.
    let label: String
    let profiles: [Profile]
    private static let mostDays: Int64 = 732

    package init(of list: RunList, in folder: String, base: String?, label: String) {
        (self.list, self.folder, self.base, self.label) = (list, folder, base, label)
        let byProfile = Dictionary(grouping: list.rows) { Spelling($0.profile) }
        let order = byProfile.keys.sorted {
            (byProfile[$1]?.first?.startedAtMicroseconds ?? 0, $0)
                < (byProfile[$0]?.first?.startedAtMicroseconds ?? 0, $1)
        }
        // Finding the changes of profiles takes most of a page's time.
        let found = Mutex([Int: Profile]())
        DispatchQueue.concurrentPerform(iterations: order.count) { place in
            let rows = byProfile[order[place]] ?? []
            let history = ReleaseHistory(rows, label: label)
            let profile = Profile(name: order[place].text, place: place, rows: rows, history: history)
            found.withLock { $0[place] = profile }
        }
        profiles = found.withLock { found in order.indices.compactMap { found[$0] } }
    }

    /// Since the Unix epoch.
    private var days: ClosedRange<Int64> {
        let last = list.rows.first.map(NightStrip.day) ?? 0
        let first = max(list.rows.last.map(NightStrip.day) ?? 0, last - Self.mostDays + 1)
        return first...max(first, last)
    }

    func hasPage(_ row: RunRow) -> Bool { base == nil || row.hasPage }

    /// Throws if style or script is not installed.
    package func render() throws -> String {
        let total = TextLayout.counted(list.rows.count, "run")
        let days = [list.rows.last, list.rows.first].compactMap { $0?.startText.prefix(10) }
        var facts = [total]
        if let first = days.first, let last = days.last {
            facts.append(first == last ? String(first) : "\(first) to \(last)")
            facts.append(TextLayout.counted(profiles.count, "profile"))
        }
        let empty: Words = "There is no result here yet. A run writes one: \(code: "podswarm run Profiles/quick.yaml")"
        let verdict = Verdict(Wording("library", "all"))
        var page = Page(title: "Results: \(total)", name: "Results", facts: facts, verdict: verdict, verdictLink: "All")
        page.opening = [.figures(figures), list.rows.isEmpty ? .paragraph(empty) : nil]
        page.sections = (list.rows.isEmpty ? [] : [nights, runs, releases]) + [leftOut]
        if !list.rows.isEmpty { page.skip = ("runs", "Skip to the runs") }
        return try page.html(own: "library")
    }

    /// All rows as `podswarm results --json` has them, and what the page says of each; safe inside a script element.
    var data: String {
        let group = profiles.reduce(into: Set<Spelling>()) { $0.formUnion($1.history.group) }
        let outcomes = RunFilter.outcomes.compactMap { outcome in list.rows.first { $0.outcome == outcome } }
        let head: [String: Any] = [
            "base": base ?? "", "served": base == nil, "folder": folder, "label": label,
            // Days since the Unix epoch, and the most runs in a chart.
            "first_day": days.lowerBound, "days": days.count, "longest": ReleaseHistory.longest,
            "figures": RunRow.figureNames, "profiles": profiles.map(\.name),
            "outcomes": outcomes.map { [$0.outcome, $0.outcomeTitle, $0.tone.rawValue] },
            "marks": list.rows.map(\.marks), "reasons": list.rows.map(\.shortReason),
            "drawn": list.rows.map { group.contains(Spelling($0.path)) },
        ]
        let rows = ScriptData.text {
            String(decoding: try DocumentEncoding(.withoutEscapingSlashes).encode(list.rows), as: UTF8.self)
        }
        return "{\"head\":\(ScriptData.text { try JSONText.of(head) }),\"runs\":\(rows)}"
    }

    /// The page's script adds the other rows.
    private static let firstRows = 50
    private static let mostLeftOut = 100

    private func text(_ text: String) -> String { HTMLText.escaped(text) }

    private var escapedLabel: String { text(label) }

    private var figures: [Fact?] {
        let judged = list.rows.filter { $0.tone != .plain }
        let counts = Dictionary(grouping: judged, by: \.tone).mapValues(\.count)
        let others = list.rows.count - judged.count
        let count = { (tone: Tone) in TextLayout.grouped(counts[tone] ?? 0) }
        let due = judged.reduce(0.0) { $0 + Double($1.due) }
        let punctual = judged.reduce(0.0) { $0 + Double($1.onTime) }
        let onTime = profiles.count == 1 ? MetricText.percent(punctual * 100 / max(due, 1)) : "–"
        let tone = { (tone: Tone) in counts[tone] == nil ? .plain : tone }
        let capacities = others > 0 ? "and \(TextLayout.counted(others, "capacity result"))" : ""
        let undecided = "client-limited, incomplete, undecided or interrupted"
        return [
            Fact("Runs", .count(judged.count), note: capacities),
            Fact("Passed", Words(count(.good), .good)), Fact("Failed", Words(count(.bad), tone(.bad))),
            Fact("Undecided", Words(count(.warn), tone(.warn)), note: undecided),
            due > 0 ? Fact("On time", Words(onTime), note: "of all due of one profile") : nil,
        ]
    }

    private var nights: Section {
        // A profile with capacities only has none.
        let strips = profiles.filter { $0.rows.contains { $0.tone != .plain } }.map { profile in
            let count = TextLayout.counted(profile.rows.count, "run")
            let newest = profile.rows.first
            let strip = NightStrip(rows: profile.rows, days: days).plot().markup()
            return
                "<figure class=\"of-profile\" data-profile=\"\(profile.place)\"><figcaption><b>\(text(profile.name))</b>"
                + " <span>\(count)</span>, the newest <span class=\"tag \((newest?.tone ?? .plain).rawValue)\">"
                + "\(text(newest?.outcomeTitle.lowercased() ?? ""))</span></figcaption>\(strip.renderText)</figure>"
        }
        return Section("nights", "Nights", link: "Nights")
            .showing([.lead(.sentence("nights")), .markup(Markup(trusted: strips.joined(separator: "\n")))])
    }

    private func line(_ row: RunRow) -> String {
        let address = text((base ?? "") + RelativeReference.text(of: row.pagePath))
        let start = text(row.startText)
        let marks = row.marks.map { " <span class=\"tag\">\(text($0))</span>" }.joined()
        let reason = row.shortReason.isEmpty ? "" : "<span class=\"why\">\(text(row.shortReason))</span>"
        return "<tr><td class=\"pick\"><input type=\"checkbox\" data-path=\"\(text(row.path))\""
            + " aria-label=\"Compare \(text(row.profile)) of \(start)\" hidden></td>"
            + "<th scope=\"row\">\(hasPage(row) ? "<a href=\"\(address)\">\(start)</a>" : start)</th>"
            + "<td>\(text(row.profile))\(marks)</td>"
            + "<td><span class=\"tag \(row.tone.rawValue)\">\(text(row.outcomeTitle))</span>\(reason)</td>"
            + "<td class=\"n time\">\(text(row.onTimeText))</td>"
            + "<td class=\"n\">\(row.findings == 0 ? "" : TextLayout.grouped(row.findings))</td>"
            + "<td>\(text(row.release(by: label) ?? ""))</td></tr>"
    }

    private var runs: Section {
        let more =
            "<noscript><p class=\"sub\">Without scripts the newest runs stand here; <code>podswarm results</code> lists"
            + " all.</p></noscript>"
        let table = """
            <div class="wide"><table id="list">
            <thead><tr><th class="pick"><span class="hidden">Compare</span></th><th class="l">Started (UTC)</th>\
            <th class="l">Profile</th><th class="l">Verdict</th><th>On time</th><th>Findings</th><th class="l">\(escapedLabel)</th></tr></thead>
            <tbody>
            \(list.rows.prefix(Self.firstRows).map(line).joined(separator: "\n"))
            </tbody>
            </table></div>
            \(list.rows.count > Self.firstRows ? more : "")
            """
        return Section("runs", "Runs", link: "Runs").showing([.lead("Newest first."), .markup(Markup(trusted: table))])
    }

    private func history(_ profile: Profile) -> String {
        let history = profile.history
        let charts = history.charts.map { metric, chart in
            "<figure><figcaption><code>\(text(metric.metric))</code> <b>\(text(metric.newest))</b></figcaption>"
                + chart.renderText
                + metric.changePoints.map { "<p class=\"sub\" data-at=\"\($0.index)\">\(text($0.text))</p>" }.joined()
                + "</figure>"
        }
        let releases = history.releases.map { release in
            "<tr><th scope=\"row\">\(text(release.name))</th>"
                + release.figures.map { "<td class=\"n\">\(text($0))</td>" }.joined()
                + "<td>\(text(release.days))</td></tr>"
        }
        let title = "Each \(escapedLabel) of \(text(profile.name))"
        return """
            <div class="of-profile" data-profile="\(profile.place)"><h3>\(text(profile.name))</h3>
            <div class="stack half">\(charts.joined(separator: "\n"))</div>
            \(history.note.isEmpty ? "" : "<p class=\"sub\">\(text(history.note))</p>")
            <details class="more"><summary>\(title)</summary><div class="wide" tabindex="0" role="group" aria-label="\(title)">\
            <table><thead><tr><th class="l">\(escapedLabel)</th>\(history.heads.map { "<th>\(text($0))</th>" }.joined())<th class="l">Days</th></tr></thead><tbody>
            \(releases.joined(separator: "\n"))</tbody></table></div></details></div>
            """
    }

    /// The page's script, which gets its data here, adds filters and a comparison of two rows.
    private var releases: Section {
        let lead =
            "A dot for each run that says something certain, a line at the median of each \(label). "
            + "Dashed: a lasting change of the metric."
        let histories = profiles.filter { !$0.history.releases.isEmpty }.map(history).joined(separator: "\n")
        let script = "<script type=\"application/json\" id=\"data\">\(data)</script>"
        return Section("releases", "Releases", link: "Releases")
            .showing([.lead(Words(lead)), .markup(Markup(trusted: histories)), .markup(Markup(trusted: script))])
    }

    private var leftOut: Section {
        let shown = list.leftOut.prefix(Self.mostLeftOut)
        let more = list.leftOut.count - shown.count
        let files = shown.map { Words("\(code: $0.path): \($0.reason)") }
        let title = "\(TextLayout.counted(list.leftOut.count, "file")) ending in .json that cannot be shown"
        let rest = more > 0 ? Block.said("And \(TextLayout.grouped(more)) more.") : nil
        return Section("left-out", "No results", link: "No results")
            .showing([.folded(Words(title), [.list(files), rest])])
    }
}
