import ExampleRuns
import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Results

@Suite struct CollectorTests {
    private func json(_ totals: RunTotals) throws -> String {
        String(decoding: try ResultDocument(of: totals).json(), as: UTF8.self)
    }

    /// Does the same to loops that are asked at the end and to loops that are asked again and again.
    private func run(seed: UInt64, settings: CollectorSettings = .example()) -> (whole: RunTotals, cut: RunCollector) {
        var generator = SeededGenerator(seed: seed)
        let loops = Int.random(in: 1...3, using: &generator)
        let whole = (0..<loops).map { _ in LoopRecorder() }
        var collected = CollectedLoops(loops: loops, settings: settings)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            for _ in 0..<Int.random(in: 0...120, using: &generator) {
                let loop = Int.random(in: 0..<loops, using: &generator)
                LoopScript.act(on: [whole[loop], collected.recorders[loop]], loop: loop, using: &generator)
            }
            collected.close()
        }
        return (RunTotals(merging: whole.map { $0.whole() }), collected.collector)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func howARunIsCutIntoIntervalsDoesNotMatter(seed: UInt64) throws {
        let (whole, cut) = run(seed: seed)
        #expect(try json(cut.totals) == json(whole), "seed \(seed)")
        #expect(try json(cut.wholeTotals) == json(whole), "seed \(seed)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func aWarmUpTakesNothingFromTheWhole(seed: UInt64) {
        let (whole, cut) = run(seed: seed, settings: .example(warmUpMilliseconds: 3_000))
        let sums = cut.wholeTotals
        for kind in RequestKind.allCases {
            #expect(sums.requestCount(of: kind) == whole.requestCount(of: kind), "seed \(seed)")
            for metric in LatencyMetric.allCases {
                #expect(sums.latency(kind, metric) == whole.latency(kind, metric), "seed \(seed)")
            }
        }
        #expect(sums.breakLateness == whole.breakLateness, "seed \(seed)")
        let listed = sums.breaks + sums.warmUpBreaks
        #expect(Set(listed.map(\.key)) == Set(whole.breaks.map(\.key)), "seed \(seed)")
        #expect(sums.findings.map(\.count) == whole.findings.map(\.count), "seed \(seed)")
    }

    @Test(arguments: ["break_lateness", "first_picture", "live_edge_age", "live_latency"])
    func anIntervalWithACoarseDistributionIsRefused(key: String) throws {
        var loops = CollectedLoops(loops: 1)
        let written = try DocumentEncoding.journal.encode(loops.close())
        var fields = try #require(JSONSerialization.jsonObject(with: written) as? [String: Any])
        func read(digits: Int) throws -> RunInterval {
            fields["sums"] = [key: ["digits": digits]]
            let json = try JSONSerialization.data(withJSONObject: fields)
            return try DocumentDecoding.journal.decode(RunInterval.self, from: json)
        }
        #expect(throws: Never.self) { try read(digits: 3) }
        #expect(throws: DecodingError.self) { try read(digits: 2) }
    }

    @Test func theGeneratorIsJudgedWithoutTheWarmUpAndCountedWithIt() {
        var loops = CollectedLoops(loops: 1, settings: .example(warmUpMilliseconds: 2_000))
        let bad = HealthSample(wallMicroseconds: 0, residentBytes: 7, lateStarts: 4, droppedStarts: 5)
        for _ in 0..<2 { loops.close(health: bad) }
        #expect((loops.collector.generatorLimits, loops.collector.wholeHealth.droppedStarts) == ([], 10))
        for _ in 0..<3 { loops.close() }
        let whole = loops.collector.wholeHealth
        #expect(whole.seconds == 5 && whole.lateStarts == 8 && whole.droppedStarts == 10)
        #expect(whole.residentBytesFirst == 7 && whole.residentBytesLast == 1_000_000)
        #expect(loops.collector.health.droppedStarts == 0)
        loops.close(health: bad)
        #expect(!loops.collector.generatorLimits.isEmpty)
    }

    @Test func secondsInWhichPodsAreAskedForAreOfABreak() {
        var loops = CollectedLoops(settings: ExampleIntervals.settings)
        let slot = loops.recorders[0].breakSlot(for: "a", start: ExampleRun.start, durationMilliseconds: 1)
        for second in 0..<20 {
            if second % 8 == 5 {
                loops.recorders[0].podRequested(slot, identifier: "a", viewer: 1, wallMicroseconds: 0)
            }
            loops.close(health: ExampleIntervals.health(second))
        }
        let waits = loops.collector.health.originWaits
        // Of the sixteen seconds after the warm-up, the fifth and thirteenth of the run have a break each.
        #expect(waits?.seconds == 16 && waits?.secondsOver == 2)
        #expect(waits?.breakSeconds == 2 && waits?.breakSecondsOver == 2)
        #expect(loops.collector.generatorLimits.first?.hasPrefix("the machine was the limit") == true)
    }

