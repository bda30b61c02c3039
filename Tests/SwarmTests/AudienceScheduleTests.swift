import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Who joins and who leaves, and that every process and loop knows its own part of it.
@Suite struct AudienceScheduleTests {
    private static let second: Int64 = 1_000_000_000
    private static let start = WallTime(microseconds: 1_795_291_207_000_000)

    private static func plan(
        viewers: Int = 200,
        _ points: [(Int, Double)],
        _ change: (inout CurvePlan) -> Void = { _ in }
    ) -> LoadPlan {
        .forTests {
            $0.audience.viewers = viewers
            var curve = CurvePlan(points: points.map { CurvePoint(at: .seconds($0.0), share: $0.1) })
            change(&curve)
            $0.audience.curve = curve
        }
    }

    /// Up and down, and some leave in breaks.
    private static var lively: LoadPlan {
        plan([(0, 0), (10, 1), (20, 0.3), (30, 1), (50, 0.1)]) { $0.breakLeaves = BreakLeaves(share: 0.2) }
    }

    private static func schedule(_ plan: LoadPlan) -> AudienceSchedule { AudienceSchedule(plan, runStart: start) }

    private static func watching(_ schedule: AudienceSchedule, at instant: Int64) -> Int {
        schedule.visits.count { $0.joinsAt <= instant && instant < $0.leavesAt }
    }

    @Test func aRampIsWhatItAlwaysWas() {
        let plan = LoadPlan.forTests {
            $0.audience.viewers = 777
            $0.audience.ramp = .milliseconds(12_345)
        }
        let schedule = Self.schedule(plan)
        let expected = (0..<777).map {
            AudienceSchedule.Visit(number: $0, joinsAt: Int64(Double(12_345_000_000) * Double($0) / Double(777)))
        }
        #expect(schedule.visits == expected && schedule.nextNumber == 777 && schedule.most == 777)
    }

    @Test(arguments: [1, 2, 3, 7]) func partsMakeTheWhole(shards: Int) {
        let plan = Self.lively
        let whole = Self.schedule(plan)
        let timebase = Timebase(start: Instant(nanoseconds: 5), wallStart: Self.start)
        var visits: [AudienceSchedule.Visit] = []
        var replacements: Set<Int> = []
        for index in 0..<shards {
            var plan = plan
            plan.generator.loops = 3
            let part = StripedAudience(plan, AudienceStripe(index, of: shards), timebase)
            #expect(part.planned == part.visits.joined().count)
            visits += part.visits.joined()
            for loop in 0..<3 {
                for next in 0..<5 {
                    let number = part.firstReplacement(loop: loop) + next * part.replacementStride
                    #expect(replacements.insert(number).inserted)
                    #expect(number >= whole.nextNumber)
                }
            }
        }
        #expect(visits.sorted { $0.number < $1.number } == whole.visits.sorted { $0.number < $1.number })
        #expect(Set(visits.map(\.number)) == Set(0..<whole.nextNumber))
    }

    @Test func aRegionGoesByAClockOfItsOwn() {
        let regions = CurvePlan.Regions(trait: "region", offsets: ["south": .seconds(20)])
        let values: [AudienceTrait.Value] = [.init("north", share: 0.7), .init("south", share: 0.3)]
        var plan = Self.plan([(0, 0), (10, 1), (30, 1), (50, 0)])
        plan.audience.traits = [AudienceTrait("region", .values(values))]
        let plain = Self.schedule(plan)
        plan.audience.curve?.regions = regions
        let moved = Self.schedule(plan)
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        let expected = plain.visits.map { visit in
            let offset = traits.values(ofViewer: visit.number)["region"] == "south" ? 20 * Self.second : 0
            return AudienceSchedule.Visit(
                number: visit.number,
                joinsAt: visit.joinsAt + offset,
                leavesAt: visit.leavesAt + offset
            )
        }
        #expect(moved.visits == expected.sorted { ($0.joinsAt, $0.number) < ($1.joinsAt, $1.number) })
        #expect(Set(moved.visits.map(\.number)) == Set(0..<200))
        // Whose time never comes does not join.
        plan.audience.curve?.regions?.offsets["south"] = .seconds(60)
        let late = Self.schedule(plan)
        #expect(late.visits == plain.visits.filter { traits.values(ofViewer: $0.number)["region"] == "north" })
        #expect(late.nextNumber == 200)
    }

