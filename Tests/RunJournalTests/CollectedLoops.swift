import ExampleRuns
import Rules

@testable import Results

/// Loops whose intervals go to a collector, as a run's do.
struct CollectedLoops {
    let recorders: [LoopRecorder]
    private(set) var collector: RunCollector
    private(set) var intervals: [RunInterval] = []
    var wallOffset: Int64 = 0

    init(loops: Int = 2, settings: CollectorSettings = .example()) {
        let warmUp = settings.warmUpMilliseconds
        let measuredFrom = warmUp > 0 ? settings.run.startedAtMicroseconds + warmUp * 1_000 : .min
        recorders = (0..<loops).map { _ in LoopRecorder(measuredFromMicroseconds: measuredFrom) }
        collector = RunCollector(settings)
    }

    var document: ResultDocument { collector.document(RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds)) }

    @discardableResult
    mutating func close(after milliseconds: Int64 = 1_000, health: HealthSample? = nil) -> RunInterval {
        let end = collector.endMicroseconds + milliseconds * 1_000
        let wall = collector.settings.run.startedAtMicroseconds + end + wallOffset
        var interval = RunInterval(number: collector.intervals)
        interval.startMicroseconds = collector.endMicroseconds
        (interval.endMicroseconds, interval.wallMicroseconds) = (end, wall)
        interval.health =
            health ?? HealthSample(wallMicroseconds: wall, residentBytes: 1_000_000, openDescriptors: 30)
        interval.viewersByPhase = [1, 2, 3]
        interval.take(from: recorders)
        collector.fold(interval)
        intervals.append(interval)
        return interval
    }
}

extension CollectorSettings {
    static func example(windowMilliseconds: Int64 = 5_000, warmUpMilliseconds: Int64 = 0) -> CollectorSettings {
        var description = ExampleRun.description(startingAt: ExampleRun.start)
        description.audienceCurve = nil
        description.asked = [
            .init(name: RunDescription.Asked.viewers, unit: "count", requested: 100, observed: nil),
            .init(name: RunDescription.Asked.duration, unit: "s", requested: 60, observed: nil),
            .init(name: "break_grace", unit: "ms", requested: 2_000, observed: nil),
        ]
        return CollectorSettings(
            run: description,
            thresholds: [.mostBreaksOnTime],
            loopCores: 2,
            descriptorLimit: 1_000,
            windowMilliseconds: windowMilliseconds,
            warmUpMilliseconds: warmUpMilliseconds
        )
    }
}
