import Dispatch
import RunLibrary
import RunResult
import Synchronization
import Thresholds

/// What the page of all runs shows.
struct LibrarySection {
    struct Profile: Sendable {
        var name: String
        /// Among all, from 0.
        var place: Int
        var count: String
        var newest: String
        var newestTone: String
        var hasStrip: Bool
        var strip: Markup
        var history: ReleaseHistory
        var hasHistory: Bool
    }

    struct Choice {
        var value: String
        var title: String
    }

    var figures: [VerdictSection.Figure]
    var profiles: [Profile]
    var hasManyProfiles: Bool
    var outcomes: [Choice]
    var labels: [String]
    var label: String
    var rows: [LibraryRow]
    var hasRows: Bool
    var total: String
    var hasMore: Bool
    var data: Markup
    var leftOut: [LeftOutFile]
    var hasLeftOut: Bool
    var leftOutCount: String
    var leftOutMore: String

    /// Rows that stand in the page itself; its script makes the others.
    private static let firstRows = 50
    private static let mostLabels = 200
    private static let mostLeftOut = 100
    private static let mostDays: Int64 = 732

    init(_ list: RunList, _ options: LibraryPage.Options) {
        let rows = list.rows
        let byProfile = Dictionary(grouping: rows) { Spelling($0.profile) }
        let days = Self.days(rows)
        let order = byProfile.keys.sorted {
            (byProfile[$1]?.first?.startedAtMicroseconds ?? 0, $0)
                < (byProfile[$0]?.first?.startedAtMicroseconds ?? 0, $1)
        }
        profiles = Self.onAllCores(order.count) { place in
            Self.profile(order[place].text, byProfile[order[place]] ?? [], at: place, days: days, options.label)
        }
        hasManyProfiles = profiles.count > 1
        let known = Set(rows.map(\.outcome))
        outcomes = RunFilter.outcomes.filter(known.contains).map { outcome in
            Choice(value: outcome, title: rows.first { $0.outcome == outcome }?.outcomeTitle ?? outcome)
        }
        labels = Self.labels(rows)
        label = options.label
        figures = Self.figures(rows)
        self.rows = rows.prefix(Self.firstRows).map { LibraryRow($0, options) }
        hasRows = !rows.isEmpty
        total = TextLayout.counted(rows.count, "run")
        hasMore = rows.count > Self.firstRows
        let group = profiles.reduce(into: Set<Spelling>()) { $0.formUnion($1.history.group) }
        data = Markup(trusted: LibraryData(rows, options, profiles: order.map(\.text), days: days, group: group).json)
        leftOut = Array(list.leftOut.prefix(Self.mostLeftOut))
        hasLeftOut = !leftOut.isEmpty
        leftOutCount = TextLayout.counted(list.leftOut.count, "file")
        let more = list.leftOut.count - leftOut.count
        leftOutMore = more > 0 ? "And \(TextLayout.grouped(more)) more." : ""
    }

    /// Profiles have nothing to do with each other, and to look for their changes takes most of a page's time.
    private static func onAllCores<Part: Sendable>(_ count: Int, _ make: @Sendable (Int) -> Part) -> [Part] {
        let parts = Mutex([Int: Part]())
        DispatchQueue.concurrentPerform(iterations: count) { place in
            let part = make(place)
            parts.withLock { $0[place] = part }
        }
        return parts.withLock { parts in (0..<count).compactMap { parts[$0] } }
    }

    private static func profile(
        _ name: String,
        _ rows: [RunRow],
        at place: Int,
        days: ClosedRange<Int64>,
        _ label: String
    ) -> Profile {
        let history = ReleaseHistory(rows, label: label)
        return Profile(
            name: name,
            place: place,
            count: TextLayout.counted(rows.count, "run"),
            newest: rows.first?.outcomeTitle.lowercased() ?? "",
            newestTone: rows.first?.tone ?? "",
            // A profile of which there are capacities alone has no nights.
            hasStrip: rows.contains { !$0.tone.isEmpty },
            strip: NightStrip(rows: rows, days: days).plot().markup(),
            history: history,
            hasHistory: !history.releases.isEmpty
        )
    }

    /// Days since the Unix epoch, up to the newest run's.
    private static func days(_ rows: [RunRow]) -> ClosedRange<Int64> {
        let last = rows.first.map(NightStrip.day) ?? 0
        let first = max(rows.last.map(NightStrip.day) ?? 0, last - mostDays + 1)
        return first...max(first, last)
    }

    /// Those that most runs have.
    private static func labels(_ rows: [RunRow]) -> [String] {
        let counts = rows.flatMap(\.labelTexts).reduce(into: [Spelling: Int]()) { $0[Spelling($1), default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostLabels).map(\.key.text)
    }

    private static func figures(_ rows: [RunRow]) -> [VerdictSection.Figure] {
        let judged = rows.filter { !$0.tone.isEmpty }
        let counts = Dictionary(grouping: judged, by: \.tone).mapValues(\.count)
        var figures = [
            VerdictSection.Figure(
                label: "Runs",
                value: TextLayout.grouped(judged.count),
                note: rows.count > judged.count
                    ? "and \(TextLayout.counted(rows.count - judged.count, "capacity result"))" : ""
            ),
            VerdictSection.Figure(
                label: "Passed",
                value: TextLayout.grouped(counts["good"] ?? 0),
                note: "",
                tone: "good"
            ),
            VerdictSection.Figure(
                label: "Failed",
                value: TextLayout.grouped(counts["bad"] ?? 0),
                note: "",
                tone: counts["bad"] == nil ? "" : "bad"
            ),
            VerdictSection.Figure(
                label: "Undecided",
                value: TextLayout.grouped(counts["warn"] ?? 0),
                note: "client-limited, incomplete, undecided or interrupted",
                tone: counts["warn"] == nil ? "" : "warn"
            ),
        ]
        let due = judged.reduce(0.0) { $0 + Double($1.due) }
        let onTime = judged.reduce(0.0) { $0 + Double($1.onTime) }
        if due > 0 {
            figures.append(
                VerdictSection.Figure(
                    label: "On time",
                    value: MetricText.percent(onTime * 100 / due),
                    note: "of all due"
                )
            )
        }
        return figures
    }
}
