import ArgumentParser
import Foundation
import Results

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Findings in so many checked answers of the embedded origin without faults; there must be none.",
        discussion: """
            Runs the shipped profiles of the embedded origin in turns until enough answers were checked: pod serving, \
            interstitials, low latency, aimed and signed ads, stitched breaks, and the shapes of other targets. Those \
            with planned faults are left out, and so is the guide's sample, which splits breaks by itself. Advice is \
            shown and does not fail. The runs are in virtual time, unless sockets are wanted.

            Exit status: 0 nothing above advice; 1 findings.
            """
    )

    @Option(help: "Answers to be checked.")
    var responses: UInt64 = 2_000_000

    @Option(help: "Seconds of a run.")
    var seconds = 120

    @Option(help: "Viewers of a run.")
    var viewers = 2_000

    @Option(help: "Folder of the profiles.")
    var profiles = "Profiles"

    @Flag(help: "Go over sockets, and take as long as is asked for.")
    var overSockets = false

    private static let names = [
        "quick", "interstitials", "low-latency", "targeted", "prime-time", "soak",
        "targets/eyevinn-proxy", "targets/media-tailor", "targets/url-templates",
    ]

    mutating func validate() throws {
        try require("--responses", Int(clamping: responses), in: 1...Int.max)
        try require("--seconds", seconds, in: 30...3_600)
        try require("--viewers", viewers, in: 1...10_000)
        for name in Self.names where !FileManager.default.isReadableFile(atPath: path(of: name)) {
            throw ValidationError("\(path(of: name)): no such file; start this at the package's root")
        }
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var tally = CleanTally()
        var number = 0
        // Each profile has its turn, even for few answers.
        while number < Self.names.count || tally.checked < responses {
            let name = Self.names[number % Self.names.count]
            number += 1
            let before = tally.checked
            tally.add(try result(of: name, seed: number, in: folder), of: name)
            guard tally.checked > before else {
                throw BenchmarkError.unusable(program: "podswarm", reason: "\(name) had no answers")
            }
            FileHandle.standardError.write(Data("run \(number), \(name): \(tally.checked - before) checked\n".utf8))
        }
        print("clean, responses \(responses), runs \(number), seconds \(seconds), viewers \(viewers)\n\n\(tally.text)")
        guard tally.isClean else { throw ExitCode(1) }
    }

    private func path(of name: String) -> String { "\(profiles)/\(name).yaml" }

    /// One run to its end; thresholds and client limits are ignored.
    private func result(of name: String, seed: Int, in folder: URL) throws -> ResultDocument {
        try ProfileRun(profile: path(of: name), viewers: viewers, seconds: seconds, overSockets: overSockets).result(
            ["--set", "seed=\(seed)"],
            in: folder.appendingPathComponent("\(seed)")
        )
    }
}
