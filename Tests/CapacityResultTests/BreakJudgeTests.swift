import CapacityResult
import Recording
import Rulebook
import RunResult
import Testing

@Suite struct BreakJudgeTests {
    /// A run with a break at its 20th second, to the end of its 40th.
    private func run(
        planned: Int = 100,
        onTime: Int = 100,
        late: Int = 0,
        failed: Int = 0,
        watching: Int? = nil,
        rule: HoldRule = HoldRule(ofProfile: []),
        health: (Int, inout HealthSample) -> Void = { _, _ in }
    ) -> MadeUpRun {
        var run = MadeUpRun(rule: rule) { _ in planned }
        for second in 0..<40 {
            run.second { recorders in
                if second == 0 { recorders[0].count(.joined, by: UInt64(watching ?? planned)) }
                if second == 20 { recorders[0].serve(breakAt: 20, onTime: onTime, late: late, failed: failed) }
            } health: {
                health(second, &$0)
            }
        }
        return run
    }

    // MARK: What becomes of a break

    @Test func aBreakWithAllPodsInTimeHolds() throws {
        let run = run()
        let judged = try #require(run.over.first)
        #expect(run.over.count == 1)
        #expect(judged.outcome == .held)
        #expect(judged.broken.isEmpty)
        #expect(judged.limits.isEmpty)
        #expect(judged.key == "break 20")
        #expect(judged.startMicroseconds == MadeUpRun.start + 20_000_000)
        #expect(judged.planned == 100)
        #expect(judged.watching == 100)
        #expect(judged.due == 100)
        #expect(judged.onTime == 100)
        #expect(judged.onTimePercent == 100)
        #expect(run.all == run.over)
    }

    @Test func aBreakThatBreaksTheRuleIsMissedAndSaysByHowMuch() throws {
        let judged = try #require(run(onTime: 97, late: 1, failed: 2).over.first)
        #expect(judged.outcome == .missed)
        #expect(judged.broken == ["breaks.on_time >= 99%: 97%"])
        #expect(judged.late == 1)
        #expect(judged.failed == ["pod_manifest_failed": 2])
        #expect(judged.unresolved == 0)
    }

    @Test func ninetyNineOfAHundredAreEnoughAndNinetyEightAreNot() {
        #expect(run(onTime: 99, late: 1).over.map(\.outcome) == [.held])
        #expect(run(onTime: 98, late: 2).over.map(\.outcome) == [.missed])
    }

    @Test func everyRuleThatIsBrokenIsTold() throws {
        let rule = try HoldRule(parsing: ["breaks.on_time >= 99%", "breaks.late == 0", "breaks.failed == 0"])
        let judged = try #require(run(onTime: 90, late: 10, rule: rule).over.first)
        #expect(judged.broken.count == 2)
    }

    // MARK: Who was there

    @Test func ofThePlannedViewersNinetyFivePercentHaveToBeThere() throws {
        #expect(run(planned: 100, onTime: 95, watching: 95).over.map(\.outcome) == [.held])
        let judged = try #require(run(planned: 100, onTime: 94, watching: 94).over.first)
        #expect(judged.outcome == .missed)
        #expect(judged.broken == ["only 94 of 100 viewers were there"])
    }

