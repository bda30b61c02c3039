import ExampleRuns
import Recording
import Rulebook
import RunJournal
import RunResult
import TestSupport
import Thresholds

/// A small run interval by interval, in which everything changes that an interval can tell of.
enum ExampleIntervals {
    static let settings = CollectorSettings(
        run: ExampleRun.description(),
        thresholds: ["breaks.on_time >= 99.9%", "playlist.response.p99 < 800ms", "findings.* == 0"]
            .compactMap { WrittenThreshold($0).rule },
        allowedFindings: ["pod_mismatch"],
        loopCores: 2,
        descriptorLimit: 20_000,
        windowMilliseconds: 5_000,
        warmUpMilliseconds: 4_000
    )

    /// Intervals of a run of two loops, with a break every eight.
    static func make(_ count: Int, requests: Int = 30, seed: UInt64 = 1) -> [RunInterval] {
        var generator = SeededGenerator(seed: seed)
        let loops = [LoopRecorder(), LoopRecorder()]
        return (0..<count).map { number in
            for (index, loop) in loops.enumerated() {
                record(number, on: loop, viewers: index * 50..<index * 50 + 50, requests: requests, using: &generator)
            }
            return interval(number, loops: loops)
        }
    }

    static func folded(_ intervals: some Sequence<RunInterval>) -> RunCollector {
        intervals.reduce(into: RunCollector(settings)) { $0.fold($1) }
    }

    private static func interval(_ number: Int, loops: [LoopRecorder]) -> RunInterval {
        let end = Int64(number + 1) * 1_000_000
        let wall = settings.run.startedAtMicroseconds + end
        var interval = RunInterval(
            number: number,
            startMicroseconds: end - 1_000_000,
            endMicroseconds: end,
            wallMicroseconds: wall,
            health: HealthSample(
                wallMicroseconds: wall,
                loopDelayMicroseconds: 900,
                cpuCores: 0.5,
                residentBytes: 104_857_600 + Int64(number),
                openDescriptors: 240,
                lateStarts: number % 3,
                loadAverage: 1.25,
                generatorWait: CoreWait(
                    ranMicroseconds: 500_000,
                    waitedMicroseconds: 30_000,
                    threadWaitedMicroseconds: Int64(20_000 + number)
                ),
                originWait: CoreWait(
                    ranMicroseconds: 300_000,
                    waitedMicroseconds: 90_000,
                    threadWaitedMicroseconds: number % 8 == 5 ? 500_000 : 90_000
                )
            ),
            viewersByPhase: [0, 1, 97, 2, 0, 0]
        )
        for (index, loop) in loops.enumerated() {
            interval.add(loop.takeInterval(), index: index)
        }
        return interval
    }

    private static func record(
        _ number: Int,
        on loop: LoopRecorder,
        viewers: Range<Int>,
        requests: Int,
        using generator: inout SeededGenerator
    ) {
        for viewer in viewers where number == viewer % 4 { loop.count(.joined) }
        for _ in 0..<requests {
            var sample = ExampleRun.sample(.playlist, at: Int64(number) * ExampleRun.second, using: &generator)
            if Int.random(in: 0..<50, using: &generator) == 0 { sample.outcome = .status(503) }
            loop.record(sample)
        }
        guard number % 8 == 5 else { return }
        let start = settings.run.startedAtMicroseconds + Int64(number) * 1_000_000
        let slot = loop.breakSlot(for: "break-\(number)", start: start, durationMilliseconds: 2_000)
        for viewer in viewers {
            loop.viewerDue(slot)
            let identifier = "ad_break_id/\(viewer % 9 == 0 ? "b" : "a")"
            loop.podRequested(
                slot,
                identifier: identifier,
                viewer: viewer,
                wallMicroseconds: start + Int64(viewer) * 900
            )
            loop.podObserved(
                slot,
                .pod(identifier),
                fingerprint: viewer == 7 ? 2 : 1,
                viewer: viewer,
                wallMicroseconds: start + Int64(viewer) * 900,
                evidence: ExampleRun.evidence("/pod/\(viewer)", "the pod of viewer 0", "another pod")
            )
            var request = ExampleRun.sample(.podManifest, at: Int64(number) * ExampleRun.second, using: &generator)
            request.breakSlot = slot
            loop.record(request)
            if viewer % 31 == 0 {
                loop.viewerLate(slot, lateness: Int64.random(in: 1...900_000_000, using: &generator))
            } else {
                loop.viewerOnTime(slot, inHandAfterStart: -Int64(viewer) * 1_000_000)
            }
        }
    }
}