    @Test func aShareLeavesInABreakAndComesBackAfterIt() {
        var plan = Self.plan([(0, 1)])
        plan.breaks.source = .list([ListedBreak(.seconds(20))])
        plan.audience.curve?.breakLeaves = BreakLeaves(
            share: 0.3,
            within: .seconds(4),
            returns: 0.5,
            returnsWithin: .seconds(6)
        )
        let schedule = Self.schedule(plan)
        let left = schedule.visits.filter { $0.leavesAt < .max }
        #expect(left.count == 60)
        #expect(left.allSatisfy { (20 * Self.second + 1...24 * Self.second + 1).contains($0.leavesAt) })
        let back = schedule.visits.filter { $0.joinsAt > 0 }
        #expect(back.map(\.number).sorted() == Array(200..<230))
        #expect(back.allSatisfy { (30 * Self.second + 1...36 * Self.second + 1).contains($0.joinsAt) })
        #expect(schedule.nextNumber == 230 && schedule.most == 200)
        #expect(Self.watching(schedule, at: 25 * Self.second) == 140)
        #expect(Self.watching(schedule, at: 59 * Self.second) == 170)
        #expect(Self.schedule(plan).visits == schedule.visits)
        plan.seed += 1
        #expect(Self.schedule(plan).visits != schedule.visits)
    }

    /// Who is away is not there to leave; who came back may leave again.
    @Test func breaksFollowBreaks() {
        var plan = Self.plan(viewers: 100, [(0, 1)])
        plan.breaks.source = .list([ListedBreak(.seconds(10)), ListedBreak(.seconds(30)), ListedBreak(.seconds(50))])
        plan.audience.curve?.breakLeaves = BreakLeaves(share: 0.5, within: .seconds(1), returnsWithin: .seconds(30))
        let schedule = Self.schedule(plan)
        for start in [10, 30, 50].map({ $0 * Self.second }) {
            let before = Self.watching(schedule, at: start)
            let leaving = Int((Double(before) * 0.5).rounded())
            let back = schedule.visits.count { (start + 1...start + 2 * Self.second).contains($0.joinsAt) }
            #expect(Self.watching(schedule, at: start + 2 * Self.second) == before - leaving + back)
        }
        #expect(schedule.most == 100 && schedule.nextNumber > 150)
        #expect(Set(schedule.visits.map(\.number)).count == schedule.visits.count)
    }

    /// One who comes back stays as long as the one who left would have stayed, and so the curve's fall is still kept.
    @Test func whoComesBackLeavesWhenTheCurveSays() {
        let plain = Self.plan([(0, 1), (40, 1), (50, 0)])
        var plan = plain
        plan.breaks.source = .list([ListedBreak(.seconds(10))])
        plan.audience.curve?.breakLeaves = BreakLeaves(share: 1, within: .seconds(1), returnsWithin: .seconds(2))
        let schedule = Self.schedule(plan)
        #expect(schedule.visits.count == 400)
        #expect(Self.watching(schedule, at: 15 * Self.second) == 0)
        for instant in stride(from: 23 * Self.second, through: 55 * Self.second, by: Int(Self.second / 4)) {
            #expect(Self.watching(schedule, at: instant) == Self.watching(Self.schedule(plain), at: instant))
        }
    }

    /// A schedule by the wall clock falls where it falls; where the profile says when, it does not matter.
    @Test func breaksAreWhereTheClockHasThem() {
        var plan = Self.plan([(0, 1)])
        plan.audience.curve?.breakLeaves = BreakLeaves(share: 0.1, within: .zero, returns: 0)
        // Every 20 s of the wall clock; the run starts 7 s after a whole minute.
        let leaves = Set(Self.schedule(plan).visits.map(\.leavesAt)).subtracting([.max])
        #expect(leaves.sorted() == [13, 33, 53].map { $0 * Self.second + 1 })
        plan.audience.curve?.breakLeaves?.instants = [.seconds(5)]
        plan.breaks.source = .dateRange(classAttribute: nil)
        #expect(Set(Self.schedule(plan).visits.map(\.leavesAt)) == [5 * Self.second + 1, .max])
    }

    @Test func theCourseCountsWhoWatches() {
        let plan = Self.lively
        let schedule = Self.schedule(plan)
        let course = schedule.course(over: .seconds(60), steps: 120)
        #expect(course.step == .milliseconds(500) && course.viewers.count == 121)
        for (number, viewers) in course.viewers.enumerated() {
            #expect(viewers == Self.watching(schedule, at: Int64(number) * Self.second / 2))
        }
        #expect(schedule.course(over: .seconds(30 * 86_400)).viewers.count <= 601)
        #expect(course.viewers.max() ?? 0 <= schedule.most)
    }

    @Test func aShardNeedsRoomForTheMostOfItsOwnAtOnce() {
        let plan = Self.plan(viewers: 1_000, [(0, 1), (10, 0.5), (20, 1), (30, 0.5), (40, 1)])
        let whole = Self.schedule(plan)
        #expect(ConnectionNeed(plan).viewers == 1_000)
        for index in 0..<4 {
            let stripe = AudienceStripe(index, of: 4)
            let most = ConnectionNeed(plan, stripe).viewers
            #expect(most == whole.part(stripe.contains).most)
            #expect((225...300).contains(most))
        }
    }
}
