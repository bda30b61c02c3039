import ExampleRuns
import Rules
import TestSupport

@testable import Results

/// A small run interval by interval, in which everything changes that an interval can tell of.
enum ExampleIntervals {
    static let settings: CollectorSettings = {
        var settings = CollectorSettings(
            run: ExampleRun.description(),
            thresholds: ["breaks.on_time >= 99.9%", "playlist.response.p99 < 800ms", "findings.* == 0"]
                .compactMap { WrittenThreshold($0).rule },
            loopCores: 2,
            descriptorLimit: 20_000,
            windowMilliseconds: 5_000,
            warmUpMilliseconds: 4_000
        )
        settings.allowedFindings = ["pod_mismatch": .any]
        return settings
    }()

    /// Intervals of a run of two loops, in each of which viewers do so much.
    static func make(_ count: Int, deeds: Int = 40, seed: UInt64 = 1) -> [RunInterval] {
        var generator = SeededGenerator(seed: seed)
        var loops = CollectedLoops(settings: settings)
        for number in 0..<count {
            for deed in 0..<deeds { LoopScript.act(on: [loops.recorders[deed % 2]], loop: deed % 2, using: &generator) }
            loops.close(health: health(number))
        }
        return loops.intervals
    }

    static func folded(_ intervals: some Sequence<RunInterval>) -> RunCollector {
        intervals.reduce(into: RunCollector(settings)) { $0.fold($1) }
    }

    /// In every eighth second the origin waits for a core for too long.
    static func health(_ number: Int) -> HealthSample {
        HealthSample(
            wallMicroseconds: settings.run.startedAtMicroseconds + Int64(number + 1) * 1_000_000,
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
        )
    }
}
