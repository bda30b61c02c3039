import Foundation
import Rehearsal
import Rules
import TestSupport
import Values

@testable import Report
@testable import Results

/// A run under way in which everything that is shown live has happened.
enum LiveExample {
    static let start: Int64 = 1_795_291_200_000_000

    static func sample(
        _ kind: RequestKind,
        _ outcome: Outcome = .status(200),
        responseMicroseconds: Int64,
        latenessMicroseconds: Int64 = 100
    ) -> RequestSample {
        let planned: Int64 = 1_000_000_000
        var sample = RequestSample(
            kind: kind,
            outcome: outcome,
            plannedAt: planned,
            sentAt: planned + latenessMicroseconds * 1_000,
            firstByteAt: planned + responseMicroseconds * 1_000,
            doneAt: planned + responseMicroseconds * 1_000
        )
        (sample.bodyBytes, sample.isNewConnection) = (500, true)
        return sample
    }

    /// Polls, one failed registration, and two breaks of which the second is not through.
    static func fill(_ recorder: LoopRecorder) {
        recorder.count(.joined, by: 10)
        for viewer in 0..<10 { recorder.liveLatency(microseconds: 18_000_000 + Int64(viewer) * 100_000) }
        for milliseconds in 1...10 {
            recorder.record(sample(.playlist, responseMicroseconds: Int64(milliseconds) * 1_000))
        }
        recorder.record(sample(.playlist, .status(503), responseMicroseconds: 400_000))
        recorder.record(sample(.registration, .failure(.connectRefused), responseMicroseconds: 50))
        let first = recorder.breakSlot(for: "first", start: start, durationMilliseconds: 30_000)
        let second = recorder.breakSlot(for: "second", start: start + 60_000_000, durationMilliseconds: 15_000)
        for viewer in 0..<10 {
            let persona: UInt8 = viewer < 6 ? 0 : 1
            recorder.viewerDue(first, of: Cohort(persona: persona))
            recorder.viewerDue(second, of: Cohort(persona: persona))
            recorder.withKeptBreak(first) { $0.discovery.count(at: start - 4_000_000 + Int64(viewer) * 200_000) }
            let identifier = viewer == 3 ? "b" : "a"
            recorder.podRequested(first, identifier: identifier, viewer: viewer, wallMicroseconds: start + 50_000)
            recorder.podRequested(
                second,
                identifier: "c",
                viewer: viewer,
                wallMicroseconds: start + 60_000_000 + Int64(viewer) * 40_000
            )
        }
        for _ in 0..<7 { recorder.viewerOnTime(first, inHandAfterStart: -1_000_000) }
        recorder.viewerLate(first, lateness: 250_000_000, of: Cohort(persona: 1))
        recorder.viewerFailed(first, .podEmpty)
        recorder.viewerFailed(first, .podManifestFailed)
        for _ in 0..<4 { recorder.viewerOnTime(second, inHandAfterStart: 0) }
        recorder.finding(
            .emptyPod,
            breakSlot: first,
            at: ViewerMoment(viewer: 3, wallMicroseconds: start + 60_000),
            evidence: Evidence(url: "/pod", expected: "a segment", observed: "<none>")
        )
    }

    static func state(
        _ recorder: LoopRecorder,
        labels: [String: String] = ["release": "1.4.2"],
        seconds: Int = 62
    ) -> LiveState {
        var health = HealthResult(loopCores: 2, descriptorLimit: 20_000)
        var series = TimeSeries()
        var sample = HealthSample(wallMicroseconds: start)
        sample.loopDelayMicroseconds = 900
        sample.cpuCores = 0.5
        sample.residentBytes = 104_857_600
        sample.openDescriptors = 240
        sample.lateStarts = 2
        sample.droppedStarts = 1
        var counts = IntervalCounts()
        counts.requests = 12
        counts.activeViewers = 10
        counts.latenessMaximumMicroseconds = 1_234
        health.add(sample)
        series.append(SeriesPoint(startMilliseconds: 0, counts: counts, health: sample))
        let totals = RunTotals(merging: [recorder.whole()], personaNames: ["strict", "hls\"js"])
        var run = RunDescription(
            profile: "quick",
            profileDigest: "sha256:11",
            seed: 1,
            target: "embedded",
            startedAtMicroseconds: start,
            host: HostFacts(
                operatingSystem: "Linux",
                kernel: "6",
                architecture: "x86_64",
                cpuModel: "EPYC",
                cpuCount: 2,
                memoryBytes: 1_073_741_824,
                descriptorLimit: 20_000,
                ephemeralPorts: 28_232,
                sharedWithTarget: true
            )
        )
        run.endedAtMicroseconds = start + Int64(seconds) * 1_000_000
        (run.labels, run.loops, run.transports) = (labels, 2, ["exchange"])
        return LiveState(
            run: run,
            progress: progress(seconds, totals, limits: health.limits(for: totals, blamesTarget: false)),
            totals: totals,
            health: health,
            series: series
        ) { [run, health, series] in
            ResultDocument(
                run: run,
                totals: totals,
                health: health,
                series: series,
                rules: [],
                isOver: false
            )
        }
    }

    static func filled() -> LiveState {
        let recorder = LoopRecorder()
        fill(recorder)
        return state(recorder)
    }

    static func document() throws -> ResultDocument { try ResultDocument(json: Data(contentsOf: GoldenFile.result)) }

    private static func progress(_ seconds: Int, _ totals: RunTotals, limits: [String]) -> Report.Progress {
        Report.Progress(
            profile: "quick",
            elapsedSeconds: seconds,
            secondsLeft: 28,
            viewers: [("watching", 6), ("in a break", 4)],
            requestsPerSecond: 12,
            requests: 12,
            errors: 2,
            findings: 1,
            limits: limits,
            secondsToNextBreak: 13,
            latest: [totals.requests]
        )
    }
}
