import ArgumentParser
import Foundation

/// Time and memory to make an audience of a large log.
struct AudienceLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience-log",
        abstract: "Time and memory of `podswarm audience` over a log of 2 GB, in each format.",
        discussion: """
            The log is made up, lies in the folder for temporary files and is removed. podswarm reads it in a process of its own.
            """
    )

    @Option(help: "Rounds.")
    var rounds = 3

    @Option(help: "Size of a log, in millions of bytes.")
    var megabytes = 2000

    @Option(help: "Viewers at one time; as many again come every ten minutes.")
    var viewers = 100_000

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    private static let secondsPerGigabyte = 300

    mutating func validate() throws {
        guard rounds >= 1, 1...100_000 ~= megabytes, 1...1_000_000 ~= viewers else {
            throw ValidationError("--rounds must be at least 1, --megabytes 1 to 100000, --viewers 1 to 1000000")
        }
        try BenchOptions.requireFolder(of: json)
    }

    func run() throws {
        var document = BenchmarkDocument(
            command: "audience-log",
            parameters: ["megabytes": megabytes, "viewers": viewers, "rounds": rounds]
        )
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for format in InventedLog.Format.allCases {
            let log = folder.appendingPathComponent("\(format.rawValue).log").path
            var invented = InventedLog(format: format, viewers: viewers, bytes: megabytes * 1_000_000, seed: 1)
            let lines = try invented.write(to: log)
            for round in 1...rounds {
                document.add(round: round, cell: format.rawValue, .podswarm, try figures(log, lines: lines, in: folder))
            }
            try FileManager.default.removeItem(atPath: log)
        }
        try document.finish(json: json)
    }

    private func figures(_ log: String, lines: Int, in folder: URL) throws -> [Quantity: Double] {
        let audience = folder.appendingPathComponent("audience.json").path
        let clock = ContinuousClock()
        let start = clock.now
        let child = try ChildProcess(
            ProfileRun.executable,
            ["podswarm", "audience", log, "--json", "--output", audience],
            in: folder
        )
        let (_, resources) = try child.wait(atMostSeconds: 60 + megabytes * Self.secondsPerGigabyte / 1000)
        let (seconds, attoseconds) = (clock.now - start).components
        let told = try JSONDecoder().decode(Told.self, from: Data(contentsOf: URL(fileURLWithPath: audience)))
        guard told.read.lines - lines <= 2, told.read.lines >= lines, told.peak * 10 >= min(viewers, lines) * 9 / 4
        else {
            throw BenchmarkError.unusable(
                program: "podswarm",
                reason: "it saw \(told.read.lines) lines of \(lines), and \(told.peak) viewers of \(viewers)"
            )
        }
        return [
            .logTime: (Double(seconds) + Double(attoseconds) * 1e-18) * 2000 / Double(megabytes),
            .peakBytes: Double(resources.peakResidentBytes),
        ]
    }

    /// What an audience says of its reading.
    private struct Told: Decodable {
        struct Read: Decodable {
            let lines: Int
        }
        let read: Read
        let peak: Int
    }
}
