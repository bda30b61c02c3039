import Report
import Rules
import Values

/// An audience in the YAML of a profile, and in words.
package struct AudienceText {
    private static let width = 118
    private static let mostViewers = 1_000_000
    private static let mostBreaks = 50

    private let figures: AudienceFigures

    package init(_ figures: AudienceFigures) { self.figures = figures }

    /// For a profile's `include`; figures without a field are comments.
    package func yaml() -> String {
        let comments = paragraphs.map {
            $0.flatMap { WrappedText.lines($0, width: Self.width, first: "# ", then: "#   ") }
        }
        let parts = comments.prefix(1) + [fields()] + comments.dropFirst()
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The comments of the YAML, wrapped for a terminal.
    package func summary(width: Int) -> String {
        let parts = paragraphs.map { $0.flatMap { WrappedText.lines($0, width: max(40, width), then: "  ") } }
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var paragraphs: [[String]] { [head, stays, polls, breaks, figures.notes].filter { !$0.isEmpty } }

    private var head: [String] {
        let logs = TextLayout.counted(figures.read.files, "log")
        let viewers = TextLayout.counted(figures.viewers, "viewer")
        let read = figures.read
        return [
            "An audience from \(logs): \(viewers) from \(figures.start.iso8601) on, for \(Self.text(figures.seconds)).",
            "A profile names it: include: the name of this file. Its own fields come before those here.",
        ]
            + (read.meaningless > 0
                ? ["\(TextLayout.counted(read.meaningless, "line")) of \(read.lines) meant nothing."] : [])
    }

    private func fields() -> [String] {
        let scale = Double(max(1, figures.peak))
        var lines = [
            "# The most at one time; a run of it lasts \(Self.text(figures.curve.last?.at ?? 0)) or longer.",
            "viewers: \(min(Self.mostViewers, max(1, figures.peak)))",
            "# The audience is a line between the points, "
                + (figures.curveError == 0
                    ? "which is what was counted."
                    : "at most \(TextLayout.counted(figures.curveError, "viewer")) from what was counted."),
            "curve:", "  points:",
        ]
        lines += figures.curve.map { point in
            "    - {at: \(Self.text(point.at)), share: \(FigureText.percent(Double(point.viewers) / scale))}"
        }
        let churn = FigureText.percent(min(1, figures.churnPerMinute))
        if churn != "0%" { lines += ["# Who left and was replaced.", "churnPerMinute: \(churn)"] }
        if !figures.personas.isEmpty { lines += ["# By the time that they were watched.", "personas:"] }
        lines += figures.personas.map { entry in
            let name = entry.name.map { ", name: \($0)" } ?? ""
            return "  - {persona: \(entry.persona)\(name), share: \(FigureText.percent(entry.share))}"
        }
        return ["audience:"] + lines.map { "  " + $0 }
    }

    private var stays: [String] {
        let stays = figures.stays
        let whole = GroupedDigits.text(stays.whole)
        var text =
            "Stays: \(whole) with both ends in the log, \(GroupedDigits.text(stays.cutOff)) that go on at its end"
        if stays.underWay > 0 { text += ", \(GroupedDigits.text(stays.underWay)) under way at its beginning" }
        let left = stays.secondsByShareLeft.map { "\(FigureText.percent($0.share)) within \(Self.text(Int($0.value)))" }
        text += left.isEmpty ? "." : ". Departures: \(left.joined(separator: ", "))."
        return [text, "The most that joined within a minute: \(GroupedDigits.text(figures.joinsPerMinuteAtMost))."]
    }

    private var polls: [String] {
        let polls = figures.players.compactMap { player in
            player.pollMeanMilliseconds.map { mean in
                let figures = ["every \(Self.seconds(mean)) on average"] + Self.shares(player.pollMilliseconds)
                return "Polls of \(player.name): \(figures.joined(separator: ", "))."
            }
        }
        return Array(polls.prefix(8))
    }

    private var breaks: [String] {
        let breaks = figures.breaks.prefix(Self.mostBreaks)
        var lines = breaks.map { "Break \(text(of: $0))." }
        let more = figures.breaks.count - breaks.count
        if more > 0 { lines.append("\(TextLayout.counted(more, "more break")).") }
        if !lines.isEmpty {
            let instants = breaks.map { Self.text(max(1, (max(0, $0.atMilliseconds) + 500) / 1000)) }
            lines.append("As a profile names them: breaks: {source: {list: [\(instants.joined(separator: ", "))]}}.")
        }
        for (asks, time) in [(figures.asksOnJoining, "on joining"), (figures.asksApart, "at other times")]
        where asks > 0 {
            lines.append("Asked for ads \(time): \(TextLayout.counted(asks, "time")).")
        }
        return lines
    }

    private func text(of found: AudienceFigures.Break) -> String {
        var text = "after \(clock(found.atMilliseconds)): \(GroupedDigits.text(found.asked)) asked"
        if let share = found.share {
            text += " of \(GroupedDigits.text(found.present)) who were there, \(FigureText.percent(share))"
        }
        let delays = Self.shares(found.delayMilliseconds)
        return text + (delays.isEmpty ? "" : "; \(delays.joined(separator: ", "))")
    }

    /// `m:ss`, or `h:mm:ss` from an hour on; with hundredths if the log has milliseconds.
    private func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        func two(_ number: Int) -> String { String(number).leftPadded(to: 2) }
        let head = seconds < 3600 ? "\(seconds / 60)" : "\(seconds / 3600):\(two(seconds / 60 % 60))"
        return "\(head):\(two(seconds % 60))" + (figures.stamps == .second ? "" : ".\(two(milliseconds % 1000 / 10))")
    }

    private static func seconds(_ milliseconds: Double) -> String { MetricText.number(milliseconds / 1000) + " s" }

    private static func shares(_ percentiles: [AudienceFigures.Percentile]) -> [String] {
        percentiles.map { "\(FigureText.percent($0.share)) within \(seconds($0.value))" }
    }

    private static func text(_ seconds: Int) -> String { Duration.seconds(seconds).text }
}

enum FigureText {
    static func percent(_ share: Double) -> String { MetricText.number(share * 100) + "%" }
}
