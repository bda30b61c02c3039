import ArgumentParser
import Foundation
import Results

struct FaultyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faulty",
        abstract: "The findings of Profiles/faulty.yaml beside what the embedded origin says of its planned faults.",
        discussion: """
            The run is one in virtual time, unless sockets are wanted. For each code whose fault was planned: the viewers that the origin \
            touched and the viewers that the run names, and the same of breaks where the fault was planned for one.

            Exit status: 0 all are exact and nothing else above advice was found; 1 otherwise; 2 there is no result, \
            such as of a profile with mistakes; 64 bad arguments.
            """
    )

    @Option(help: "Viewers of the run.")
    var viewers = 60

    @Option(help: "The profile.")
    var profile = "Profiles/faulty.yaml"

    @Option(name: .customLong("set"), help: "Another value for a setting of the profile; may be repeated.")
    var settings: [String] = []

    @Option(help: "Seconds of the run; without this as many as the profile says.")
    var seconds: Int?

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...10_000)
        try require("--seconds", seconds ?? 30, in: 30...3_600)
        guard FileManager.default.isReadableFile(atPath: profile) else {
            throw ValidationError("\(profile): no such file; start this at the package's root")
        }
    }

    @Flag(help: "Go over sockets, and take as long as the profile says.")
    var overSockets = false

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let truth = folder.appendingPathComponent("truth.json")
        let result = try ProfileRun(profile: profile, viewers: viewers, seconds: seconds, overSockets: overSockets)
            .result(
                ["--origin-truth", truth.path] + settings.flatMap { ["--set", $0] },
                in: folder
            )
        guard let counted = try? Data(contentsOf: truth) else {
            throw BenchmarkError.file("the origin's own counts were not written: the profile needs an embedded origin")
        }
        let tally = try FaultTally(result.findings, truth: counted)
        print("faulty, viewers \(viewers)\n\n\(tally.text)")
        guard tally.isExact else { throw ExitCode(1) }
    }
}
