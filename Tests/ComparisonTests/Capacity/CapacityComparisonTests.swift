import Glibc
import Testing
import Values

@testable import Comparison
@testable import Results

@Suite struct CapacityComparisonTests {
    private typealias Fixture = CapacityFixture

    /// A search that found 2,000, and one of the next release.
    private func compare(_ value: Double, within percent: Double = 8) throws -> CapacityComparisonDocument {
        let candidate = try Fixture.search(1, release: "1.4.2", value: value, within: percent)
        return Fixture.compare([try Fixture.search(0, within: percent)], [candidate])
    }

    @Test func aCertainFallIsARegression() throws {
        let document = try compare(1_500)
        #expect(document.verdict.outcome == .regression && document.verdict.exitCode == 1)
        #expect(document.text.hasPrefix("The capacity fell: 2000 to 1500 viewers, -25.0%"))
        let ratio = try #require(document.ratio)
        // Both intervals are ± ln 1.08 at 90 %.
        let reach = 1.959_964 * log(1.08) / 1.644_854 * 2.0.squareRoot()
        #expect(abs(ratio.value - 0.75) < 1e-9 && ratio.intervalPercent == 95)
        #expect(abs(log(ratio.upper) - log(0.75) - reach) < 1e-4)
        #expect(document.base.title == "release=1.4.1" && document.candidate.title == "release=1.4.2")
        #expect(document.base.estimate.map { abs($0.lower - 2_000 / 1.08) < 1 } == true)
    }

    @Test func equalReleasesAreNoWorseAndWideIntervalsDecideNothing() throws {
        let document = try compare(1_990)
        #expect(document.verdict.outcome == .noRegression && document.verdict.exitCode == 0)
        #expect(document.verdict.reasons == [] && document.verdict.improvements == [])
        let better = try compare(4_000)
        #expect(better.verdict.outcome == .noRegression && better.verdict.improvements.count == 1)
        let wide = try compare(1_700, within: 40)
        #expect(wide.verdict.outcome == .inconclusive && wide.verdict.exitCode == 3)
        #expect(wide.text.contains("More searches on each side"))
    }

    /// Of a time that is needed, less is better.
    @Test func aLongerNeedIsWorse() throws {
        func need(_ number: Int, _ value: Double) throws -> CapacityFigures {
            var search = try Fixture.search(number, value: value)
            search.asked.quantity = .jitter
            return search
        }
        #expect(try Fixture.compare([need(0, 800)], [need(1, 1_200)]).verdict.outcome == .regression)
        let shorter = try Fixture.compare([need(0, 800)], [need(1, 500)])
        #expect(shorter.verdict.outcome == .noRegression && shorter.decidedFrom == 1.25)
    }

    @Test(arguments: [CapacityAnswer.Kind.atLeast, .below, .unknown])
    func whatFoundNothingDecidesNothing(kind: CapacityAnswer.Kind) throws {
        let (base, odd) = (try Fixture.search(0), try Fixture.search(1, value: 900, kind: kind))
        let document = Fixture.compare([base], [odd])
        #expect(document.verdict.exitCode == 3 && document.ratio == nil)
        #expect(document.candidate.searches[0].leftOut != nil)
        // It is left aside only where somebody says so.
        let other = try Fixture.search(2)
        #expect(Fixture.compare([base], [odd, other]).verdict.exitCode == 3)
        let aside = ComparisonOptions(leavesUnfitAside: true)
        #expect(Fixture.compare([base], [odd, other], options: aside).verdict.exitCode == 0)
    }

    @Test func interruptedSearchesDecideNothing() throws {
        for state in [CapacityDocument.State.running, .interrupted] {
            var search = try Fixture.search(1)
            search.state = state
            #expect(try Fixture.compare([Fixture.search(0)], [search]).verdict.exitCode == 3)
        }
    }

    @Test func capacitiesOfUnlikeThingsAreNotCompared() throws {
        let base = try Fixture.search(0)
        var (profile, host, rule) = (base, base, base)
        profile.search.profileDigest = "sha256:other"
        host.search.host.cpuCount += 1
        rule.asked.hold = ["breaks.on_time >= 90%"]
        for (odd, aspect) in [(profile, "profile"), (host, "host"), (rule, "hold")] {
            let document = Fixture.compare([base], [odd])
            #expect(document.verdict.outcome == .incomparable && document.verdict.exitCode == 3)
            #expect((document.comparability.differences.map(\.aspect), document.ratio) == ([aspect], nil))
        }
        let allowed = ComparisonOptions(allowed: [.profile, .host])
        #expect(Fixture.compare([base], [profile], options: allowed).verdict.exitCode == 0)
        #expect(Fixture.compare([base], [host], options: allowed).verdict.exitCode == 0)
        #expect(Fixture.compare([base], [rule], options: allowed).verdict.exitCode == 3)
        // The same asked for in another order is the same.
        rule.asked.hold = base.asked.hold.reversed()
        #expect(Fixture.compare([base], [rule]).verdict.exitCode == 0)
    }

    @Test func severalSearchesAreSurerThanOne() throws {
        let one = try #require(LogEstimate(Fixture.search(0).answer))
        let four = try #require(LogEstimate(Array(repeating: one, count: 4)))
        #expect(abs(four.variance - one.variance / 4) < 1e-12 && four.degreesOfFreedom == .infinity)
        let apart = try [1_600, 2_000, 2_500].map {
            try #require(LogEstimate(Fixture.search(0, value: $0, within: 1).answer))
        }
        let spread = try #require(LogEstimate(apart))
        #expect(spread.degreesOfFreedom == 2)
        let logarithms = apart.map(\.mean)
        let mean = logarithms.reduce(0, +) / 3
        #expect(abs(spread.variance - logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 6) < 1e-12)
        #expect(LogEstimate([]) == nil)
    }

    @Test func answersThatNoIntervalHoldsAreNone() throws {
        for (value, lower, upper, percent) in [
            (0.0, 0.0, 0.0, 90.0), (10, 11, 12, 90), (10, 9, .infinity, 90), (10, -1, 11, 90), (10, 9, 11, 100),
            (.nan, 9, 11, 90),
        ] {
            let answer = CapacityAnswer(
                kind: .found,
                value: value,
                lower: lower,
                upper: upper,
                intervalPercent: percent,
                text: ""
            )
            #expect(LogEstimate(answer) == nil)
        }
    }

    /// Equal releases, searches that state 6 %, and days that differ by as much again: simulated with a fixed seed.
    @Test(arguments: [(2, 0.0), (2, 0.06), (3, 0.06), (5, 0.06), (3, 0.12)])
    func theIntervalHoldsTheTruthAsOftenAsItSays(searches: Int, between: Double) throws {
        var random = SplitMix64(seed: 20)
        func normal() -> Double { NormalDistribution.quantile(min(max(random.unit(), 1e-12), 1 - 1e-12)) }
        let one = try #require(LogEstimate(Fixture.search(0, within: 10.37).answer))
        func side() throws -> LogEstimate {
            let deviation = one.variance.squareRoot()
            return try #require(
                LogEstimate(
                    (0..<searches).map { _ in
                        var part = one
                        part.mean = normal() * between + normal() * deviation
                        return part
                    }
                )
            )
        }
        let times = 1_000
        let held = try (0..<times).count { _ in
            let (base, candidate) = (try side(), try side())
            let difference = candidate.difference(from: base)
            return abs(difference.mean) <= difference.reach(0.95)
        }
        #expect(Double(held) / Double(times) > 0.93)
    }
}
