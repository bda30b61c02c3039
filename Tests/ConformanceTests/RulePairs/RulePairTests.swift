import TestSupport
import Testing

/// Every rule of the draft that has a pair: nothing in the sound one, exactly its finding in the broken one.
@Suite struct RulePairTests {
    @Test func soundOnesBreakNothingAndBrokenOnesExactlyTheirRule() throws {
        for pair in try Self.all() {
            let name = "\(pair.section) \(pair.rule)"
            #expect(pair.found.sound == [], "\(name): \(pair.sound)")
            #expect(pair.found.broken == [pair.finding], "\(name): \(pair.broken)")
            #expect(pair.sound != pair.broken, "\(name)")
        }
    }

    @Test func thePageHasThemAll() throws {
        try GoldenFile.expect(
            RulePairPage.text(try Self.all()),
            at: "Sources/podswarm/Documentation.docc/RulesOfPlaylists.md"
        )
    }

    private static func all() throws -> [RulePair] {
        TextRulePairs.pairs + MediaRulePairs.pairs + MultivariantRulePairs.pairs + (try VersionRulePairs.pairs())
    }
}
