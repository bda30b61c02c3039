import ExampleRuns
import Results
import Rules
import TestSupport
import Testing

/// Judgements of breaks, and the second after which each is known, in golden files.
@Suite struct BreakJudgeTests {
    private func pin(_ file: String, _ scenes: [(name: String, run: MadeUpRun)]) throws {
        let text = scenes.map { "\($0.name)\n\($0.run.text)" }.joined(separator: "\n")
        try GoldenFile.expect(text, at: "Tests/CapacityResultTests/Goldens/breaks/\(file).txt")
    }

    /// A hundred viewers are planned for a break, and this becomes of those who are there.
    private func run(
        _ onTime: Int,
        late: Int = 0,
        failed: Int = 0,
        rule: HoldRule = HoldRule(ofProfile: []),
        health: (Int, inout HealthSample) -> Void = { _, _ in }
    ) -> MadeUpRun {
        MadeUpRun.at20(joined: onTime + late + failed, planned: 100, rule: rule, health: health) {
            $0.serve(breakAt: 20, onTime: onTime, late: late, failed: failed)
        }
    }

    @Test func whatBecomesOfABreak() throws {
        let three = try HoldRule(parsing: ["breaks.on_time >= 99%", "breaks.late == 0", "breaks.failed == 0"])
        var small = MadeUpRun { Int($0 / 1_000_000) }
        small.second { $0[0].count(.joined, by: 20) }
        small.idle(until: 20)
        small.second { $0[0].serve(breakAt: 20, onTime: 20) }
        small.idle(until: 40)
        try pin(
            "outcomes",
            [
                ("all had it", run(100)), ("one in a hundred had not", run(99, late: 1)), ("two", run(98, late: 2)),
                ("one late, two failed", run(97, late: 1, failed: 2)),
                ("several rules", run(90, late: 10, rule: three)), ("five in a hundred were not there", run(95)),
                ("six", run(94)),
                (
                    "three were refused their sessions",
                    MadeUpRun.at20(joined: 97, planned: 100) { recorder in
                        let from = ExampleRun.start
                        let refused = ShutOut(.atPlayhead, .noSession, from: from, until: nil)
                        recorder.shutOuts.goOn([refused: 3])
                        _ = recorder.slot(ofBreakAt: 20, meeting: .atPlayhead)
                        recorder.serve(breakAt: 20, onTime: 97)
                    }
                ), ("as many viewers are planned as seconds have passed", small),
                ("nobody is given one", run(0, failed: 100)), ("there is none", MadeUpRun.at20(joined: 0) { _ in }),
                ("none is due", MadeUpRun.at20(joined: 0) { $0.viewerSkipped($0.slot(ofBreakAt: 20), .leftBefore) }),
            ]
        )
    }

    @Test func whoSaysNothing() throws {
        func run(silent: Int, served: Int, countsSilent: Bool = true) -> MadeUpRun {
            MadeUpRun.at20(joined: silent + served, countsSilent: countsSilent) {
                $0.serve(breakAt: 20, onTime: served)
            }
        }
        let failures = try HoldRule(parsing: ["breaks.failed <= 1%"])
        func unseen(_ silent: Int) -> MadeUpRun {
            MadeUpRun.at20(rule: failures) { $0.serve(breakAt: 20, onTime: 100 - silent) }
        }
        try pin(
            "silence",
            [
                ("nobody", run(silent: 0, served: 100)), ("one in a hundred", run(silent: 1, served: 99)),
                ("two in a hundred", run(silent: 2, served: 98)),
                ("half, where it does not count", run(silent: 50, served: 50, countsSilent: false)),
                ("three, and a rule that sees nothing of them", unseen(3)),
                ("half, and a rule that sees nothing of them", unseen(50)),
                (
                    "six in a thousand, and six without a session, who hide none of them",
                    MadeUpRun.at20(joined: 1_000) { recorder in
                        recorder.serve(breakAt: 20, onTime: 988)
                        for _ in 0..<6 {
                            recorder.viewerDue(recorder.slot(ofBreakAt: 20))
                            recorder.viewerFailed(recorder.slot(ofBreakAt: 20), .noSession)
                        }
                    }
                ),
                (
                    "nobody, as three come for those who left, and one lost it in a picture in a picture",
                    MadeUpRun.at20 { recorder in
                        recorder.serve(breakAt: 20, onTime: 96)
                        recorder.viewerSkipped(recorder.slot(ofBreakAt: 20), .pictureInPictureLost)
                        for _ in 0..<3 { recorder.viewerSkipped(recorder.slot(ofBreakAt: 20), .leftBefore) }
                        recorder.count(.left, by: 3)
                        recorder.count(.joined, by: 3)
                    }
                ),
            ]
        )
    }

