import Report
import Rules
import Values

package struct AudienceText {
    private let figures: AudienceFigures
    private let width: Int

    package init(_ figures: AudienceFigures, width: Int) {
        self.figures = figures
        self.width = max(40, width)
    }

    package func render() -> String {
        let head =
            "\(TextLayout.counted(figures.viewers, "viewer")) in \(TextLayout.counted(figures.read.lines, "line")), from "
            + "\(figures.start.iso8601) on, for \(Duration.seconds(figures.seconds).text); at most "
            + "\(GroupedDigits.text(figures.peak)) at one time."
        let players = figures.players.prefix(12)
            .map { player in
                [
                    "  " + player.name, FigureText.percent(player.share), GroupedDigits.text(player.viewers),
                    player.pollMeanMilliseconds == nil ? "" : Self.polls(of: player),
                ]
            }
        let rows = [["  player", "watched", "viewers", "polls"]] + players
        let breaks = figures.breaks.prefix(20).map { "  " + Self.of($0, figures) }
        var lines = WrappedText.lines(head, width: width) + [""] + TextColumns.lines(rows, othersFlush: .left)
        if !breaks.isEmpty { lines += ["", "Breaks"] + breaks }
        lines += ["", "Assumptions"]
        lines += figures.notes.flatMap { WrappedText.lines($0, width: width, first: "  - ", then: "    ") }
        return lines.map { $0.replacing(/\ +$/, with: "") }.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ milliseconds: Double) -> String { MetricText.number(milliseconds / 1000) + " s" }

    /// `m:ss`, or `h:mm:ss` from an hour on; with hundredths if `exact`.
    private static func clock(_ milliseconds: Int, exact: Bool) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = milliseconds / 1000
        let minutes = seconds / 60
        let head = minutes < 60 ? "\(minutes)" : "\(minutes / 60):\(padded(minutes % 60))"
        return "\(head):\(padded(seconds % 60))" + (exact ? ".\(padded(milliseconds % 1000 / 10))" : "")
    }

    private static func shares(_ percentiles: [AudienceFigures.Percentile]) -> [String] {
        percentiles.map { "\(FigureText.percent($0.share)) within \(seconds($0.value))" }
    }

    static func polls(of player: AudienceFigures.Player) -> String {
        let mean = player.pollMeanMilliseconds.map { "every \(seconds($0)) on average" } ?? "unknown"
        return ([mean] + shares(player.pollMilliseconds)).joined(separator: ", ")
    }

    static func of(_ found: AudienceFigures.Break, _ figures: AudienceFigures) -> String {
        var text = "after \(clock(found.atMilliseconds, exact: figures.stamps == .millisecond)): "
        text += "\(GroupedDigits.text(found.asked)) asked"
        if let share = found.share {
            text += " of \(GroupedDigits.text(found.present)) who were there, \(FigureText.percent(share))"
        }
        let delays = shares(found.delayMilliseconds)
        return text + (delays.isEmpty ? "" : "; \(delays.joined(separator: ", "))")
    }
}

/// For a profile's `include`; figures without a field are comments.
package struct AudienceYAML {
    private static let width = 118
    private static let mostViewers = 1_000_000
    private static let mostBreaks = 50

    private let figures: AudienceFigures

    package init(_ figures: AudienceFigures) { self.figures = figures }

    package func text() -> String {
        let parts = [head(), fields(), comment(stays()), comment(polls()), comment(breaks()), comment(figures.notes)]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func head() -> [String] {
        var lines = [
            "An audience from \(TextLayout.counted(figures.read.files, "log")): \(TextLayout.counted(figures.viewers, "viewer")) from "
                + "\(figures.start.iso8601) on, for \(Duration.seconds(figures.seconds).text).",
            "A profile names it: include: the name of this file. Its own fields come before those here.",
        ]
        if figures.read.meaningless > 0 {
            lines.append(
                "\(TextLayout.counted(figures.read.meaningless, "line")) of \(figures.read.lines) meant nothing."
            )
        }
        return comment(lines)
    }

    private func fields() -> [String] {
        let scale = Double(max(1, figures.peak))
        var lines = [
            "# The most at one time; a run of it lasts \(Duration.seconds(figures.curve.last?.at ?? 0).text) or longer.",
            "viewers: \(min(Self.mostViewers, max(1, figures.peak)))",
            "# The audience is a line between the points: at most "
                + "\(TextLayout.counted(figures.curveError, "viewer")) from what was counted.",
            "curve:", "  points:",
        ]
        lines += figures.curve.map { point in
            "    - {at: \(Duration.seconds(point.at).text), share: \(FigureText.percent(Double(point.viewers) / scale))}"
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

    private func stays() -> [String] {
        let stays = figures.stays
        let whole = GroupedDigits.text(stays.whole)
        var text =
            "Stays: \(whole) with both ends in the log, \(GroupedDigits.text(stays.cutOff)) that go on at its end"
        if stays.underWay > 0 { text += ", \(GroupedDigits.text(stays.underWay)) under way at its beginning" }
        let left = stays.secondsByShareLeft.map {
            "\(FigureText.percent($0.share)) within \(Duration.seconds(Int($0.value)).text)"
        }
        text += left.isEmpty ? "." : ". Departures: \(left.joined(separator: ", "))."
        let most = GroupedDigits.text(figures.joinsPerMinuteAtMost)
        return [text, "The most that joined within a minute: \(most)."]
    }

    private func polls() -> [String] {
        figures.players.filter { $0.pollMeanMilliseconds != nil }.prefix(8).map {
            "Polls of \($0.name): \(AudienceText.polls(of: $0))."
        }
    }

    private func breaks() -> [String] {
        var lines = figures.breaks.prefix(Self.mostBreaks).map { "Break \(AudienceText.of($0, figures))." }
        if figures.breaks.count > Self.mostBreaks {
            lines.append("\(figures.breaks.count - Self.mostBreaks) more breaks.")
        }
        if !lines.isEmpty {
            let instants = figures.breaks.prefix(Self.mostBreaks)
                .map { Duration.seconds(max(1, (max(0, $0.atMilliseconds) + 500) / 1000)).text }
            lines.append("As a profile names them: breaks: {source: {list: [\(instants.joined(separator: ", "))]}}.")
        }
        if figures.asksOnJoining > 0 {
            lines.append("Asked for ads on joining: \(TextLayout.counted(figures.asksOnJoining, "time")).")
        }
        if figures.asksApart > 0 {
            lines.append("Asked for ads at other times: \(TextLayout.counted(figures.asksApart, "time")).")
        }
        return lines
    }

    private func comment(_ paragraphs: [String]) -> [String] {
        paragraphs.flatMap { WrappedText.lines($0, width: Self.width, first: "# ", then: "#   ") }
    }
}

enum FigureText {
    static func percent(_ share: Double) -> String { MetricText.number(share * 100) + "%" }
}
