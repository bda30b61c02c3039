import Comparison
import Results
import Rules

extension LibraryPage {
    /// The page's script adds the other rows.
    private static let firstRows = 50
    private static let mostLabels = 200
    private static let mostLeftOut = 100

    var content: String {
        let parts = list.rows.isEmpty ? [] : [filters, nights, runs, compared, releases, choice]
        return ([verdict] + parts + [leftOut]).joined(separator: "\n")
    }

    private func text(_ text: String) -> String { HTMLText.escaped(text) }

    private var escapedLabel: String { text(label) }

    private var verdict: String {
        var html = HTMLRendering()
        html.write([.figures(figures)])
        let empty =
            "<p class=\"meaning\">There is no result here yet. A run writes one: "
            + "<code>podswarm run Profiles/quick.yaml</code></p>"
        return "<section id=\"verdict\" class=\"verdict\" aria-label=\"All runs\" tabindex=\"-1\">\n"
            + html.text + (list.rows.isEmpty ? empty : "") + "</section>"
    }

    private var figures: [Figure?] {
        let judged = list.rows.filter { $0.tone != .plain }
        let counts = Dictionary(grouping: judged, by: \.tone).mapValues(\.count)
        let others = list.rows.count - judged.count
        let count = { (tone: Tone) in TextLayout.grouped(counts[tone] ?? 0) }
        let due = judged.reduce(0.0) { $0 + Double($1.due) }
        let onTime = judged.reduce(0.0) { $0 + Double($1.onTime) }
        let tone = { (tone: Tone) in counts[tone] == nil ? .plain : tone }
        let capacities = others > 0 ? "and \(TextLayout.counted(others, "capacity result"))" : ""
        let undecided = "client-limited, incomplete, undecided or interrupted"
        return [
            Figure("Runs", TextLayout.grouped(judged.count), note: capacities),
            Figure("Passed", count(.good), tone: .good), Figure("Failed", count(.bad), tone: tone(.bad)),
            Figure("Undecided", count(.warn), note: undecided, tone: tone(.warn)),
            due > 0 ? Figure("On time", MetricText.percent(onTime * 100 / due), note: "of all due") : nil,
        ]
    }