    /// In the second of the break and, because its first requests may leave then, in the one before it.
    @Test func theGeneratorAsTheLimit() throws {
        let strains: [(String, (inout HealthSample) -> Void)] = [
            ("late loops", { $0.loopDelayMicroseconds = 900_000 }), ("requests never sent", { $0.droppedStarts = 1 }),
            ("too much of the cores", { $0.cpuCores = 1 }), ("waiting for a core", { $0.generatorWait = .long }),
            ("its origin waiting for a core", { $0.originWait = .long }),
        ]
        func strained(_ seconds: Set<Int>, _ onTime: Int, late: Int = 0, _ strain: (inout HealthSample) -> Void)
            -> MadeUpRun
        {
            run(onTime, late: late) { if seconds.contains($0) { strain(&$1) } }
        }
        var scenes: [(name: String, run: MadeUpRun)] = strains.flatMap { name, strain in
            [19, 20].map { ("\(name) in second \($0)", strained([$0], 90, late: 10, strain)) }
        }
        let far = Set(0..<19).union(23..<40)
        scenes += [
            (
                "all of it far from the break",
                strained(far, 90, late: 10) { for (_, strain) in strains { strain(&$0) } }
            ),
            ("late loops, and it held", strained([20], 100, strains[0].1)),
            ("half were lost before", strained([20], 50) { $0.droppedStarts = 4 }),
        ]
        try pin("limits", scenes)
    }

    /// A second after its grace, when nobody is waited for, and at the latest when patience ends.
    @Test func whenItIsJudged() throws {
        func run(until end: Int, _ deeds: (LoopRecorder) -> Void) -> MadeUpRun {
            MadeUpRun.at20(joined: 0, until: end, deeds)
        }
        var answered = run(until: 25) { $0.serve(breakAt: 20, onTime: 99, unresolved: 1) }
        answered.second { $0[0].viewerLate($0[0].slot(ofBreakAt: 20), lateness: 4_000_000_000) }
        var more = run(until: 26) { $0.serve(breakAt: 20, onTime: 10) }
        more.second { $0[0].serve(breakAt: 20, failed: 10) }
        more.idle(until: 40)
        var two = MadeUpRun()
        two.idle(until: 5)
        two.second { $0[0].serve(breakAt: 5, onTime: 1, unresolved: 1) }
        two.idle(until: 9)
        two.second { $0[0].serve(breakAt: 9, onTime: 2) }
        two.idle(until: 13)
        let before = two
        two.idle(until: 20)
        var timing = MadeUpRun.timing
        timing.isSpread = true
        var spread = MadeUpRun(timing: timing) { _ in 100 }
        spread.second { $0[0].count(.joined, by: 100) }
        spread.idle(until: 20)
        spread.second { $0[0].serve(breakAt: 20, onTime: 40) }
        spread.idle(until: 26)
        let firstOfThem = spread
        spread.second { $0[0].serve(breakAt: 20, onTime: 60) }
        // The second loop's record comes an interval later, and the first one's comes once more with it.
        var loops = MadeUpRun(loops: 2) { _ in 100 }
        loops.second { for recorder in $0 { recorder.count(.joined, by: 50) } }
        loops.idle(until: 20)
        loops.second { $0[0].serve(breakAt: 20, onTime: 50) }
        loops.second { recorders in
            recorders[1].serve(breakAt: 20, onTime: 49, failed: 1)
            recorders[0].viewerSkipped(recorders[0].slot(ofBreakAt: 20), .pictureInPictureLost)
        }
        loops.idle(until: 40)
        try pin(
            "moments",
            [
                ("all is known", run(until: 40) { $0.serve(breakAt: 20, onTime: 10) }),
                ("the last is heard of in second 25", answered),
                ("five are never heard of", run(until: 40) { $0.serve(breakAt: 20, onTime: 95, unresolved: 5) }),
                ("the run ends in its grace", run(until: 22) { $0.serve(breakAt: 20, onTime: 9, unresolved: 1) }),
                ("and after it", run(until: 23) { $0.serve(breakAt: 20, onTime: 9, unresolved: 1) }),
                ("more comes after the verdict", more),
                ("of two the second is known first, and the run ends", before), ("or it goes on", two),
                ("playheads come one after the other, and the run ends before all came", firstOfThem),
                ("and after that", spread), ("two loops have a record each", loops),
            ]
        )
    }

