import ArgumentParser
import EventLoop
import Foundation
import RunResult
import Time

/// How long `podswarm merge` takes over the journals of many shards.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Time, processor time and memory to make one result of the journals of many shards.",
        discussion: """
            The journals are of a run that nobody made: viewers' polls, breaks and pods are recorded, folded and written \
            as those of a real run are. They are merged as they are, and then without the last record of each, as shards \
            leave them that are killed. The time is that of the whole process.
            """
    )

    @Option(help: "Shards.")
    var shards = 100

    @Option(help: "Viewers of all shards together.")
    var viewers = 1_000_000

    @Option(help: "Minutes that the run lasted.")
    var minutes = 15

    @Option(help: "Breaks, for which all viewers are due.")
    var breaks = 15

    @Option(help: "Rounds.")
    var rounds = 3

    @Option(help: "What the viewers' deeds are made of.")
    var seed: UInt64 = 1

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard (1...1_000).contains(shards) else { throw ValidationError("--shards must be between 1 and 1000") }
        guard (shards...10_000_000).contains(viewers) else {
            throw ValidationError("--viewers must be between \(shards) and 10000000")
        }
        guard (1...600).contains(minutes) else { throw ValidationError("--minutes must be between 1 and 600") }
        guard (0...2 * minutes).contains(breaks) else {
            throw ValidationError("--breaks must be between 0 and \(2 * minutes)")
        }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be between 1 and 100") }
        try BenchOptions.requireFolder(of: json)
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = SyntheticRun(shards: shards, viewers: viewers, seconds: minutes * 60, breaks: breaks, seed: seed)
        let journals = try SyntheticJournals(of: run, in: folder)
        var document = BenchmarkDocument(
            command: "merge",
            parameters: [
                "shards": shards, "viewers": viewers, "minutes": minutes, "breaks": breaks, "rounds": rounds,
                "journal_bytes": Int(journals.bytes), "journal_cpu_ms": Int(journals.cpuMicroseconds / 1_000),
            ]
        )
        let cell = "\(viewers) viewers in \(shards) shards"
        for round in 1...rounds {
            document.add(round: round, cell: cell, .podswarm, try figures(journals, status: Self.passed))
        }
        try journals.cutOff()
        for round in 1...rounds {
            let figures = try figures(journals, status: Self.incomplete)
            document.add(round: round, cell: cell + ", cut off", .podswarm, figures)
        }
        try document.finish(json: json)
    }

    private static let passed: Int32 = 0
    private static let incomplete: Int32 = 3
    private static let longestSeconds = 600

    private func figures(_ journals: SyntheticJournals, status: Int32) throws -> [Quantity: Double] {
        let results = journals.folder.appending(path: "results-\(UUID().uuidString)")
        let start = MonotonicClock.now()
        let child = try ChildProcess(
            ProfileRun.executable,
            ["podswarm", "merge", journals.folder.path, "--results", results.path, "--no-report", "--quiet"],
            in: FileManager.default.temporaryDirectory
        )
        let (_, resources) = try child.wait(atMostSeconds: Self.longestSeconds, endingWith: status)
        let seconds = Double(MonotonicClock.now().nanoseconds(since: start)) / 1e9
        let joined = try ResultDocument.only(in: results).viewers["joined"]
        guard joined == UInt64(viewers) else {
            let reason = "its result is of \(joined ?? 0) viewers"
            throw BenchmarkError.unusable(program: "podswarm", reason: reason)
        }
        return [
            .mergeTime: seconds, .mergeCPU: resources.cpuMicroseconds / 1e6,
            .mergeResident: Double(resources.peakResidentBytes) / 1e6,
        ]
    }
}
