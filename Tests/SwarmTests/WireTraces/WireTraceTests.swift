import Profile
import Rules
import TestSupport
import Testing

@testable import Swarm
@testable import Viewer

/// What each player sends to the same channel with two breaks, and where that is from.
@Suite struct WireTraceTests {
    private static let names = KnownPersona.all.map(\.persona.name)

    private static func golden(_ name: String, _ script: WireChannel.Script, _ kind: String) -> String {
        "Tests/SwarmTests/WireTraces/Goldens/\(name)\(script == .clean ? "" : "-\(script.rawValue)").\(kind)"
    }

    @Test(arguments: Self.names, WireChannel.Script.allCases)
    func theTraceIsAsPinned(name: String, script: WireChannel.Script) throws {
        let trace = WireTrace.recorded([try #require(KnownPersona.named(name))], script)[0]
        try GoldenFile.expect(trace.text, at: Self.golden(name, script, "txt"))
    }

    @Test(arguments: WireChannel.Script.allCases)
    func allStandSideBySideWithTheReasonOfEachDifference(script: WireChannel.Script) throws {
        let table = WireTraceTable(KnownPersona.all, WireTrace.recorded(KnownPersona.all, script))
        try GoldenFile.expect(table.markdown, at: Self.golden("side-by-side", script, "md"))
        let reasons = table.rows.flatMap(table.reasons)
        #expect(reasons.count > 50)
        for reason in reasons {
            #expect(!reason.facts.isEmpty, "the players' facts do not explain it: \(reason)")
            #expect(!reason.sources.contains("no source"), "\(reason)")
        }
    }
}

/// The traces of all players side by side: one row a request, one column a player, and what makes the difference.
struct WireTraceTable {
    /// One request, and when each player made it.
    struct Row {
        /// One player's, by which it is named.
        var line: WireTrace.Line
        /// Counts the requests of the same path, from 1.
        var occurrence: Int
        /// By player; nil where it was not made.
        var cells: [WireTrace.Line?]

        var path: String { line.path }

        var first: Int64 { cells.compactMap { $0?.milliseconds }.min() ?? .max }
    }

    /// Why a player differs from the first one: facts by path, and where they are from.
    struct Reason: Equatable {
        var player: String
        var facts: [String]
        var sources: [String]
    }

    var players: [KnownPersona]
    var script: WireChannel.Script
    var rows: [Row]

    /// Takes one trace for each player, in the same order, all of one script.
    init(_ players: [KnownPersona], _ traces: [WireTrace]) {
        self.players = players
        script = traces.first?.script ?? .clean
        var rows: [String: Row] = [:]
        for (column, trace) in traces.enumerated() {
            var seen: [String: Int] = [:]
            for line in trace.lines {
                let occurrence = (seen[line.path] ?? 0) + 1
                seen[line.path] = occurrence
                let cells: [WireTrace.Line?] = Array(repeating: nil, count: traces.count)
                let empty = Row(line: line, occurrence: occurrence, cells: cells)
                rows["\(line.path) \(occurrence)", default: empty].cells[column] = line
            }
        }
        self.rows = rows.values.sorted { ($0.first, $0.path, $0.occurrence) < ($1.first, $1.path, $1.occurrence) }
    }

    // MARK: Reasons

    /// What explains each cell that is not as the first player's; a reason without facts explains nothing.
    func reasons(_ row: Row) -> [Reason] {
        guard let reference = row.cells.first else { return [] }
        return players.indices.dropFirst().compactMap { column in
            guard !Self.isSame(row.cells[column], reference) else { return nil }
            let facts = differingFacts(row, reference, column)
            let known = players[column]
            var sources: [String] = []
            for fact in facts {
                let source = known.source(of: fact.path).map { "\($0.kind): \($0.text)" } ?? "no source"
                if !sources.contains(source) { sources.append(source) }
            }
            let texts = facts.map { "\($0.path) \($0.text(known.persona))" + (known.isUnconfirmed($0.path) ? "*" : "") }
            return Reason(player: known.persona.name, facts: texts, sources: sources)
        }
    }

    private static func isSame(_ one: WireTrace.Line?, _ other: WireTrace.Line?) -> Bool {
        one?.milliseconds == other?.milliseconds && one?.query == other?.query && one?.ending == other?.ending
    }

    /// The facts that can move such a request and in which the player differs from the first one: of the nearest cause
    /// in which there are any.
    private func differingFacts(_ row: Row, _ reference: WireTrace.Line?, _ column: Int) -> [PersonaFact] {
        let cell = row.cells[column]
        let differing = PersonaFact.all.filter { $0.text(players[0].persona) != $0.text(players[column].persona) }
        func found(_ paths: [String]) -> [PersonaFact] {
            differing.filter { fact in paths.contains { fact.path == $0 || fact.path.hasPrefix("\($0).") } }
        }
        let facts = players[column].persona.interstitials
        var reasons: [PersonaFact] = []
        if let cell, let reference, cell.query != reference.query { reasons += found(["interstitials.primaryID"]) }
        if let cell, let reference, cell.ending != reference.ending { reasons += found(Self.patience) }
        if cell?.milliseconds != reference?.milliseconds {
            let isExtra = cell == nil || reference == nil
            for cause in causes(of: row, facts, isOneSided: isExtra) where !found(cause).isEmpty {
                reasons += found(cause).filter { fact in !reasons.contains { $0.path == fact.path } }
                break
            }
        }
        return reasons
    }

    private static let patience = ["assetList.firstByte", "assetList.total", "assetList.afterTimeout.retries"]
    private static let never = ["interstitials.trigger"]
    private static let trigger = [
        "interstitials.trigger", "interstitials.lookAhead", "interstitials.leadTargets", "interstitials.lead",
    ]
    /// Of a channel with one rendition.
    private static let reload = ["reload.afterChange", "reload.unchanged", "reload.clock"]

    /// From the nearest cause to the farthest.
    private func causes(of row: Row, _ facts: InterstitialFacts, isOneSided: Bool) -> [[String]] {
        guard row.path.hasPrefix("/ads/") || row.path.hasPrefix("/beacon/") else {
            return row.line.kind == .segment
                ? [Self.reload, ["start.point"], Self.trigger, Self.patience] : [Self.reload]
        }
        guard facts.trigger != .never else { return [Self.never] }
        var causes: [[String]] = []
        if row.line.kind == .beacon { causes.append(["interstitials.beacons"]) }
        if script == .failing, isOneSided { causes.append(row.occurrence > 1 ? Self.retries(row) : Self.patience) }
        let isOfFirst = ["/ads/first", "/ads/one", "/ads/two", "/beacon/"].contains { row.path.hasPrefix($0) }
        switch facts.preload {
        case .ignored: causes.append(isOfFirst ? Self.trigger + ["interstitials.preload"] : Self.trigger)
        case .rangeStart, .randomPoint:
            causes += isOfFirst ? [["interstitials.preload"], Self.trigger] : [Self.trigger]
        }
        return causes + [["interstitials.assetsTogether"], Self.reload, Self.patience]
    }

    /// What makes a player ask once more, by how it ended.
    private static func retries(_ row: Row) -> [String] {
        let endings = row.cells.compactMap { $0?.ending }
        return [endings.contains { Int($0) != nil } ? "assetList.afterError.retries" : "assetList.afterTimeout.retries"]
    }

    // MARK: Text

    var markdown: String {
        var lines = ["| Request | " + players.map { "`\($0.persona.name)`" }.joined(separator: " | ") + " | Why |"]
        lines.append(String(repeating: "| --- ", count: players.count + 2) + "|")
        for row in rows {
            let name =
                "\(row.line.method) \(row.line.kind.name) `\(row.path)`"
                + (row.occurrence > 1 ? " \(row.occurrence)" : "")
            let cells = row.cells.map { $0.map(Self.cell) ?? "–" }
            lines.append("| \(name) | " + cells.joined(separator: " | ") + " | \(why(row)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cell(_ line: WireTrace.Line) -> String {
        let query = line.query.map { $0 == "_HLS_primary_id={primary_id}" ? "id" : $0 }
        let ending = line.ending.isEmpty ? [] : ["(\(line.ending))"]
        return ([String(line.milliseconds)] + query + ending).joined(separator: " ")
    }

    /// Players that differ for the same facts with the same sources are named together.
    private func why(_ row: Row) -> String {
        var groups: [(players: [String], reason: Reason)] = []
        for reason in reasons(row) {
            if let known = groups.firstIndex(where: {
                $0.reason.facts == reason.facts && $0.reason.sources == reason.sources
            }) {
                groups[known].players.append(reason.player)
            } else {
                groups.append(([reason.player], reason))
            }
        }
        return groups.map { group in
            "\(group.players.joined(separator: ", ")): \(group.reason.facts.joined(separator: ", ")) "
                + "[\(group.reason.sources.joined(separator: "; "))]"
        }.joined(separator: " · ")
    }
}
