import Results
import Testing

@testable import Comparison

@Suite struct CapacityTrendTests {
    private static let usual: [Double] = [2_000, 2_060, 1_950, 2_030, 1_980, 2_010, 1_990]

    private static func history(_ values: [Double]) throws -> [CapacityFigures] {
        try values.enumerated().map {
            try CapacityFixture.search($0.offset, release: "\($0.offset)", value: $0.element)
        }
    }

    @Test func theNewestIsHeldAgainstTheEarlier() throws {
        for (newest, outcome, verdict) in [
            (2_020.0, TrendVerdict.Outcome.asExpected, TrendMetric.Verdict.asExpected), (1_400, .worse, .worse),
            (2_900, .asExpected, .better),
        ] {
            let document = try #require(TrendAnalysis().document(of: Self.history(Self.usual + [newest])))
            #expect(document.verdict.outcome == outcome)
            let metric = try #require(document.metrics.first)
            #expect(metric.metric == "capacity.viewers" && metric.gating && !metric.higherIsWorse)
            #expect(metric.verdict == verdict && metric.expected?.runs == 7 && metric.values.count == 8)
            #expect(document.verdict.exitCode == (outcome == .worse ? 1 : 0))
        }
    }

    /// A twentieth less is nothing to be woken for, however steady the history was.
    @Test func aSmallChangeIsNoNews() throws {
        let steady = [2_000.0, 2_001, 2_000, 1_999, 2_000, 2_000]
        #expect(try TrendAnalysis().document(of: Self.history(steady + [1_930]))?.verdict.outcome == .asExpected)
        #expect(try TrendAnalysis().document(of: Self.history(steady + [1_800]))?.verdict.outcome == .worse)
    }

    @Test func aFewTellNothing() throws {
        let document = try #require(TrendAnalysis().document(of: Self.history([2_000, 2_010, 400])))
        #expect(document.verdict.outcome == .tooFewRuns && document.verdict.exitCode == 3)
        #expect(TrendAnalysis().document(of: [CapacityFigures]()) == nil)
    }

    @Test func searchesThatFoundNothingAreLeftOut() throws {
        var searches = try Self.history(Self.usual + [2_000])
        searches[2].answer.kind = .atLeast
        let document = try #require(TrendAnalysis().document(of: searches))
        #expect(document.runs.count == 7 && document.leftOut.map(\.path) == [searches[2].path])
        #expect(document.verdict.outcome == .asExpected)
        searches[7].state = .interrupted
        let open = try #require(TrendAnalysis().document(of: searches))
        #expect(open.verdict.outcome == .newestLeftOut && open.verdict.exitCode == 3)
    }

    @Test func whatIsOfAnotherThingIsAnotherHistory() throws {
        var searches = try Self.history(Self.usual + [2_000])
        (searches[0].search.profileDigest, searches[1].asked.hold) = ("sha256:aa", ["breaks.on_time >= 50%"])
        searches[2].search.host.cpuCount = 1
        let document = try #require(TrendAnalysis().document(of: searches.reversed() + searches))
        #expect(document.runs.count == 5 && document.otherGroups.count == 3)
        let other = try #require(TrendAnalysis(digest: "aa").document(of: searches))
        #expect(other.runs.map(\.path) == [searches[0].path])
        #expect(TrendAnalysis(digest: "bb").document(of: searches) == nil)
    }
}
