package import Comparison
import Dispatch
import Results
import Synchronization

/// All runs of a folder on one page.
package struct LibraryPage: Sendable {
    struct Profile: Sendable {
        let name: String
        let place: Int
        let rows: [RunRow]
        /// Nil for a profile with capacities only.
        let strip: Markup?
        let history: ReleaseHistory

        init(_ name: String, _ rows: [RunRow], at place: Int, days: ClosedRange<Int64>, label: String) {
            (self.name, self.rows, self.place) = (name, rows, place)
            let isJudged = rows.contains { $0.tone != .plain }
            strip = isJudged ? NightStrip(rows: rows, days: days).plot().markup() : nil
            history = ReleaseHistory(rows, label: label)
        }
    }

    let list: RunList
    /// As the user wrote it.
    let folder: String
    /// From a file to the folder, empty or ended by a slash; nil for a server, which makes the pages of runs.
    let base: String?
    /// Label that distinguishes releases.
    let label: String
    let profiles: [Profile]
    private let days: ClosedRange<Int64>

    private static let mostDays: Int64 = 732

    package init(of list: RunList, in folder: String, base: String?, label: String) {
        (self.list, self.folder, self.base, self.label) = (list, folder, base, label)
        let byProfile = Dictionary(grouping: list.rows) { Spelling($0.profile) }
        let days = Self.days(list.rows)
        let order = byProfile.keys.sorted {
            (byProfile[$1]?.first?.startedAtMicroseconds ?? 0, $0)
                < (byProfile[$0]?.first?.startedAtMicroseconds ?? 0, $1)
        }
        profiles = Self.onAllCores(order.count) { place in
            Profile(order[place].text, byProfile[order[place]] ?? [], at: place, days: days, label: label)
        }
        self.days = days
    }

    /// Finding the changes of profiles takes most of a page's time.
    private static func onAllCores<Part: Sendable>(_ count: Int, _ make: @Sendable (Int) -> Part) -> [Part] {
        let parts = Mutex([Int: Part]())
        DispatchQueue.concurrentPerform(iterations: count) { place in
            let part = make(place)
            parts.withLock { $0[place] = part }
        }
        return parts.withLock { parts in (0..<count).compactMap { parts[$0] } }
    }

    /// Days since the Unix epoch.
    private static func days(_ rows: [RunRow]) -> ClosedRange<Int64> {
        let last = rows.first.map(NightStrip.day) ?? 0
        let first = max(rows.last.map(NightStrip.day) ?? 0, last - mostDays + 1)
        return first...max(first, last)
    }

    func hasPage(_ row: RunRow) -> Bool { base == nil || row.hasPage }

    /// Throws if style or script is not installed.
    package func render() throws -> String {
        let total = TextLayout.counted(list.rows.count, "run")
        let hasRows = !list.rows.isEmpty
        let shown =
            [("verdict", "All")] + (hasRows ? [("nights", "Nights"), ("runs", "Runs"), ("releases", "Releases")] : [])
            + (list.leftOut.isEmpty ? [] : [("left-out", "No results")])
        let days = [list.rows.last, list.rows.first].compactMap { $0?.startText.prefix(10) }
        var facts = [total]
        if let first = days.first, let last = days.last {
            facts.append(first == last ? String(first) : "\(first) to \(last)")
            facts.append(TextLayout.counted(profiles.count, "profile"))
        }
        let links = shown.map { Page.Link(anchor: $0, title: $1) }
        let skip = Page.Link(anchor: hasRows ? "runs" : "verdict", title: "Skip to the runs")
        return try Page(title: "Results: \(total)", name: "Results", facts: facts)
            .html(content, links: links, skip: skip, own: "library")
    }
}

extension LibraryPage {
    private struct Head: Encodable {
        var base: String
        var served: Bool
        var folder: String
        var label: String
        /// Since the Unix epoch.
        var firstDay: Int64
        var days: Int
        /// Most runs in a chart.
        var longest: Int
        var figures: [String]
        /// Value, title and tone of each outcome.
        var outcomes: [[String]]
        var count: Int
        var profiles: [String]
        var paths: [String]
        var texts: [String]
    }

    private struct Texts {
        private(set) var all: [String] = []
        private var places: [Spelling: Int] = [:]

        mutating func place(_ text: String) -> Int {
            if let known = places[Spelling(text)] { return known }
            places[Spelling(text)] = all.count
            all.append(text)
            return all.count - 1
        }
    }

    /// A row of numbers for each run, and each text once; safe inside a script element.
    var data: String {
        let group = profiles.reduce(into: Set<Spelling>()) { $0.formUnion($1.history.group) }
        var (texts, outcomes, numbers) = (Texts(), Texts(), "")
        var titles: [[String]] = []
        for row in list.rows {
            let outcome = outcomes.place(row.outcome)
            if outcome == titles.count { titles.append([row.outcome, row.outcomeTitle, row.tone.rawValue]) }
            var fields = [
                row.startedAtMicroseconds / 60_000_000, Int64(outcome), Int64(texts.place(row.profile)),
                Int64(texts.place(row.release(by: label) ?? "")), Int64(texts.place(row.kind.rawValue)),
                Int64(texts.place(row.marks.joined(separator: ", "))), Int64(texts.place(row.shortReason)),
                hasPage(row) ? 1 : 0, group.contains(Spelling(row.path)) ? 1 : 0,
                row.due, row.onTime, row.findings,
            ]
            fields += RunRow.figureNames.map { name in
                row.figuresMicroseconds[name].map { max(0, Clamped.integer($0)) } ?? -1
            }
            fields += [
                Int64(texts.place(row.profileDigest)), Int64(texts.place(row.workloadDigest ?? "")),
                Int64(texts.place(row.hostClass)), Int64(texts.place(row.doubt ?? "")), row.viewers ?? -1, row.breaks,
                row.requests, row.errors, max(0, row.endedAtMicroseconds - row.startedAtMicroseconds) / 1_000_000,
            ]
            for list in [row.labelTexts, row.findingCodes] {
                fields.append(Int64(list.count))
                fields += list.map { Int64(texts.place($0)) }
            }
            for field in fields {
                if !numbers.isEmpty { numbers += "," }
                numbers += "\(field)"
            }
        }
        let head = Head(
            base: base ?? "",
            served: base == nil,
            folder: folder,
            label: label,
            firstDay: days.lowerBound,
            days: days.count,
            longest: ReleaseHistory.longest,
            figures: RunRow.figureNames,
            outcomes: titles,
            count: list.rows.count,
            profiles: profiles.map(\.name),
            paths: list.rows.map(\.path),
            texts: texts.all
        )
        return "{\"head\":\(ScriptData.text(of: head)),\"runs\":[\(numbers)]}"
    }
}
