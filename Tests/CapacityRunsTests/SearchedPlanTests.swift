import Comparison
import Profile
import Rehearsal
import Results
import Rules
import Testing
import Values

@Suite struct SearchedPlanTests {
    private func plan(_ change: (inout LoadPlan) -> Void = { _ in }) throws -> LoadPlan {
        let yaml = """
            duration: 60s
            target: embedded
            audience: {viewers: 400, ramp: 8s, churnPerMinute: 2%}
            breaks: {source: {every: 20s}, podDuration: 10s, grace: 1s}
            thresholds: [breaks.on_time >= 99%]
            """
        var plan = try ProfileReader().read(yaml: yaml, path: "searched.yaml")
        change(&plan)
        return plan.digested()
    }

    private func problems(_ plan: LoadPlan, _ quantity: CapacityQuestion.Quantity, spacing: Duration? = nil) -> [String]
    {
        do throws(CommandFailure) {
            _ = try SearchedPlan(plan, quantity: quantity, spacing: spacing)
            return []
        } catch { return error.message.split(separator: "\n").map(String.init) }
    }

    private func timetable(_ sizes: Int...) -> RunCourse {
        RunCourse(sizes: sizes, spacing: .seconds(20), joinsPerSecond: 50)
    }

    // MARK: What can be searched

    @Test func aProfileWithBreaksOfTheViewersOwnCanBeSearched() throws {
        #expect(problems(try plan(), .viewers).isEmpty)
        let sources: [BreakPlan.Source] = [
            .guideMinute(repeats: true), .list([ListedBreak(.seconds(9))]),
            .several([.guideMinute(repeats: true), .list([ListedBreak(.seconds(9))])]),
        ]
        for source in sources { #expect(problems(try plan { $0.breaks.source = source }, .viewers).isEmpty) }
    }

    static let sourcesOfChannels: [BreakPlan.Source] = [
        .none, .dateRange(classAttribute: nil),
        .several([.every(interval: .seconds(20), offset: .zero), .dateRange(classAttribute: "ad")]),
    ]

    @Test(arguments: sourcesOfChannels) func breaksOfTheChannelAreAwaited(source: BreakPlan.Source) throws {
        let plan = try plan { ($0.breaks.source, $0.breaks.playsInterstitials) = (source, source == .none) }
        #expect(problems(plan, .viewers).isEmpty)
        let searched = try SearchedPlan(plan, quantity: .viewers, watch: .seconds(600))
        #expect(searched.spacing == .zero)
        let course = searched.course([125, 125, 125])
        #expect(course == RunCourse(viewers: 125, count: 3, longest: .seconds(600), joinsPerSecond: 50))
        let run = searched.run(course)
        #expect((run.breaks, run.audience.viewers, run.audience.curve?.points) == (plan.breaks, 125, course.points))
        #expect(run.duration == course.duration)
        let timing = searched.timing(of: run)
        #expect(timing.isSpread)
        #expect(timing.patienceMicroseconds == 61_000_000)
    }

    @Test func whoSaysNothingMissedABreakThatWasHisForSure() throws {
        #expect(try SearchedPlan(plan(), quantity: .viewers).countsSilent)
        let beside = try plan { $0.breaks.playsInterstitials = true }
        #expect(try !SearchedPlan(beside, quantity: .viewers).countsSilent)
        let alone = try plan { ($0.breaks.playsInterstitials, $0.breaks.source) = (true, .none) }
        #expect(try SearchedPlan(alone, quantity: .viewers).countsSilent)
        var ignorant = Persona.ofProfile(alone.playback)
        ignorant.interstitials.trigger = .never
        let mixed = try plan {
            ($0.breaks.playsInterstitials, $0.breaks.source) = (true, .none)
            $0.audience.personas = [PersonaShare(.ofProfile($0.playback), share: 1), PersonaShare(ignorant, share: 1)]
        }
        #expect(try !SearchedPlan(mixed, quantity: .viewers).countsSilent)
    }

    @Test func anAudienceWaitsForAQuarterOfTheSearchAtMost() throws {
        let plan = try plan { $0.breaks.source = .dateRange(classAttribute: nil) }
        #expect(try SearchedPlan(plan, quantity: .viewers, length: .seconds(400)).watch == .seconds(100))
        #expect(try SearchedPlan(plan, quantity: .viewers, length: .seconds(28_800)).watch == .seconds(1_800))
        #expect(try SearchedPlan(self.plan(), quantity: .viewers).watch == nil)
    }

    @Test func whatBreaksOfTheOtherKindAreAskedIsRefused() throws {
        let plan = try plan { $0.breaks.source = .dateRange(classAttribute: nil) }
        #expect(problems(plan, .viewers, spacing: .seconds(20)).map { $0.hasPrefix("--spacing: ") } == [true])
        #expect(throws: CommandFailure.self) {
            try SearchedPlan(self.plan(), quantity: .viewers, watch: .seconds(60))
        }
    }

