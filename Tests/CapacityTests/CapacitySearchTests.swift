import Capacity
import Foundation
import Testing

@Suite struct CapacitySearchTests {
    private func target(_ seed: UInt64 = 5, _ change: (inout SimulatedTarget) -> Void = { _ in }) -> SimulatedTarget {
        var target = SimulatedTarget(seed: seed)
        change(&target)
        return target
    }

    private func held(_ sizes: [Double]) -> [CapacityTrial] { sizes.map { CapacityTrial(size: $0, outcome: .held) } }

    private func sizes(_ step: CapacityStep) -> [Double]? {
        guard case .run(_, let sizes) = step else { return nil }
        return sizes
    }

    @Test func beforeAnyRunNothingIsKnownAndTheAudienceGrowsByAQuarter() {
        let search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 20_000, start: 100))
        #expect(search.estimate.bound == .unknown)
        #expect(search.estimate.reason == .nothingTried)
        #expect(search.estimate.value == nil)
        guard case .run(.escalation, let sizes) = search.next() else { return #expect(Bool(false)) }
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
        guard case .run(.search, let sizes) = search.next() else { return #expect(Bool(false)) }
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
        if case .run(.escalation, _) = search.next() { #expect(Bool(false)) }
        #expect(search.estimate.bound == .atMost)
    }

    @Test func aRunWithFewerBreaksThanWereWantedCounts() {
        var search = CapacitySearch(ofRuns())
        search.add(CapacityRun(kind: .escalation, trials: held([100])))
        #expect(search.next() == .run(.escalation, sizes: [200, 200]))
    }

    // MARK: Escalation

    @Test(arguments: [1e3, 1e6, 1e12]) func anEscalationIsBounded(ceiling: Double) {
        let sizes = sizes(CapacitySearch(CapacitySettings(floor: 1, ceiling: ceiling)).next()) ?? []
        #expect(sizes.count <= 40)
        #expect(sizes.first == 1)
        #expect(sizes.last == ceiling)
        #expect(sizes.allSatisfy { $0 == $0.rounded() })
    }

    @Test func whatHoldsUpToTheCeilingIsAtLeastThat() {
        var target = target { $0.middle = 1e9 }
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 5_000, start: 500))
        let end = search.finish(on: &target)
        #expect(end.cause == .bounded)
        #expect(end.estimate.bound == .atLeast)
        #expect(end.estimate.reason == .everythingHeld)
        #expect(end.estimate.value == 5_000)
        #expect(end.estimate.upper == nil)
        #expect(end.estimate.runs == 2)
        #expect(end.estimate.confirmation?.agrees == true)
    }

    @Test func whatMissesEvenTheFloorIsLessThanThat() {
        var target = target { $0.middle = 1 }
        var search = CapacitySearch(CapacitySettings(floor: 10, ceiling: 5_000, start: 500))
        let end = search.finish(on: &target)
        #expect(end.cause == .bounded)
        #expect(end.estimate.bound == .atMost)
        #expect(end.estimate.reason == .nothingHeld)
        #expect(end.estimate.value == 10)
        #expect(end.estimate.lower == nil)
        #expect(search.runs.prefix(4).compactMap { $0.trials.first?.size } == [500, 125, 31, 10])
    }

    @Test func aStartBeyondTheCapacityDescends() throws {
        var target = target { $0.middle = 40 }
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 5_000, start: 2_000, maximumRuns: 20))
        let estimate = search.finish(on: &target).estimate
        let truth = 40 * target.truthOverMiddle
        #expect(try #require(estimate.lower) <= truth)
        #expect(try #require(estimate.upper) >= truth)
    }

    @Test func aLimitedGeneratorNeverMakesACapacity() throws {
        var target = target {
            $0.middle = 1e9
            $0.generatorLimit = 1_800
        }
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 500))
        let end = search.finish(on: &target)
        // What cannot be made misses in this target only for the generator.
        #expect(end.cause == .bounded)
        #expect(end.estimate.bound == .atLeast)
        #expect(end.estimate.reason == .generatorLimited)
        let value = try #require(end.estimate.value)
        #expect(value > 1_400 && value <= 1_800)
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
        #expect(sizes(search.next())?.allSatisfy { $0 < 976 } == true)
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

    @Test func noiseBeyondMeasureEndsWithTheLastRunAndAWideInterval() throws {
        var target = target {
            $0.betweenRuns = 0.5
            $0.betweenBreaks = 0.7
        }
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 20, maximumRuns: 9))
        let end = search.finish(on: &target)
        #expect(end.cause == .runsUsedUp)
        #expect(end.estimate.runs == 9)
        #expect(try #require(end.estimate.relativeWidth) > 0.2)
    }

    @Test func aConfirmationThatContradictsIsSaidAndSearchedOn() throws {
        var target = target()
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200))
        while case .run(let kind, let sizes) = search.next(), kind != .confirmation {
            search.add(target.run(kind, sizes))
        }
        guard case .run(.confirmation, let sizes) = search.next() else { return #expect(Bool(false)) }
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
        if case .done = search.next() { #expect(Bool(false), "it ended on a contradiction") }
    }

    @Test func aConfirmationOfALimitedGeneratorConfirmsNothing() {
        var target = target()
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 50_000, start: 200))
        while case .run(let kind, let sizes) = search.next(), kind != .confirmation {
            search.add(target.run(kind, sizes))
        }
        guard case .run(.confirmation, let sizes) = search.next() else { return #expect(Bool(false)) }
        search.add(
            CapacityRun(kind: .confirmation, trials: sizes.map { CapacityTrial(size: $0, outcome: .censored) })
        )
        guard case .run(.confirmation, _) = search.next() else { return #expect(Bool(false), "it was not asked again") }
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
        guard case .run(.escalation, let sizes) = search.next() else { return #expect(Bool(false)) }
        #expect(sizes.first == 156)
        #expect(search.estimate.bound == .atLeast)
        #expect(search.estimate.value == 156)
    }

    @Test func fewViewersAreWholeViewers() throws {
        var target = target { $0.middle = 6 }
        var search = CapacitySearch(CapacitySettings(floor: 1, ceiling: 500))
        let end = search.finish(on: &target)
        #expect(end.cause == .narrow)
        #expect([4, 5].contains(try #require(end.estimate.value)))
    }

    @Test func whereAllBreaksOfARunAreAlikeEachRunHasOneSize() throws {
        var target = target {
            $0.direction = .moreIsEasier
            $0.middle = 750
        }
        var search = CapacitySearch(
            CapacitySettings(
                floor: 1,
                ceiling: 60_000,
                maximumRuns: 16,
                direction: .moreIsEasier,
                variesWithinRun: false
            )
        )
        let estimate = search.finish(on: &target).estimate
        #expect(search.runs.allSatisfy { Set($0.trials.map(\.size)).count == 1 })
        let truth = 750 * target.truthOverMiddle
        #expect(truth > 750)
        #expect(try #require(estimate.lower) <= truth)
        #expect(try #require(estimate.upper) >= truth)
        #expect(try #require(estimate.medianHeld) < (try #require(estimate.value)))
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
                guard case .done = search.next() else { return #expect(Bool(false), "no end") }
            }
        }
    }
}
