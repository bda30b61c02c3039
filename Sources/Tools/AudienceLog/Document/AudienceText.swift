import Report
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
        lines += ["", "What this rests on"]
        lines += figures.notes.flatMap { WrappedText.lines($0, width: width, first: "  - ", then: "    ") }
        return lines.map { $0.replacing(/\ +$/, with: "") }.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ milliseconds: Double) -> String { FigureText.hundredths(milliseconds / 1000) + " s" }

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