    /// Requests are spread that viewers make of themselves.
    @Test func theJitterOfInterstitialsIsRefused() throws {
        let own = try plan { ($0.breaks.source, $0.breaks.trigger) = (.dateRange(classAttribute: nil), .playhead) }
        for quantity in [CapacityQuestion.Quantity.jitter, .lead] {
            #expect(problems(own, quantity).isEmpty)
            let interstitials = try plan { ($0.breaks.source, $0.breaks.playsInterstitials) = (.none, true) }
            let problems = problems(interstitials, quantity)
            #expect(problems.first?.hasPrefix("breaks.source: \(quantity.rawValue) is of pods") == true)
        }
    }

    @Test func theJitterOfARendezvousIsRefused() throws {
        let meeting = try plan { $0.breaks.trigger = .rendezvous }
        #expect(problems(meeting, .jitter).map { $0.hasPrefix("breaks.trigger:") } == [true])
        #expect(problems(meeting, .viewers).isEmpty)
        #expect(problems(meeting, .lead).isEmpty)
        #expect(problems(try plan { $0.breaks.trigger = .playhead }, .jitter).isEmpty)
    }

    @Test func whatIsWrongIsToldAtOnce() throws {
        let plan = try plan {
            ($0.breaks.trigger, $0.breaks.source, $0.breaks.playsInterstitials) = (.rendezvous, .none, true)
        }
        #expect(problems(plan, .jitter, spacing: .seconds(5)).count == 3)
        #expect(problems(try self.plan(), .viewers, spacing: .seconds(5)).count == 1)
    }

    @Test func breaksThatWouldMeetAreRefused() throws {
        let plan = try plan { ($0.breaks.lead, $0.breaks.jitter) = (.zero, .zero) }
        #expect(problems(plan, .viewers, spacing: .seconds(12)).isEmpty)
        #expect(problems(plan, .viewers, spacing: .milliseconds(11_999)).map { $0.hasPrefix("--spacing") } == [true])
        #expect(try SearchedPlan(plan, quantity: .viewers).spacing == .seconds(20))
        let long = try self.plan { $0.breaks.podDuration = .seconds(60) }
        #expect(try SearchedPlan(long, quantity: .viewers).spacing >= .seconds(62))
    }

    // MARK: The plan of a run

    @Test func aRunHasTheAudienceAndTheBreaksOfItsTimetable() throws {
        let timetable = RunCourse(sizes: [100, 125, 156], spacing: .seconds(20), joinsPerSecond: 50)
        let run = try SearchedPlan(plan(), quantity: .viewers).run(timetable)
        #expect((run.audience.viewers, run.audience.curve?.points) == (156, timetable.points))
        #expect(run.duration == timetable.duration)
        #expect(run.breaks.source == .list(timetable.breaks.map { ListedBreak($0) }))
    }

