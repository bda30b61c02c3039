import Time
import Wording

/// An audience as a profile takes it: `audience: {file: ...}`.
///
/// What a profile cannot say stands in comments.
package struct AudienceYAML {
    private static let width = 118
    private static let mostViewers = 1_000_000
    private static let mostBreaks = 50

    private let figures: AudienceFigures
    private let browserPlayer: String

    /// - Parameters:
    ///   - figures: The audience.
    ///   - browserPlayer: The persona of whoever plays in a page.
    package init(_ figures: AudienceFigures, browserPlayer: String) {
        self.figures = figures
        self.browserPlayer = browserPlayer
    }

    /// Lines, each with a line feed.
    package func text() -> String {
        let parts = [head(), fields(), comment(stays()), comment(polls()), comment(breaks()), comment(figures.notes)]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func head() -> [String] {
        var lines = [
            "An audience from \(AudienceText.counted(figures.files, "log")): \(AudienceText.counted(figures.viewers, "viewer")) from "
                + "\(figures.start.iso8601) on, for \(Duration.seconds(figures.seconds).text).",
            "A profile names it: audience: {file: the name of this file}. Its own fields come before those here.",
        ]
        if figures.meaningless > 0 {
            lines.append("\(AudienceText.counted(figures.meaningless, "line")) of \(figures.lines) meant nothing.")
        }
        return comment(lines)
    }

    private func fields() -> [String] {
        let scale = Double(max(1, figures.peak))
        var lines = [
            "# The most at one time; a run of it lasts \(Duration.seconds(figures.curve.last?.second ?? 0).text) or longer.",
            "viewers: \(min(Self.mostViewers, max(1, figures.peak)))",
            "# The audience is a line between the points: at most "
                + "\(AudienceText.counted(figures.curveError, "viewer")) from what was counted.",
            "curve:", "  points:",
        ]
        lines += figures.curve.map { point in
            "    - {at: \(Duration.seconds(point.second).text), share: \(PercentText.of(Double(point.viewers) / scale))}"
        }
        let churn = PercentText.of(min(1, figures.churnPerMinute))
        if churn != "0%" { lines += ["# Who left and was replaced.", "churnPerMinute: \(churn)"] }
        let personas = AudiencePersonas(figures.players, browserPlayer: browserPlayer).entries
        guard !personas.isEmpty else { return lines }
        lines += ["# By the time that they were watched.", "personas:"]
        lines += personas.map { entry in
            let name = entry.name.map { ", name: \($0)" } ?? ""
            return "  - {persona: \(entry.persona)\(name), share: \(PercentText.of(Double(entry.share) / 10_000))}"
        }
        return lines
    }

    private func stays() -> [String] {
        let stays = figures.stays
        let whole = AudienceText.number(stays.whole)
        var text =
            "Stays: \(whole) with both ends in the log, \(AudienceText.number(stays.cutOff)) that go on at its end"
        if stays.underWay > 0 { text += ", \(AudienceText.number(stays.underWay)) under way at its beginning" }
        let left = stays.percentiles.map {
            "\(PercentText.of($0.share)) within \(Duration.seconds(Int($0.value)).text)"
        }
        text += left.isEmpty ? "." : ". Of all, have left: \(left.joined(separator: ", "))."
        let most = AudienceText.number(figures.joinsPerMinuteAtMost)
        return [text, "The most that joined within a minute: \(most)."]
    }

    private func polls() -> [String] {
        figures.players.filter {
            $0.pollMeanMilliseconds != nil && ($0.group != .other || AudiencePersonas.mayBeNamed($0))
        }
        .prefix(8)
        .map { "Polls of \($0.name): \(AudienceText.polls(of: $0))." }
    }

    private func breaks() -> [String] {
        var lines = figures.breaks.prefix(Self.mostBreaks).map { "Break \(AudienceText.of($0, figures))." }
        if figures.breaks.count > Self.mostBreaks {
            lines.append("\(figures.breaks.count - Self.mostBreaks) more breaks.")
        }
        if !lines.isEmpty {
            let instants = figures.breaks.prefix(Self.mostBreaks)
                .map { Duration.seconds(max(1, (max(0, $0.milliseconds) + 500) / 1000)).text }
            lines.append("As a profile names them: breaks: {source: {list: [\(instants.joined(separator: ", "))]}}.")
        }
        if figures.asksOnJoining > 0 {
            lines.append("Asked for ads on joining: \(AudienceText.counted(figures.asksOnJoining, "time")).")
        }
        if figures.asksApart > 0 {
            lines.append("Asked for ads at other times: \(AudienceText.counted(figures.asksApart, "time")).")
        }
        return lines
    }

    private func comment(_ paragraphs: [String]) -> [String] {
        paragraphs.flatMap { WrappedText.lines($0, width: Self.width, first: "# ", then: "#   ") }
    }
}
