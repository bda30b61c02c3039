import HLS
import Testing

@testable import Origin

@Suite struct FaultPlanTests {
    static func occasion(
        _ kind: RequestKind,
        breakNumber: Int = 1,
        viewer: UInt64 = 1,
        repetition: Int = 0,
        secondsIntoBreak: Int = 0,
        elapsed: Duration = .seconds(600)
    ) -> FaultOccasion {
        let start = WallTime(microseconds: 1_800_000_000_000_000)
        return FaultOccasion(
            kind: kind,
            now: start + .seconds(secondsIntoBreak),
            elapsed: elapsed,
            breakNumber: breakNumber,
            breakStart: start,
            viewer: viewer,
            repetition: repetition,
            targetDuration: .seconds(2),
            asset: 0,
            neighbour: "00000000-0000-4000-8000-000000000001:TUL"
        )
    }

    @Test func namesAreDifferentAndSpeltAlike() {
        let names = FaultKind.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
    }

    /// Every fault must do something to the first kind that it is meant for, or it could never be found.
    @Test(arguments: FaultKind.all.indices)
    func everyFaultHasAnEffect(index: Int) throws {
        let kind = FaultKind.all[index]
        var fault = PlannedFault(kind)
        fault.delay = .seconds(1)
        let plan = FaultPlan([fault], seed: 1)
        let first = try #require(kind.kinds.first)
        // Some have their moment shortly before the break, some when it has begun.
        let effects = [0, 4, -5].lazy.compactMap { seconds in
            plan.effects(on: Self.occasion(first, repetition: 1, secondsIntoBreak: seconds))
        }.first
        // An announcement is touched where it is written, if it is listed at all.
        #expect(kind.announcement == nil ? effects?.faults == [0] : effects?.edits == [0], "\(kind.name)")
        for other in RequestKind.allCases where !fault.requests.contains(other) {
            #expect(plan.effects(on: Self.occasion(other, repetition: 1)) == nil, "\(kind.name) touched \(other.name)")
        }
    }

    private func planned(_ name: String) throws -> PlannedFault {
        PlannedFault(try #require(FaultKind.all.first { $0.name == name }))
    }

    @Test func delayGrowsWithTheOriginsAge() throws {
        var fault = try planned("delay")
        fault.delay = .milliseconds(100)
        fault.growth = 0.02
        fault.growthStep = .seconds(60)
        let plan = FaultPlan([fault], seed: 1)
        func milliseconds(after elapsed: Duration) throws -> Double {
            let effects = try #require(plan.effects(on: Self.occasion(.playlist, elapsed: elapsed)))
            return effects.delay / .milliseconds(1)
        }
        #expect(try milliseconds(after: .zero) == 100)
        #expect(abs(try milliseconds(after: .seconds(60)) - 102) < 0.001)
        #expect(abs(try milliseconds(after: .seconds(1_200)) - 148.594_7) < 0.001)
        #expect(try milliseconds(after: .seconds(10_000_000)) == 3_600_000)
        #expect(try milliseconds(after: .seconds(-60)) == 100)
    }

    @Test(arguments: [10, 50, 90])
    func shareIsKeptAndAlwaysTheSameViewers(percent: Int) {
        var fault = PlannedFault(.reset)
        fault.share = Double(percent) / 100
        let plan = FaultPlan([fault], seed: 5)
        func touched(_ number: Int, _ plan: FaultPlan) -> Set<UInt64> {
            Set(
                (0..<5_000).filter {
                    plan.effects(on: Self.occasion(.playlist, breakNumber: number, viewer: $0)) != nil
                }
            )
        }
        let first = touched(1, plan)
        #expect(abs(first.count - 50 * percent) < 200, "\(first.count) of 5000, seed 5")
        #expect(first == touched(1, plan))
        #expect(first != touched(2, plan), "the share is chosen anew for each break")
        #expect(first != touched(1, FaultPlan([fault], seed: 6)))
    }

    @Test func breaksAreChosenByNumber() {
        func numbers(_ breaks: PlannedFault.Breaks) -> [Int] { (-1...7).filter { breaks.contains($0) } }
        #expect(numbers(.all) == Array(-1...7))
        #expect(numbers(.numbers([2, 5])) == [2, 5])
        #expect(numbers(.every(3)) == [3, 6])
    }

    @Test func podChangesOnlyWhenAskedAgain() throws {
        let plan = FaultPlan([try planned("pod_changed_on_repeat")], seed: 1)
        #expect(plan.effects(on: Self.occasion(.podManifest)) == nil)
        #expect(plan.effects(on: Self.occasion(.podManifest, repetition: 1))?.decisionSalt == 2)
        #expect(plan.effects(on: Self.occasion(.podManifest, repetition: 2))?.decisionSalt == 3)
        #expect(plan.effects(on: Self.occasion(.podManifest, repetition: 5_000))?.decisionSalt == 255)
    }

    @Test func severalFaultsActTogether() throws {
        var late = try planned("delay")
        late.delay = .seconds(2)
        let plan = FaultPlan([late, try planned("empty_pod"), PlannedFault(.reset)], seed: 1)
        let effects = plan.effects(on: Self.occasion(.podPlaylist))
        #expect(effects?.faults == [0, 1, 2])
        #expect(effects?.delay == .seconds(2))
        #expect(effects?.isEmptyPod == true)
        #expect(effects?.delivery == .reset)
    }
}

@Suite struct BreakZoneTests {
    private static let second: Int64 = 1_000_000

    @Test func instantBelongsToTheNearestBreak() throws {
        var configuration = OriginConfiguration()
        configuration.breakInterval = .seconds(60)
        configuration.breakOffset = .seconds(10)
        let started = WallTime(microseconds: 1_000_000 * Self.second)
        let zone = try #require(BreakZone(configuration, started: started))
        // Breaks start at ...999_970, 1_000_030 (the first after the start), 1_000_090...
        for (now, number, start) in [(1_000_000, 1, 1_000_030), (999_999, 0, 999_970), (1_000_059, 1, 1_000_030)] {
            let place = try #require(zone.place(at: WallTime(microseconds: Int64(now) * Self.second)))
            #expect(place.number == number)
            #expect(place.start.microseconds == Int64(start) * Self.second)
        }
        #expect(zone.place(at: WallTime(microseconds: 1_000_060 * Self.second))?.number == 2)
    }

    @Test func breakThatStartsWithTheOriginIsTheFirst() throws {
        let configuration = OriginConfiguration()
        let started = WallTime(microseconds: 1_795_248_720 * Self.second)
        let zone = try #require(BreakZone(configuration, started: started))
        #expect(zone.place(at: started)?.number == 1)
        #expect(zone.place(at: started)?.key == "2026-11-21T08:12:00.000Z")
    }

    @Test func channelWithoutBreaksHasNone() {
        var configuration = OriginConfiguration()
        configuration.breakInterval = .zero
        #expect(BreakZone(configuration, started: WallTime(microseconds: 0)) == nil)
    }
}