    @Test func whatWasAskedForAroundIt() throws {
        func each(_ seconds: Int, rule: HoldRule = HoldRule(ofProfile: []), _ deeds: (Int, LoopRecorder) -> Void)
            -> MadeUpRun
        {
            var run = MadeUpRun(rule: rule)
            for second in 0..<seconds { run.second { deeds(second, $0[0]) } }
            return run
        }
        let times = try HoldRule(parsing: ["pod_manifest.response.p99 < 800ms"])
        try pin(
            "requests",
            [
                (
                    "three playlists in each second: those from the second before it to the one in which all was known",
                    each(40) { second, recorder in
                        recorder.ask(.playlist, count: 3)
                        guard second == 20 else { return }
                        recorder.serve(breakAt: 20, onTime: 10)
                        recorder.ask(.podManifest, count: 10, milliseconds: 300)
                    }
                ),
                (
                    "each of two breaks has its own",
                    each(60) { second, recorder in
                        guard [20, 40].contains(second) else { return }
                        recorder.serve(breakAt: second, onTime: second)
                        recorder.ask(.podManifest, count: second)
                    }
                ),
                (
                    "errors",
                    MadeUpRun.at20(joined: 0) { recorder in
                        recorder.serve(breakAt: 20, onTime: 7, failed: 3)
                        recorder.ask(.podManifest, count: 7)
                        recorder.ask(.podManifest, count: 2, outcome: .status(503))
                        recorder.ask(.podManifest, outcome: .failure(.reset))
                    }
                ),
                (
                    "a rule on times, and slow answers far from the breaks",
                    each(60, rule: times) { second, recorder in
                        if [10, 30].contains(second) { recorder.ask(.podManifest, count: 50, milliseconds: 5_000) }
                        guard [20, 40].contains(second) else { return }
                        recorder.serve(breakAt: second, onTime: 10)
                        recorder.ask(.podManifest, count: 10, milliseconds: second == 20 ? 100 : 900)
                    }
                ),
                (
                    "two edges",
                    MadeUpRun.at20(joined: 0) { recorder in
                        let (first, second) = (
                            Edge(address: "192.0.2.1:443", pop: "FRA"), Edge(address: "192.0.2.2:443")
                        )
                        recorder.serve(breakAt: 20, onTime: 10)
                        recorder.ask(.podManifest, count: 6, edge: first)
                        recorder.ask(.podManifest, count: 4, outcome: .status(503), edge: second)
                    }
                ),
            ]
        )
    }
}

extension CoreWait {
    fileprivate static let long = CoreWait(
        ranMicroseconds: 100_000,
        waitedMicroseconds: 900_000,
        threadWaitedMicroseconds: 800_000
    )
}