    /// Three of a hundred are refused their sessions: too few to be missed, and enough to break the rule.
    @Test func viewersThatWereShutOutAreDue() throws {
        var run = MadeUpRun { _ in 100 }
        for second in 0..<40 {
            run.second { recorders in
                if second == 0 {
                    recorders[0].count(.joined, by: 97)
                    let refused = ShutOut(.atPlayhead, .noSession, persona: 0, from: MadeUpRun.start, until: nil)
                    recorders[0].shutOuts.goOn([refused: 3])
                }
                if second == 20 {
                    _ = recorders[0].slot(ofBreakAt: 20, meeting: .atPlayhead)
                    recorders[0].serve(breakAt: 20, onTime: 97)
                }
            }
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

    /// A hundred viewers, of whom some are served at once and some come to nothing while they are looked at.
    private func run(silent: Int, served: Int, countsSilent: Bool = true, until end: Int = 40) -> MadeUpRun {
        var run = MadeUpRun(countsSilent: countsSilent) { _ in silent + served }
        run.second { $0[0].count(.joined, by: UInt64(silent + served)) }
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: served) }
        run.idle(until: end)
        return run
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
        var run = MadeUpRun { _ in 1_000 }
        run.second { $0[0].count(.joined, by: 1_000) }
        run.idle(until: 20)
        run.second { recorders in
            let slot = recorders[0].slot(ofBreakAt: 20)
            recorders[0].serve(breakAt: 20, onTime: 988)
            for _ in 0..<6 {
                recorders[0].viewerDue(slot)
                recorders[0].viewerFailed(slot, .noSession)
            }
        }
        run.idle(until: 29)
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
        var run = MadeUpRun(rule: rule) { _ in 100 }
        run.second { $0[0].count(.joined, by: 100) }
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 100 - silent) }
        run.idle(until: 40)
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
        var run = MadeUpRun { _ in 100 }
        run.second { $0[0].count(.joined, by: 100) }
        run.idle(until: 20)
        run.second { recorders in
            recorders[0].serve(breakAt: 20, onTime: 96)
            recorders[0].viewerSkipped(recorders[0].slot(ofBreakAt: 20), .pictureInPictureLost)
            for _ in 0..<3 { recorders[0].viewerSkipped(recorders[0].slot(ofBreakAt: 20), .leftBefore) }
            recorders[0].count(.left, by: 3)
            recorders[0].count(.joined, by: 3)
        }
        run.idle(until: 24)
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

    @Test(arguments: 0..<limits.count)
    func aMissedBreakIsCensoredWhereTheGeneratorWasTheLimitInItsSeconds(index: Int) throws {
        let (reason, strain) = Self.limits[index]
        let judged = try #require(run(onTime: 90, late: 10) { if $0 == 20 { strain(&$1) } }.over.first)
        #expect(judged.outcome == .censored)
        #expect(judged.broken == ["breaks.on_time >= 99%: 90%"])
        #expect(judged.limits.contains { $0.contains(reason) })
    }

    @Test(arguments: 0..<limits.count)
    func aBadSecondFarFromTheBreakChangesNothing(index: Int) {
        let strain = Self.limits[index].1
        let far = run(onTime: 90, late: 10) { if $0 < 19 || $0 > 22 { strain(&$1) } }
        #expect(far.over.map(\.outcome) == [.missed])
        #expect(far.over.map(\.limits) == [[]])
        // Its first requests may leave a second before it.
        #expect(run(onTime: 90, late: 10) { if $0 == 19 { strain(&$1) } }.over.map(\.outcome) == [.censored])
    }

    @Test func aBreakThatHeldInSpiteOfALimitedGeneratorHeld() throws {
        let judged = try #require(run { if $0 == 20 { $1.loopDelayMicroseconds = 900_000 } }.over.first)
        #expect(judged.outcome == .held)
        #expect(judged.limits.count == 1)
    }

    @Test func viewersThatALimitedGeneratorLostSayNothing() {
        let run = run(planned: 100, onTime: 50, watching: 50) { if $0 == 20 { $1.droppedStarts = 4 } }
        #expect(run.over.map(\.outcome) == [.censored])
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
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 10) }
        run.idle(until: 22)
        #expect(run.over.isEmpty)
        run.idle(until: 23)
        #expect(run.over.map(\.outcome) == [.held])
    }

    @Test func viewersOfWhomNothingIsKnownAreWaitedFor() {
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 99, unresolved: 1) }
        run.idle(until: 25)
        #expect(run.over.isEmpty)
        run.second { $0[0].viewerLate($0[0].slot(ofBreakAt: 20), lateness: 4_000_000_000) }
        #expect(run.over.map(\.unresolved) == [0])
        #expect(run.over.map(\.late) == [1])
        #expect(run.over.map(\.outcome) == [.held])
    }

    @Test func patienceEnds() {
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 95, unresolved: 5) }
        run.idle(until: 29)
        #expect(run.over.isEmpty)
        run.idle(until: 30)
        #expect(run.over.map(\.unresolved) == [5])
        #expect(run.over.map(\.outcome) == [.missed])
    }

    @Test func aBreakWhoseGraceIsNotOverAtTheEndIsNotJudged() {
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 9, unresolved: 1) }
        run.idle(until: 22)
        #expect(run.all.isEmpty)
        run.idle(until: 23)
        #expect(run.over.isEmpty)
        #expect(run.all.map(\.outcome) == [.missed])
        #expect(run.all.map(\.unresolved) == [1])
    }

    @Test func aRunWithoutABreakHasNothingToJudge() {
        var run = MadeUpRun()
        run.idle(until: 30)
        #expect(run.all.isEmpty)
    }

    @Test func aBreakForWhichNobodyIsDueIsNone() {
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].viewerSkipped($0[0].slot(ofBreakAt: 20), .leftBefore) }
        run.idle(until: 40)
        #expect(run.all.isEmpty)
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
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { $0[0].serve(breakAt: 20, onTime: 10) }
        run.idle(until: 26)
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
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { recorders in
            recorders[0].serve(breakAt: 20, onTime: 7, failed: 3)
            recorders[0].ask(.podManifest, count: 7)
            recorders[0].ask(.podManifest, count: 2, outcome: .status(503))
            recorders[0].ask(.podManifest, outcome: .failure(.reset))
        }
        run.idle(until: 40)
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
        var run = MadeUpRun()
        run.idle(until: 20)
        run.second { recorders in
            recorders[0].serve(breakAt: 20, onTime: 10)
            recorders[0].ask(.podManifest, count: 6, edge: Edge(address: "192.0.2.1:443", pop: "FRA"))
            recorders[0].ask(
                .podManifest,
                count: 4,
                outcome: .status(503),
                edge: Edge(address: "192.0.2.2:443")
            )
        }
        run.idle(until: 40)
        let edges = try #require(run.over.first?.edges)
        #expect(edges.map(\.address) == ["192.0.2.1:443", "192.0.2.2:443"])
        #expect(edges.map(\.count) == [6, 4])
        #expect(edges.map(\.errors) == [0, 4])
        #expect(edges.map(\.pop) == ["FRA", ""])
    }

    @Test func howFastViewersWereServedIsTakenFromTheFirstRequestToNineteenOfTwenty() throws {
        // One viewer each millisecond.
        let rate = try #require(run(onTime: 100).over.first?.servedPerSecond)
        #expect((990...1_010).contains(rate))
        #expect(run(onTime: 0, failed: 100).over.map(\.servedPerSecond) == [nil])
    }
}

extension CoreWait {
    fileprivate static let long = CoreWait(
        ranMicroseconds: 100_000,
        waitedMicroseconds: 900_000,
        threadWaitedMicroseconds: 800_000
    )
}
