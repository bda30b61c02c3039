import ArgumentParser
import Recording
import Rules
import Transport
import Values

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Time to count one answered poll in all distributions and counters it belongs to."
    )

    @OptionGroup var options: FigureOptions

    @Option(help: "Outcomes in a round.")
    var repetitions = 5_000_000

    mutating func validate() throws {
        try require("--repetitions", repetitions, in: 1...Int.max)
    }

    func run() throws {
        try options.measure("record", ["repetitions": repetitions]) { round, document in
            document.add(round: round, cell: "one outcome", .podswarm, [.recordTime: try nanoseconds()])
        }
    }

    private func nanoseconds() throws -> Double {
        let samples = Self.samples()
        let recorder = LoopRecorder()
        let start = MonotonicClock.now()
        for index in 0..<repetitions { recorder.record(samples[index & 1023]) }
        let elapsed = MonotonicClock.now().nanoseconds(since: start)
        guard recorder.pulse().requests == UInt64(repetitions) else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "not every outcome was counted")
        }
        return Double(elapsed) / Double(repetitions)
    }

    /// Polls with a usual spread, so that neither the cache nor the branch prediction learns one value by heart.
    private static func samples() -> [RequestSample] {
        var state: UInt64 = 1
        func random(below limit: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % limit
        }
        return (0..<1024).map { index in
            let planned = Int64(index) * 200_000 + 1_000_000_000
            let sent = planned + random(below: 80_000)
            let first = sent + 100_000 + random(below: 3_000_000)
            return RequestSample(
                kind: .playlist,
                outcome: .status(200),
                plannedAt: planned,
                sentAt: sent,
                firstByteAt: first,
                doneAt: first + random(below: 100_000),
                bodyBytes: 2108
            )
        }
    }
}