    private var filters: String {
        let known = Set(list.rows.map(\.outcome))
        let outcomes = RunFilter.outcomes.filter(known.contains).map { outcome in
            let title = list.rows.first { $0.outcome == outcome }?.outcomeTitle ?? outcome
            return "<option value=\"\(text(outcome))\">\(text(title))</option>"
        }
        let counts = list.rows.flatMap(\.labelTexts)
            .reduce(into: [Spelling: Int]()) { $0[Spelling($1), default: 0] += 1 }
        let labels = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostLabels)
            .map { "<option value=\"\(text($0.key.text))\"></option>" }
        return """
            <form id="filters" hidden aria-label="Filter" autocomplete="off">
            <label>Profile <select id="f-profile"><option value="">all</option>\(profiles.map { "<option>\(text($0.name))</option>" }.joined())</select></label>
            <label>Verdict <select id="f-outcome"><option value="">all</option>\(outcomes.joined())</select></label>
            <label>Label <input id="f-label" type="search" list="labels" placeholder="\(escapedLabel)=…" autocomplete="off" spellcheck="false"></label>
            <datalist id="labels">\(labels.joined())</datalist>
            <label>From <input id="f-since" type="date"></label>
            <label>Until <input id="f-until" type="date"></label>
            <button type="button" id="f-reset">All runs</button>
            <p id="found" role="status">\(TextLayout.counted(list.rows.count, "run"))</p>
            </form>
            """
    }

    private static let none = Markup(trusted: "<p class=\"sub none\" hidden>No run is like this.</p>")

    private var nights: String {
        let lead: Words =
            "The worst verdict of each day. A low bar passed, a middle one is undecided, a full one failed."
        let strips = profiles.compactMap { profile in
            profile.strip.map {
                let count = TextLayout.counted(profile.rows.count, "run")
                let newest = profile.rows.first
                return
                    "<figure class=\"of-profile\" data-profile=\"\(profile.place)\"><figcaption><b>\(text(profile.name))</b>"
                    + " <span>\(count)</span>, the newest <span class=\"tag \((newest?.tone ?? .plain).rawValue)\">"
                    + "\(text(newest?.outcomeTitle.lowercased() ?? ""))</span></figcaption>\($0.renderText)</figure>"
            }
        }
        return HTMLRendering.section(
            Section("nights", "Nights").showing([
                .lead(lead), .markup(Self.none), .markup(Markup(trusted: strips.joined(separator: "\n"))),
            ])
        )
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

    private var runs: String {
        let more =
            "<noscript><p class=\"sub\">Without scripts the newest runs stand here; <code>podswarm results</code> lists"
            + " all.</p></noscript>"
        return """
            <section id="runs" aria-labelledby="runs-h" tabindex="-1">
            <h2 id="runs-h">Runs</h2>
            <p class="lead">Newest first. Choose two to compare the newer with the older.</p>
            <div class="wide"><table id="list">
            <thead><tr><th class="pick"><span class="hidden">Compare</span></th><th class="l">Started (UTC)</th>\
            <th class="l">Profile</th><th class="l">Verdict</th><th>On time</th><th>Findings</th><th class="l">\(escapedLabel)</th></tr></thead>
            <tbody>
            \(list.rows.prefix(Self.firstRows).map(line).joined(separator: "\n"))
            </tbody>
            </table></div>
            \(Self.none.renderText)
            <button type="button" id="more" hidden>Show more</button>
            \(list.rows.count > Self.firstRows ? more : "")
            </section>
            """
    }

    private var compared: String {
        """
        <section id="compared" aria-labelledby="compared-h" tabindex="-1" hidden>
        <h2 id="compared-h">Side by side</h2>
        <p class="lead" id="compared-lead"></p>
        <div class="wide" tabindex="0" role="group" aria-label="Two runs side by side"><table id="sides"><thead><tr>\
        <th class="l"><span class="hidden">What</span></th><th class="l">Older</th><th class="l">Newer</th>\
        <th class="l">Difference</th></tr></thead><tbody></tbody></table></div>
        <p class="sub">One run on each side: a difference may be chance, which podswarm compare judges by all that the \
        results hold. <span id="compared-commands"></span></p>
        </section>
        """
    }

    private func history(_ profile: Profile) -> String {
        let history = profile.history
        let charts = history.charts.map { chart in
            "<figure><figcaption><code>\(text(chart.metric))</code> <b>\(text(chart.newest))</b></figcaption>"
                + chart.chart.renderText
                + chart.changes.map { "<p class=\"sub\" data-at=\"\($0.index)\">\(text($0.text))</p>" }.joined()
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

    private var releases: String {
        let ofAll = """
            <p class="sub" id="of-all" hidden>Faint dots are runs that the filter leaves out. Lines, changes and counts below the \
            charts are of all runs; the tables are of the runs that it shows.</p>
            """
        let lead =
            "A dot for each run that says something certain, a line at the median of each \(label). "
            + "Dashed: a lasting change of the metric."
        let histories = profiles.filter { !$0.history.releases.isEmpty }.map(history).joined(separator: "\n")
        return HTMLRendering.section(
            Section("releases", "Releases").showing([
                .lead(Words(lead)), .markup(Self.none), .markup(Markup(trusted: ofAll)),
                .markup(Markup(trusted: histories)),
            ])
        )
    }

    private var choice: String {
        """
        <p class="hidden" id="choice-said" role="status"></p>
        <div id="choice" role="region" aria-label="Comparison" hidden><p id="choice-text"></p>\
        <a id="choice-sides" href="#compared" hidden>Side by side</a><a id="choice-link" hidden>Whole comparison</a>\
        <button type="button" id="choice-clear">Clear</button></div>
        <script type="application/json" id="data">\(data)</script>
        """
    }

    private var leftOut: String {
        guard !list.leftOut.isEmpty else { return "" }
        let shown = list.leftOut.prefix(Self.mostLeftOut)
        let more = list.leftOut.count - shown.count
        let files = shown.map { Words("\(code: $0.path): \($0.reason)") }
        let title = "\(TextLayout.counted(list.leftOut.count, "file")) ending in .json that cannot be shown"
        let rest = more > 0 ? Block.said("And \(TextLayout.grouped(more)) more.") : nil
        return HTMLRendering.section(
            Section("left-out", "No results").showing([.folded(Words(title), [.list(files), rest])])
        )
    }
}
