package import Comparison
import Results

/// All runs of a folder on one page.
package struct LibraryPage: Sendable {
    let list: RunList
    /// As the user wrote it.
    let folder: String
    /// From a file to the folder, empty or ended by a slash; nil for a server, which makes the pages of runs.
    let base: String?
    /// Label that distinguishes releases.
    let label: String

    package init(of list: RunList, in folder: String, base: String?, label: String) {
        (self.list, self.folder, self.base, self.label) = (list, folder, base, label)
    }

    func hasPage(_ row: RunRow) -> Bool { base == nil || row.hasPage }

    /// Throws if style or script is not installed.
    package func render() throws -> String {
        let section = LibrarySection(self)
        let total = TextLayout.counted(list.rows.count, "run")
        let hasRows = !list.rows.isEmpty
        let shown =
            [("verdict", "All")] + (hasRows ? [("nights", "Nights"), ("runs", "Runs"), ("releases", "Releases")] : [])
            + (list.leftOut.isEmpty ? [] : [("left-out", "No results")])
        let days = [list.rows.last, list.rows.first].compactMap { $0?.startText.prefix(10) }
        var facts = [total]
        if let first = days.first, let last = days.last {
            facts.append(first == last ? String(first) : "\(first) to \(last)")
            facts.append(TextLayout.counted(section.profiles.count, "profile"))
        }
        let links = shown.map { Page.Link(anchor: $0, title: $1) }
        let skip = Page.Link(anchor: hasRows ? "runs" : "verdict", title: "Skip to the runs")
        return try Page(title: "Results: \(total)", name: "Results", facts: facts)
            .html(section.html, links: links, skip: skip, own: "library")
    }
}

/// A row of numbers for each run, and each text once.
struct LibraryData {
    /// Safe inside a script element.
    let json: String

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

    init(
        _ page: LibraryPage,
        profiles: [String],
        days: ClosedRange<Int64>,
        group: Set<Spelling>
    ) {
        var (texts, outcomes, numbers) = (Texts(), Texts(), "")
        var titles: [[String]] = []
        for row in page.list.rows {
            let outcome = outcomes.place(row.outcome)
            if outcome == titles.count { titles.append([row.outcome, row.outcomeTitle, row.tone.rawValue]) }
            var fields = [
                row.startedAtMicroseconds / 60_000_000, Int64(outcome), Int64(texts.place(row.profile)),
                Int64(texts.place(row.release(by: page.label) ?? "")), Int64(texts.place(row.kind.rawValue)),
                Int64(texts.place(row.marks.joined(separator: ", "))), Int64(texts.place(row.shortReason)),
                page.hasPage(row) ? 1 : 0, group.contains(Spelling(row.path)) ? 1 : 0,
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
            base: page.base ?? "",
            served: page.base == nil,
            folder: page.folder,
            label: page.label,
            firstDay: days.lowerBound,
            days: days.count,
            longest: ReleaseHistory.longest,
            figures: RunRow.figureNames,
            outcomes: titles,
            count: page.list.rows.count,
            profiles: profiles,
            paths: page.list.rows.map(\.path),
            texts: texts.all
        )
        json = "{\"head\":\(ScriptData.text(of: head)),\"runs\":[\(numbers)]}"
    }
}
