import CapacityResult
import ExampleRuns
import Recording
import Rulebook
import RunResult
import Testing

@Suite struct BreakJudgeTests {
    // MARK: What becomes of a break

    struct Example: Sendable {
        var there = 100
        var onTime = 100
        var late = 0
        var failed = 0
        var rule: [String] = []
        var broken: [String] = []
    }

    /// One break rule after the other, and how many of a hundred viewers have to be there.
    @Test(arguments: [
        Example(), Example(onTime: 99, late: 1),
        Example(onTime: 98, late: 2, broken: ["breaks.on_time >= 99%: 98%"]),
        Example(onTime: 97, late: 1, failed: 2, broken: ["breaks.on_time >= 99%: 97%"]),
        Example(
            onTime: 90,
            late: 10,
            rule: ["breaks.on_time >= 99%", "breaks.late == 0", "breaks.failed == 0"],
            broken: ["breaks.on_time >= 99%: 90%", "breaks.late == 0: 10 viewers"]
        ),
        Example(there: 95, onTime: 95),
        Example(there: 94, onTime: 94, broken: ["only 94 of 100 viewers were there"]),
    ])
    func aBreakThatBreaksNoRuleHolds(example: Example) throws {
        let rule = try example.rule.isEmpty ? HoldRule(ofProfile: []) : HoldRule(parsing: example.rule)
        let run = MadeUpRun.at20(joined: example.there, planned: 100, rule: rule) {
            $0.serve(breakAt: 20, onTime: example.onTime, late: example.late, failed: example.failed)
        }
        let judged = try #require(run.over.first)
        #expect(run.over.count == 1 && run.all == run.over)
        #expect(judged.outcome == (example.broken.isEmpty ? .held : .missed))
        #expect(judged.broken == example.broken && judged.limits.isEmpty)
        #expect(judged.key == "break 20" && judged.startMicroseconds == ExampleRun.start + 20_000_000)
        #expect(judged.planned == 100 && judged.watching == example.there && judged.unresolved == 0)
        #expect(judged.due == UInt64(example.onTime + example.late + example.failed))
        #expect(judged.onTime == UInt64(example.onTime) && judged.late == UInt64(example.late))
        #expect(judged.failed == (example.failed == 0 ? [:] : ["pod_manifest_failed": UInt64(example.failed)]))
    }

    // MARK: Who was there

    /// Three of a hundred are refused their sessions: too few to be missed, and enough to break the rule.
    @Test func viewersThatWereShutOutAreDue() throws {
        let run = MadeUpRun.at20(joined: 97, planned: 100) { recorder in
            let refused = ShutOut(.atPlayhead, .noSession, persona: 0, from: ExampleRun.start, until: nil)
            recorder.shutOuts.goOn([refused: 3])
            _ = recorder.slot(ofBreakAt: 20, meeting: .atPlayhead)
            recorder.serve(breakAt: 20, onTime: 97)
        }
        let judged = try #require(run.over.first)
        #expect(judged.broken == ["breaks.on_time >= 99%: 97%"])
        #expect(judged.due == 100)
        #expect(judged.failed == ["no_session": 3])
    }

