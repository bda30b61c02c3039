import Testing

@testable import Comparison

/// Whether intervals contain the truth as often as they say, by hundreds of searches on targets whose truth is known.
@Suite struct CapacityCalibrationTests {
    struct Scenario: CustomTestStringConvertible, Sendable {
        typealias Change = @Sendable (inout SimulatedTarget, _ seed: UInt64) -> Void
        var testDescription: String
        var contains = 0.87...0.95
        var asked = CapacityQuestion.asked(upTo: 1_000_000, from: 200)
        var medianRuns = 6
        var change: Change = { _, _ in }

        func target(_ seed: UInt64) -> SimulatedTarget {
            var target = SimulatedTarget(seed: seed)
            change(&target, seed)
            return target
        }
    }

    private static let noiseless: Scenario.Change = { ($0.noise, $0.middle) = (.none, 700 + Double($1) * 2.1) }

    static let scenarios = [
        Scenario(testDescription: "4 % between runs, 6 % between breaks"),
        // Without noise the interval is as wide as the steps that were tried, and nothing falls outside of it.
        Scenario(testDescription: "no noise at all", contains: 0.87...1, change: noiseless),
        Scenario(testDescription: "heavy tails") { target, _ in target.noise = .heavyTailed },
        Scenario(testDescription: "a fifth less after a missed break") { target, _ in target.afterEffect = 0.223 },
        Scenario(
            testDescription: "capacities over three decades",
            asked: .asked(upTo: 1_000_000)
        ) { target, seed in
            for _ in 0..<seed % 300 { target.middle *= 1.023_3 }
            target.middle /= 10
        },
        // All breaks of a run have one jitter, so that it takes more of them.
        Scenario(
            testDescription: "the least jitter, the same for all breaks of a run",
            contains: 0.87...0.97,
            asked: .asked(.jitter, upTo: 600_000, from: 775, runs: 16),
            medianRuns: 11
        ) { target, _ in target.isHarderWithMore = false },
    ]

    /// Breaks of a channel, all of a run with one audience.
    static let scenariosOfChannels: [Scenario] = [
        ofChannel("4 % between runs, 6 % between breaks") { _, _ in },
        ofChannel("no noise at all", noiseless),
        ofChannel("heavy tails") { target, _ in target.noise = .heavyTailed },
        ofChannel("a fifth less after a missed break") { target, _ in target.afterEffect = 0.223 },
    ]

    private static func ofChannel(_ noise: String, _ change: @escaping Scenario.Change) -> Scenario {
        Scenario(
            testDescription: "breaks of the channel: \(noise)",
            contains: 0.87...0.99,
            asked: .asked(upTo: 8_000, from: 250, runs: 24, breaksPerRun: 5, ofChannel: true),
            medianRuns: 10
        ) { target, seed in
            target.endsEveryRun = true
            change(&target, seed)
        }
    }

    @Test(arguments: scenarios + scenariosOfChannels) func nineOfTenIntervalsContainTheTruth(scenario: Scenario) {
        let searches = 300
        let ratio = scenario.target(0).truthOverMiddle
        var (containing, runs, errors) = (0, [Int](), [Double]())
        for seed in 0..<UInt64(searches) {
            var target = scenario.target(seed)
            var search = CapacityDocument(scenario.asked, seed: seed &* 7_919 &+ 3)
            _ = search.finish(on: &target)
            let estimate = search.estimate
            let truth = ratio * target.middle
            if estimate.answer.lower ?? 0 <= truth, estimate.answer.upper ?? .infinity >= truth { containing += 1 }
            runs.append(search.runs.count)
            errors.append(abs((estimate.answer.value ?? 0) / truth - 1))
        }
        let share = Double(containing) / Double(searches)
        let medianRuns = runs.sorted()[searches / 2]
        let medianError = errors.sorted()[searches / 2]
        #expect(scenario.contains.contains(share), "\(share) contain the truth")
        #expect(medianRuns <= scenario.medianRuns)
        #expect(medianError <= 0.04)
    }
}
