import Time
import Wording

/// An audience for whoever sees it read.
package struct AudienceText {
    private let figures: AudienceFigures
    private let width: Int

    package init(_ figures: AudienceFigures, width: Int) {
        self.figures = figures
        self.width = max(40, width)
    }

    /// Lines, each with a line feed.
    package func render() -> String {
        let head =
            "\(Self.counted(figures.viewers, "viewer")) in \(Self.counted(figures.lines, "line")), from \(figures.start.iso8601) "
            + "on, for \(Duration.seconds(figures.seconds).text); at most \(Self.number(figures.peak)) at one time."
        let players = figures.players.filter { $0.group != .other || AudiencePersonas.mayBeNamed($0) }
            .prefix(12)
            .map { player in
                [
                    "  " + player.name, PercentText.of(player.share), Self.number(player.viewers),
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

    static func number(_ number: Int) -> String {
        var digits = String(abs(number))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    static func counted(_ number: Int, _ noun: String) -> String {
        "\(Self.number(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    static func seconds(_ milliseconds: Double) -> String {
        let tenths = Int((milliseconds / 10).rounded())
        let rest = tenths % 100
        return
            "\(tenths / 100)\(rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)") s"
    }

    /// Minutes and seconds, and hours where there are any.
    static func clock(_ milliseconds: Int, exact: Bool) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = milliseconds / 1000
        let minutes = seconds / 60
        let head = minutes < 60 ? "\(minutes)" : "\(minutes / 60):\(padded(minutes % 60))"
        return "\(head):\(padded(seconds % 60))" + (exact ? ".\(padded(milliseconds % 1000 / 10))" : "")
    }

    static func polls(of player: AudienceFigures.Player) -> String {
        let mean = player.pollMeanMilliseconds.map { "every \(seconds($0)) on average" } ?? "unknown"
        let spread = player.polls.map { "\(PercentText.of($0.share)) within \(seconds($0.value))" }
        return ([mean] + spread).joined(separator: ", ")
    }

    static func of(_ found: AudienceFigures.Break, _ figures: AudienceFigures) -> String {
        var text = "after \(clock(found.milliseconds, exact: !figures.hasWholeSeconds)): \(number(found.asked)) asked"
        if let share = found.share { text += " of \(number(found.present)) who were there, \(PercentText.of(share))" }
        let delays = found.delays.map { "\(PercentText.of($0.share)) within \(seconds($0.value))" }
        return text + (delays.isEmpty ? "" : "; \(delays.joined(separator: ", "))")
    }
}