    @Test func thePlanIsAskedForTheInstantOfTheBreak() {
        var run = MadeUpRun { Int($0 / 1_000_000) }
        run.second { $0[0].count(.joined, by: 20) }
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 20) }
        run.idle(until: 40)
        #expect(run.over.map(\.planned) == [20])
        #expect(run.over.map(\.outcome) == [.held])
    }

    // MARK: Who says nothing

    /// Viewers of whom some are served at once and some come to nothing while they are looked at.
    private func run(silent: Int, served: Int, countsSilent: Bool = true, until end: Int = 40) -> MadeUpRun {
        MadeUpRun.at20(joined: silent + served, countsSilent: countsSilent, until: end) {
            $0.serve(breakAt: 20, onTime: served)
        }
    }

    @Test func viewersOfWhomNothingIsKnownAreWaitedForAndThenHadNoPod() throws {
        #expect(run(silent: 2, served: 98, until: 29).over.isEmpty)
        let judged = try #require(run(silent: 2, served: 98).over.first)
        #expect(judged.outcome == .missed)
        #expect(judged.due == 100)
        #expect(judged.unresolved == 2)
        #expect(judged.broken == ["breaks.on_time >= 99%: 98%"])
        #expect(run(silent: 1, served: 99).over.map(\.outcome) == [.held])
        #expect(run(silent: 50, served: 50, countsSilent: false).over.map(\.outcome) == [.held])
    }

    /// A viewer without a session is due and failed: it hides no viewer of whom nothing is known.
    @Test func aViewerWithoutASessionIsCountedOnce() throws {
        var run = MadeUpRun.at20(joined: 1_000, until: 29) { recorder in
            recorder.serve(breakAt: 20, onTime: 988)
            for _ in 0..<6 {
                recorder.viewerDue(recorder.slot(ofBreakAt: 20))
                recorder.viewerFailed(recorder.slot(ofBreakAt: 20), .noSession)
            }
        }
        #expect(run.over.isEmpty)
        run.idle(until: 40)
        let judged = try #require(run.over.first)
        #expect(judged.due == 1_000 && judged.unresolved == 6)
        #expect(judged.outcome == .missed)
    }

    /// A rule that sees nothing of them does not make it a break of those who were served.
    @Test(arguments: [(50, false), (3, true)])
    func silenceOfManyBreaksEveryRule(silent: Int, holds: Bool) throws {
        let rule = try HoldRule(parsing: ["breaks.failed <= 1%"])
        let run = MadeUpRun.at20(rule: rule) { $0.serve(breakAt: 20, onTime: 100 - silent) }
        let judged = try #require(run.over.first)
        #expect(judged.outcome == (holds ? .held : .missed))
        #expect(judged.broken == (holds ? [] : ["nothing is heard of \(silent) of 100 viewers"]))
    }

    @Test func aBreakIsOverWhenNobodyIsWaitedFor() {
        #expect(run(silent: 0, served: 100, until: 22).over.isEmpty)
        #expect(run(silent: 0, served: 100, until: 24).over.map(\.outcome) == [.held])
    }

    /// It is not the break of those who come while it is on, nor are those waited for in whose place they come.
    @Test func whoComesMeanwhileIsNotMissed() throws {
        let run = MadeUpRun.at20(until: 24) { recorder in
            recorder.serve(breakAt: 20, onTime: 96)
            recorder.viewerSkipped(recorder.slot(ofBreakAt: 20), .pictureInPictureLost)
            for _ in 0..<3 { recorder.viewerSkipped(recorder.slot(ofBreakAt: 20), .leftBefore) }
            recorder.count(.left, by: 3)
            recorder.count(.joined, by: 3)
        }
        let judged = try #require(run.over.first)
        #expect(judged.outcome == .held)
        #expect(judged.due == 96)
    }

    /// What is known of a break when its run ends is of those whose playheads came first.
    @Test func ofPlayheadsThatComeOneAfterTheOtherNoneIsLeftOut() {
        var timing = MadeUpRun.timing
        timing.isSpread = true
        var run = MadeUpRun(timing: timing) { _ in 100 }
        run.second { $0[0].count(.joined, by: 100) }
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 40) }
        run.idle(until: 26)
        #expect(run.all.isEmpty)
        run.second { $0[0].serve(breakAt: 20, onTime: 60) }
        #expect(run.all.map(\.due) == [100])
        #expect(run.all.map(\.outcome) == [.held])
    }

    // MARK: The generator as the limit

    static let limits: [(String, @Sendable (inout HealthSample) -> Void)] = [
        ("event loops were delayed", { $0.loopDelayMicroseconds = 900_000 }),
        ("planned requests were never sent", { $0.droppedStarts = 1 }),
        ("podswarm used more than", { $0.cpuCores = 1 }),
        ("podswarm itself waited for a core", { $0.generatorWait = .long }),
        ("the embedded origin waited for a core", { $0.originWait = .long }),
    ]

    private func run(onTime: Int, late: Int = 0, strainedIn seconds: Set<Int>, _ strain: (inout HealthSample) -> Void)
        -> MadeUpRun
    {
        func health(of second: Int, _ sample: inout HealthSample) {
            if seconds.contains(second) { strain(&sample) }
        }
        return MadeUpRun.at20(joined: onTime + late, planned: 100, health: health) {
            $0.serve(breakAt: 20, onTime: onTime, late: late)
        }
    }

    /// In the second of the break and, because its first requests may leave then, in the one before it.
    @Test(arguments: 0..<limits.count, [19, 20])
    func aMissedBreakIsCensoredWhereTheGeneratorWasTheLimitInItsSeconds(index: Int, second: Int) throws {
        let (reason, strain) = Self.limits[index]
        let judged = try #require(run(onTime: 90, late: 10, strainedIn: [second], strain).over.first)
        #expect(judged.outcome == .censored)
        #expect(judged.broken == ["breaks.on_time >= 99%: 90%"])
        #expect(judged.limits.contains { $0.contains(reason) })
    }

    @Test(arguments: 0..<limits.count)
    func aBadSecondFarFromTheBreakChangesNothing(index: Int) {
        let far = run(onTime: 90, late: 10, strainedIn: Set(0..<19).union(23..<40), Self.limits[index].1)
        #expect(far.over.map(\.outcome) == [.missed])
        #expect(far.over.map(\.limits) == [[]])
    }

    @Test func aBreakThatHeldInSpiteOfALimitedGeneratorHeld() {
        let run = run(onTime: 100, strainedIn: [20]) { $0.loopDelayMicroseconds = 900_000 }
        #expect(run.over.map(\.outcome) == [.held])
        #expect(run.over.map(\.limits.count) == [1])
    }

    @Test func viewersThatALimitedGeneratorLostSayNothing() {
        #expect(run(onTime: 50, strainedIn: [20]) { $0.droppedStarts = 4 }.over.map(\.outcome) == [.censored])
    }

    // MARK: Several loops

    @Test func recordsOfTwoLoopsAreOneBreak() throws {
        var run = MadeUpRun(loops: 2) { _ in 100 }
        run.second { for recorder in $0 { recorder.count(.joined, by: 50) } }
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 50) }
        // The second loop's record comes an interval later, and the first one's comes once more with it.
        run.second { recorders in
            recorders[1].serve(breakAt: 20, onTime: 49, failed: 1)
            recorders[0].viewerSkipped(recorders[0].slot(ofBreakAt: 20), .pictureInPictureLost)
        }
        run.idle(until: 40)
        let judged = try #require(run.over.first)
        #expect(run.over.count == 1)
        #expect(judged.due == 100)
        #expect(judged.onTime == 99)
        #expect(judged.failed == ["pod_manifest_failed": 1])
        #expect(judged.skipped.values.reduce(0, +) == 1)
        #expect(judged.watching == 100)
        #expect(judged.outcome == .held)
    }

    // MARK: When it is judged

    @Test func aBreakIsJudgedASecondAfterItsGraceAndNotBefore() {
        var run = MadeUpRun.at20(joined: 0, until: 22) { $0.serve(breakAt: 20, onTime: 10) }
        #expect(run.over.isEmpty)
        run.idle(until: 23)
        #expect(run.over.map(\.outcome) == [.held])
    }

    @Test func viewersOfWhomNothingIsKnownAreWaitedFor() {
        var run = MadeUpRun.at20(joined: 0, until: 25) { $0.serve(breakAt: 20, onTime: 99, unresolved: 1) }
        #expect(run.over.isEmpty)
        run.second { $0[0].viewerLate($0[0].slot(ofBreakAt: 20), lateness: 4_000_000_000) }
        #expect(run.over.map(\.unresolved) == [0])
        #expect(run.over.map(\.late) == [1])
        #expect(run.over.map(\.outcome) == [.held])
    }

    @Test func patienceEnds() {
        var run = MadeUpRun.at20(joined: 0, until: 29) { $0.serve(breakAt: 20, onTime: 95, unresolved: 5) }
        #expect(run.over.isEmpty)
        run.idle(until: 30)
        #expect(run.over.map(\.unresolved) == [5])
        #expect(run.over.map(\.outcome) == [.missed])
    }

    @Test func aBreakWhoseGraceIsNotOverAtTheEndIsNotJudged() {
        var run = MadeUpRun.at20(joined: 0, until: 22) { $0.serve(breakAt: 20, onTime: 9, unresolved: 1) }
        #expect(run.all.isEmpty)
        run.idle(until: 23)
        #expect(run.over.isEmpty)
        #expect(run.all.map(\.outcome) == [.missed])
        #expect(run.all.map(\.unresolved) == [1])
    }

    @Test func aRunWithoutABreakOrWithOneOfNobodyHasNothingToJudge() {
        #expect(MadeUpRun.at20(joined: 0) { _ in }.all.isEmpty)
        #expect(MadeUpRun.at20(joined: 0) { $0.viewerSkipped($0.slot(ofBreakAt: 20), .leftBefore) }.all.isEmpty)
    }

    @Test func breaksComeInTheirOrder() {
        var run = MadeUpRun()
        run.idle(until: 5)
        run.second { $0[0].serve(breakAt: 5, onTime: 1, unresolved: 1) }
        run.idle(until: 9)
        run.second { $0[0].serve(breakAt: 9, onTime: 2) }
        run.idle(until: 13)
        #expect(run.over.map(\.key) == ["break 9"])
        #expect(run.all.map(\.key) == ["break 5", "break 9"])
        run.idle(until: 20)
        #expect(run.over.map(\.key) == ["break 9", "break 5"])
        #expect(run.all.map(\.key) == ["break 5", "break 9"])
    }

    @Test func whatComesAfterTheVerdictIsNotCountedOnceMore() {
        var run = MadeUpRun.at20(joined: 0, until: 26) { $0.serve(breakAt: 20, onTime: 10) }
        run.second { $0[0].serve(breakAt: 20, failed: 10) }
        run.idle(until: 40)
        #expect(run.over.map(\.due) == [10])
        #expect(run.over.map(\.outcome) == [.held])
        #expect(run.all.count == 1)
    }

    // MARK: What was asked for around it

    @Test func onlyRequestsAroundTheBreakAreItsOwn() throws {
        var run = MadeUpRun()
        for second in 0..<40 {
            run.second { recorders in
                recorders[0].ask(.playlist, count: 3)
                if second == 20 { recorders[0].serve(breakAt: 20, onTime: 10) }
                if second == 20 { recorders[0].ask(.podManifest, count: 10, milliseconds: 300) }
            }
        }
        let judged = try #require(run.over.first)
        // From the second before it to the one in which all was known.
        #expect(judged.requests.first { $0.kind == "playlist" }?.count == 12)
        let pods = try #require(judged.beginning)
        #expect(pods.kind == "pod_manifest")
        #expect(pods.count == 10)
        #expect(pods.errors.isEmpty)
        #expect((299_000...302_000).contains(pods.p99Microseconds ?? 0))
        #expect(judged.peakRequestsPerSecond == 13)
        #expect(judged.peakPodRequestsPerSecond == 10)
    }

    @Test func eachOfTwoBreaksHasItsOwnRequestsOnce() {
        var run = MadeUpRun()
        for second in 0..<60 {
            run.second { recorders in
                guard [20, 40].contains(second) else { return }
                recorders[0].serve(breakAt: second, onTime: second)
                recorders[0].ask(.podManifest, count: second)
            }
        }
        #expect(run.over.map(\.due) == [20, 40])
        #expect(run.over.map { $0.requests.map(\.count) } == [[20], [40]])
    }

    @Test func errorsAreToldByTheirCodes() throws {
        let run = MadeUpRun.at20(joined: 0) { recorder in
            recorder.serve(breakAt: 20, onTime: 7, failed: 3)
            recorder.ask(.podManifest, count: 7)
            recorder.ask(.podManifest, count: 2, outcome: .status(503))
            recorder.ask(.podManifest, outcome: .failure(.reset))
        }
        let pods = try #require(run.over.first?.beginning)
        #expect(pods.count == 10)
        #expect(pods.errorCount == 3)
        #expect(pods.errors["http_503"] == 2)
    }

    @Test func aRuleOnTimesLooksAtTheBreakAlone() throws {
        let rule = try HoldRule(parsing: ["pod_manifest.response.p99 < 800ms"])
        var run = MadeUpRun(rule: rule)
        for second in 0..<60 {
            run.second { recorders in
                if second == 10 || second == 30 { recorders[0].ask(.podManifest, count: 50, milliseconds: 5_000) }
                guard [20, 40].contains(second) else { return }
                recorders[0].serve(breakAt: second, onTime: 10)
                recorders[0].ask(.podManifest, count: 10, milliseconds: second == 20 ? 100 : 900)
            }
        }
        #expect(run.over.map(\.outcome) == [.held, .missed])
    }

    @Test func edgesThatAnsweredAreKeptApart() throws {
        let run = MadeUpRun.at20(joined: 0) { recorder in
            recorder.serve(breakAt: 20, onTime: 10)
            recorder.ask(.podManifest, count: 6, edge: Edge(address: "192.0.2.1:443", pop: "FRA"))
            recorder.ask(.podManifest, count: 4, outcome: .status(503), edge: Edge(address: "192.0.2.2:443"))
        }
        let edges = try #require(run.over.first?.edges)
        #expect(edges.map(\.address) == ["192.0.2.1:443", "192.0.2.2:443"])
        #expect(edges.map(\.count) == [6, 4])
        #expect(edges.map(\.errors) == [0, 4])
        #expect(edges.map(\.pop) == ["FRA", ""])
    }

    @Test func howFastViewersWereServedIsTakenFromTheFirstRequestToNineteenOfTwenty() throws {
        // One viewer each millisecond.
        let rate = try #require(MadeUpRun.at20 { $0.serve(breakAt: 20, onTime: 100) }.over.first?.servedPerSecond)
        #expect((990...1_010).contains(rate))
        #expect(MadeUpRun.at20 { $0.serve(breakAt: 20, failed: 100) }.over.map(\.servedPerSecond) == [nil])
    }
}

extension CoreWait {
    fileprivate static let long = CoreWait(
        ranMicroseconds: 100_000,
        waitedMicroseconds: 900_000,
        threadWaitedMicroseconds: 800_000
    )
}
