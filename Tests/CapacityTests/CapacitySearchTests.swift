import Capacity
import Foundation
import TestSupport
import Testing

@Suite struct CapacitySearchTests {
    private func target(_ seed: UInt64 = 5, _ change: (inout SimulatedTarget) -> Void = { _ in }) -> SimulatedTarget {
        var target = SimulatedTarget(seed: seed)
        change(&target)
        return target
    }

    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let settings: CapacitySettings
        /// What the target holds in half of its breaks.
        var middle = 1_000.0
        var change: @Sendable (inout SimulatedTarget) -> Void = { _ in }
    }

    static let searches = [
        Search(
            testDescription: "everything holds",
            settings: CapacitySettings(floor: 1, ceiling: 5_000, start: 500),
            middle: 1e9
        ),
        Search(
            testDescription: "even the floor is missed",
            settings: CapacitySettings(floor: 10, ceiling: 5_000, start: 500),
            middle: 1
        ),
        Search(
            testDescription: "a start beyond the capacity",
            settings: CapacitySettings(floor: 1, ceiling: 5_000, start: 2_000, maximumRuns: 20),
            middle: 40
        ),
        // What cannot be made is missed here only for the generator.
        Search(
            testDescription: "a limited generator",
            settings: CapacitySettings(floor: 1, ceiling: 50_000, start: 500),
            middle: 1e9
        ) { $0.generatorLimit = 1_800 },
        Search(
            testDescription: "noise beyond measure",
            settings: CapacitySettings(floor: 1, ceiling: 50_000, start: 20, maximumRuns: 9)
        ) { ($0.betweenRuns, $0.betweenBreaks) = (0.5, 0.7) },
        Search(testDescription: "few viewers", settings: CapacitySettings(floor: 1, ceiling: 500), middle: 6),
        Search(
            testDescription: "one size a run, and more is easier",
            settings: CapacitySettings(
                floor: 1,
                ceiling: 60_000,
                maximumRuns: 16,
                direction: .moreIsEasier,
                variesWithinRun: false
            ),
            middle: 750
        ) { $0.direction = .moreIsEasier },
    ]

    @Test(arguments: searches) func itsEndIsPinnedAndItsIntervalHoldsTheTruth(of tried: Search) throws {
        var target = target { $0.middle = tried.middle }
        tried.change(&target)
        var search = CapacitySearch(tried.settings)
        let end = search.finish(on: &target)
        let estimate = end.estimate
        let figures = [estimate.lower, estimate.value, estimate.upper].map { $0.map { "\($0.rounded())" } ?? "none" }
        let lines = [
            "\(end.cause), \(estimate.bound), \(estimate.reason)",
            "\(figures.joined(separator: ", ")) after \(estimate.runs) runs",
            "confirmed: \(estimate.confirmation.map { "\($0.agrees)" } ?? "not tried")",
            "sizes: \(search.runs.map { $0.trials.map { "\($0.size)" }.joined(separator: " ") }.joined(separator: "; "))",
        ]
        let name = tried.testDescription.replacing(", ", with: "-").replacing(" ", with: "-")
        try GoldenFile.expect(lines.map { $0 + "\n" }.joined(), at: "Tests/CapacityTests/Goldens/\(name).txt")
        guard estimate.bound == .measured else { return }
        let truth = tried.middle * target.truthOverMiddle
        #expect((try #require(estimate.lower)...(try #require(estimate.upper))).contains(truth))
    }

    private func held(_ sizes: [Double]) -> [CapacityTrial] { sizes.map { CapacityTrial(size: $0, outcome: .held) } }

    @Test func beforeAnyRunNothingIsKnownAndTheAudienceGrowsByAQuarter() {
        let search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 20_000, start: 100))
        #expect(search.estimate.bound == .unknown)
        #expect(search.estimate.reason == .nothingTried)
        #expect(search.estimate.value == nil)
        let sizes = search.next().sizes
        #expect(search.next().kind == .escalation)
        #expect(sizes.first == 100)
        #expect(sizes.last == 20_000)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1 > $0 && $1 <= 1.25 * $0 + 1 })
    }

    // MARK: One size in a run

    private func ofRuns(start: Double = 100, ceiling: Double = 1_500) -> CapacitySettings {
        CapacitySettings(
            floor: 10,
            ceiling: ceiling,
            start: start,
            maximumRuns: 24,
            breaksPerRun: 5,
            variesWithinRun: false
        )
    }

    /// Where all breaks of a run have one audience, few of them tell that it is held, and nothing is asked that is far larger.
    @Test func anAudienceThatIsTheSameInARunDoublesFromRunToRun() {
        var search = CapacitySearch(ofRuns())
        for size in [100.0, 200, 400, 800, 1_500] {
            #expect(search.next() == .run(.escalation, sizes: [size, size]))
            search.add(CapacityRun(kind: .escalation, trials: held([size, size])))
        }
        #expect(search.next() == .run(.confirmation, sizes: [1_500, 1_500, 1_500, 1_500, 1_500]))
        #expect(search.estimate.bound == .atLeast)
    }

    @Test(arguments: [[true, false], [false, false], [false, true]])
    func aMissedBreakEndsTheDoubling(second: [Bool]) {
        var search = CapacitySearch(ofRuns())
        search.add(CapacityRun(kind: .escalation, trials: held([100, 100])))
        let trials = second.map { CapacityTrial(size: 200, outcome: $0 ? .held : .missed) }
        search.add(CapacityRun(kind: .escalation, trials: trials))
        let sizes = search.next().sizes
        #expect(search.next().kind == .search)
        #expect(Set(sizes).count == 1)
        #expect(sizes.allSatisfy { $0 > 60 && $0 < 300 })
    }

    @Test func whereNothingHeldAQuarterIsAskedForDownToTheFloor() {
        var search = CapacitySearch(ofRuns(start: 200))
        for size in [200.0, 50, 13, 10] {
            #expect(search.next() == .run(.escalation, sizes: [size, size]))
            let missed = CapacityTrial(size: size, outcome: .missed)
            search.add(CapacityRun(kind: .escalation, trials: [missed, missed]))
        }
        #expect(search.next().kind != .escalation)
        #expect(search.estimate.bound == .atMost)
    }

    @Test func aRunWithFewerBreaksThanWereWantedCounts() {
        var search = CapacitySearch(ofRuns())
        search.add(CapacityRun(kind: .escalation, trials: held([100])))
        #expect(search.next() == .run(.escalation, sizes: [200, 200]))
    }

    // MARK: Escalation

    @Test(arguments: [1e3, 1e6, 1e12]) func anEscalationIsBounded(ceiling: Double) {
        let sizes = CapacitySearch(CapacitySettings(floor: 1, ceiling: ceiling)).next().sizes
        #expect(sizes.count <= 40)
        #expect(sizes.first == 1)
        #expect(sizes.last == ceiling)
        #expect(sizes.allSatisfy { $0 == $0.rounded() })
    }

    @Test func nothingIsAskedForBeyondWhatTheGeneratorMade() {
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 500))
        search.add(
            CapacityRun(
                kind: .escalation,
                trials: held([500, 625, 781]) + [976, 1_221].map { CapacityTrial(size: $0, outcome: .censored) }
            )
        )
        #expect(search.estimate.bound == .atLeast)
        #expect(search.estimate.reason == .generatorLimited)
        #expect(search.estimate.value == 781)
        #expect(search.next().sizes.allSatisfy { $0 < 976 })
    }

    @Test func aGeneratorThatIsTheLimitOfEverythingEndsTheSearch() {
        var search = CapacitySearch(CapacitySettings(floor: 100, ceiling: 50_000, start: 1_000))
        while case .run(let kind, let sizes) = search.next() {
            search.add(
                CapacityRun(kind: kind, trials: sizes.prefix(2).map { CapacityTrial(size: $0, outcome: .censored) })
            )
        }
        #expect(search.runs.count < 12)
        #expect(search.estimate.bound == .unknown)
        #expect(search.estimate.reason == .generatorLimited)
    }

    @Test func aSearchGoesOnFromWhatWasWrittenDown() throws {
        var target = target()
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200))
        while case .run(let kind, let sizes) = search.next() {
            search.add(target.run(kind, sizes))
            let read = try JSONDecoder().decode(CapacitySearch.self, from: JSONEncoder().encode(search))
            #expect(read == search)
            #expect(read.next() == search.next())
        }
        #expect(search.runs.last?.kind == .confirmation)
    }

    @Test func theSeedDecidesTheSizes() {
        let runs = ([1, 1, 2] as [UInt64]).map { seed in
            var target = target()
            var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200, seed: seed))
            _ = search.finish(on: &target)
            return search.runs
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }

    @Test func aConfirmationThatContradictsIsSaidAndSearchedOn() throws {
        var target = target()
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200))
        while case .run(let kind, let sizes) = search.next(), kind != .confirmation {
            search.add(target.run(kind, sizes))
        }
        let sizes = search.next().sizes
        #expect(search.next().kind == .confirmation)
        #expect(Set(sizes).count == 1)
        let before = try #require(search.estimate.value)
        // Every second, because those right after a missed one do not count.
        search.add(
            CapacityRun(
                kind: .confirmation,
                trials: sizes.enumerated().map { CapacityTrial(size: $1 / 2, outcome: $0 % 3 == 0 ? .missed : .held) }
            )
        )
        #expect(search.estimate.confirmation?.missed == 4)
        #expect(try #require(search.estimate.value) < before)
        #expect(search.next().kind != nil, "it does not end on a contradiction")
    }

    @Test func aConfirmationOfALimitedGeneratorConfirmsNothing() {
        var target = target()
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200))
        while case .run(let kind, let sizes) = search.next(), kind != .confirmation {
            search.add(target.run(kind, sizes))
        }
        let sizes = search.next().sizes
        #expect(search.next().kind == .confirmation)
        search.add(
            CapacityRun(kind: .confirmation, trials: sizes.map { CapacityTrial(size: $0, outcome: .censored) })
        )
        #expect(search.next().kind == .confirmation, "it is asked again")
    }

    @Test func breaksSoonAfterAMissedOneAreLeftOut() {
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000))
        let outcomes: [CapacityOutcome] = [.held, .missed, .missed, .held, .held, .held]
        search.add(
            CapacityRun(
                kind: .search,
                trials: outcomes.map { CapacityTrial(size: 100, outcome: $0) }
            )
        )
        #expect(search.estimate.breaks == 6)
        #expect(search.estimate.breaksLeftOut == 3)
    }

    @Test func anInterruptedEscalationGoesOnWhereItWas() {
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 100))
        search.add(CapacityRun(kind: .escalation, trials: held([100, 125, 156]), isWhole: false))
        let sizes = search.next().sizes
        #expect(search.next().kind == .escalation)
        #expect(sizes.first == 156)
        #expect(search.estimate.bound == .atLeast)
        #expect(search.estimate.value == 156)
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300] as [Double])
    func whatIsReadFromAFileNeverTraps(value: Double) {
        for direction in [CapacitySettings.Direction.moreIsHarder, .moreIsEasier] {
            for varies in [true, false] {
                let settings = CapacitySettings(
                    floor: value,
                    ceiling: value,
                    start: value,
                    within: value,
                    share: value,
                    maximumRuns: 4,
                    breaksPerRun: value == 0 ? 0 : 3,
                    direction: direction,
                    variesWithinRun: varies,
                    granularity: value
                )
                var search = CapacitySearch(settings)
                for kind in [CapacityRun.Kind.escalation, .search, .confirmation] {
                    for outcome in [CapacityOutcome.held, .missed, .censored] {
                        _ = search.next()
                        search.add(CapacityRun(kind: kind, trials: [CapacityTrial(size: value, outcome: outcome)]))
                        _ = search.estimate
                    }
                }
                #expect(search.next().kind == nil, "it ends")
            }
        }
    }
}

extension CapacityStep {
    fileprivate var kind: CapacityRun.Kind? {
        if case .run(let kind, _) = self { kind } else { nil }
    }

    fileprivate var sizes: [Double] {
        if case .run(_, let sizes) = self { sizes } else { [] }
    }
}
