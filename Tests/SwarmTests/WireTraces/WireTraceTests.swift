import LoadProfile
import Players
import Rulebook
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