    @Test func everythingElseOfThePlanStays() throws {
        let plan = try plan { $0.windows.warmUp = .seconds(10) }
        var run = try SearchedPlan(plan, quantity: .viewers).run(timetable(100, 125))
        #expect((run.audience.ramp, run.windows.warmUp) == (.zero, nil))
        #expect(run.audience.churnPerMinute == plan.audience.churnPerMinute)
        (run.audience, run.duration, run.breaks.source) = (plan.audience, plan.duration, plan.breaks.source)
        run.windows = plan.windows
        (run.abort, run.abortAfter) = (plan.abort, plan.abortAfter)
        #expect(run.digested() == plan)
    }

    @Test func runsOfDifferentSizesHaveDifferentDigests() throws {
        let searched = try SearchedPlan(plan(), quantity: .viewers)
        let runs = [timetable(100), timetable(101), timetable(100, 100), timetable(100, 101)].map { searched.run($0) }
        #expect(Set(runs.map(\.digest)).count == 4)
        #expect(Set(runs.map(\.workloadDigest)).count == 4)
        #expect(!runs.map(\.digest).contains(searched.plan.digest))
        #expect(searched.run(timetable(100)) == runs[0])
    }

    @Test func aTimeThatIsSearchedIsThatOfTheRun() throws {
        let plan = try plan { $0.breaks.trigger = .playhead }
        let jitter = try SearchedPlan(plan, quantity: .jitter)
        #expect(jitter.run(timetable(100), value: 750).breaks.jitter == .milliseconds(750))
        // No request may be spread to after its break.
        #expect(jitter.run(timetable(100), value: 750).breaks.lead == max(plan.breaks.lead, .milliseconds(750)))
        let lead = try SearchedPlan(plan, quantity: .lead)
        #expect(lead.run(timetable(100), value: 1_500).breaks.lead == .milliseconds(1_500))
        #expect(lead.run(timetable(100), value: 1_500).breaks.jitter == plan.breaks.jitter)
        let spread = try SearchedPlan(self.plan { $0.breaks.jitter = .seconds(2) }, quantity: .lead)
        #expect(spread.run(timetable(100), value: 1_500).breaks.jitter == .milliseconds(1_500))
        #expect(lead.run(timetable(100), value: -3).breaks.lead == .zero)
        #expect(lead.run(timetable(100), value: .infinity).breaks.lead == .seconds(3_600))
    }

    @Test func aRunEndsWhereHalfOfItsRequestsFailUnlessTheProfileSaysWhen() throws {
        let usual = try SearchedPlan(plan(), quantity: .viewers).run(timetable(100))
        #expect((usual.abort.map(\.text), usual.abortAfter) == (["all.errors > 50%"], .seconds(10)))
        let rule = try ThresholdRule(parsing: "playlist.errors > 20%")
        let own = try plan { ($0.abort, $0.abortAfter) = ([rule], .seconds(33)) }
        let run = try SearchedPlan(own, quantity: .viewers).run(timetable(100))
        #expect((run.abort, run.abortAfter) == (own.abort, .seconds(33)))
    }

    @Test func aBreakIsJudgedFromASecondBeforeItsFirstRequestsToHalfTheWayToTheNext() throws {
        let plan = try plan {
            ($0.breaks.trigger, $0.breaks.lead, $0.breaks.jitter) = (.playhead, .seconds(3), .milliseconds(500))
        }
        let searched = try SearchedPlan(plan, quantity: .viewers)
        let timing = searched.timing(of: searched.run(timetable(100)))
        #expect((timing.leadMicroseconds, timing.graceMicroseconds) == (4_500_000, 1_000_000))
        #expect(timing.patienceMicroseconds == 10_000_000)
    }

    @Test func anAudienceJoinsAsFastAsTheProfilesOwn() throws {
        #expect(try SearchedPlan(plan(), quantity: .viewers).joinsPerSecond == 50)
        let atOnce = try plan { $0.audience.ramp = .zero }
        #expect(try SearchedPlan(atOnce, quantity: .viewers).joinsPerSecond == 400)
    }
}