    @Test func personasHaveTheNamesOfTheSettings() {
        var settings = CollectorSettings.example()
        settings.personas = ["strict", "hls js"].map { PersonaDescription(name: $0, sharePercent: 50) }
        var loops = CollectedLoops(settings: settings)
        for persona in [0, 0, 1] as [UInt8] { loops.recorders[0].sums.viewers.countViewer(persona: persona) }
        loops.close()
        #expect(loops.collector.totals.personaNames == ["strict", "hls js"])
        #expect(loops.collector.totals.viewers.byPersona.prefix(2) == [2, 1])
    }

    @Test func anIntervalIsFoldedOnce() {
        var loops = CollectedLoops()
        loops.recorders[0].count(.joined)
        let interval = loops.close()
        var collector = loops.collector
        collector.fold(interval)
        #expect(collector == loops.collector)
        #expect(collector.totals.count(of: .joined) == 1)
    }

    @Test func sumsOfBreaksFollowTheLatestState() {
        var loops = CollectedLoops()
        for recorder in loops.recorders {
            let slot = recorder.breakSlot(for: "a", start: ExampleRun.start, durationMilliseconds: 1)
            recorder.viewerDue(slot)
            recorder.viewerOnTime(slot, inHandAfterStart: 0)
        }
        loops.close()
        loops.recorders[1].viewerDue(.kept(0))
        loops.recorders[1].viewerFailed(.kept(0), .podEmpty)
        loops.close()
        #expect((loops.collector.breakSums.due, loops.collector.breakSums.onTime) == (3, 2))
        #expect((loops.collector.breakSums.failed, loops.intervals[1].changes.map(\.loop)) == (1, [1]))
    }

    @Test func onlyWhatChangedIsHandedOver() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
        recorder.viewerDue(slot)
        recorder.record(ExampleRun.firstSample)
        #expect(recorder.takeInterval().counts.requests == 1)
        let second = recorder.takeInterval()
        #expect(second.counts == IntervalCounts())
        var interval = RunInterval(second: 0)
        interval.add(second, index: 0)
        #expect(interval.changes.isEmpty)
        #expect(interval.sums.requests == RequestSums())
    }
}

@Suite struct WarmUpTests {
    @Test func whatFallsIntoTheWarmUpIsListedAndNotJudged() throws {
        var loops = CollectedLoops(loops: 1, settings: .example(warmUpMilliseconds: 2_000))
        let recorder = loops.recorders[0]
        let early = recorder.breakSlot(for: "early", start: ExampleRun.start + 1_000_000, durationMilliseconds: 1)
        let after = recorder.breakSlot(for: "after", start: ExampleRun.start + 2_000_000, durationMilliseconds: 1)
        recorder.count(.joined)
        recorder.record(ExampleRun.firstSample)
        loops.close()
        recorder.record(ExampleRun.firstSample)
        loops.close()
        // Late pods of the early break come when the warm-up is over.
        for slot in [early, early, after] {
            recorder.viewerDue(slot)
            recorder.viewerLate(slot, lateness: 5_000_000)
        }
        for _ in 0..<3 { recorder.record(ExampleRun.firstSample) }
        loops.close()
        let document = loops.document
        #expect((document.requests["playlist"]?.count, document.warmUp?.requests["playlist"]?.count) == (3, 2))
        #expect(loops.collector.wholeTotals.requestCount(of: .playlist) == 5)
        #expect((document.breaks.due, document.breaks.count, document.breaks.lateness?.count) == (1, 1, 1))
        #expect(document.breaks.each.map(\.key) == ["early", "after"])
        #expect((document.breaks.each.map(\.isWarmUp), document.warmUp?.due) == ([true, nil], 2))
        #expect(document.warmUp?.viewers == ["joined": 1])
        // An audience does not leave with the warm-up.
        #expect((document.viewers["joined"], document.health.seconds, document.warmUp?.seconds) == (1, 1, 2))
        #expect((document.windows?.map(\.isWarmUp), document.windows?.map(\.due)) == ([true, false], [2, 1]))
    }

    @Test func aThresholdDoesNotSeeTheWarmUp() {
        var loops = CollectedLoops(loops: 1, settings: .example(warmUpMilliseconds: 1_000))
        let recorder = loops.recorders[0]
        for (key, start) in [("early", Int64(0)), ("after", 1_000_000)] {
            let slot = recorder.breakSlot(for: key, start: ExampleRun.start + start, durationMilliseconds: 1)
            recorder.serve(slot, due: 1, onTime: key == "early" ? 0 : 1)
        }
        loops.close()
        #expect(loops.document.thresholds.map(\.passed) == [true])
    }

    @Test func aFindingOfTheWarmUpCounts() {
        var loops = CollectedLoops(loops: 1, settings: .example(warmUpMilliseconds: 5_000))
        loops.recorders[0].find(.foreignStreamID)
        loops.close()
        let document = loops.document
        #expect(document.findings.map(\.code) == ["foreign_stream_id"])
        #expect(document.verdict.reasons.contains { $0.contains("foreign_stream_id") })
    }
}

extension ExampleRun {
    /// A poll that was answered after 4 ms.
    static var firstSample: RequestSample {
        RequestSample(
            kind: .playlist,
            outcome: .status(200),
            plannedAt: second,
            sentAt: second,
            firstByteAt: second + 3_000_000,
            doneAt: second + 4_000_000
        )
    }
}
