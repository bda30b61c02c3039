import AdServing
import ArgumentParser
import Glibc
import HLS

struct JSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json",
        abstract: "Time to read or refuse hostile JSON, as the slowest of the readers of ad servers' answers takes."
    )

    @Option(help: "Rounds.")
    var rounds = 3

    @Option(help: "Mebibytes of an answer, where its number of values does not end it sooner.")
    var mebibytes = 16

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard rounds >= 1, 1...1024 ~= mebibytes else {
            throw ValidationError("--rounds must be at least 1, --mebibytes 1 to 1024")
        }
        try BenchOptions.requireFolder(of: json)
    }

    func run() throws {
        var document = BenchmarkDocument(command: "json", parameters: ["mebibytes": mebibytes, "rounds": rounds])
        for shape in AnswerShape.all {
            let text = shape.text(bytes: mebibytes << 20)
            for round in 1...rounds {
                document.add(round: round, cell: shape.name, .podswarm, [.readTime: try slowest(text)])
            }
        }
        try document.finish(json: json)
    }

    /// CPU milliseconds of the thread.
    private func slowest(_ text: [UInt8]) throws -> Double {
        try text.withUnsafeBytes { answer in
            let readers: [() -> Bool] = [
                { (try? StreamSession(json: answer)) != nil },
                { (try? SessionMetadata(json: answer))?.mediaIDs(of: .adBreakID("b")).isEmpty == false },
                { (try? AssetList(parsing: answer))?.doubledEvent != nil },
                { (try? SteeringManifest.parse(answer)) != nil },
            ]
            return try readers.map { read in
                let start = try milliseconds()
                _ = read()
                return try milliseconds() - start
            }.max() ?? 0
        }
    }

    private func milliseconds() throws -> Double {
        guard let clock = ProcessClock(getpid()) else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "its CPU clock cannot be read")
        }
        return clock.microseconds / 1000
    }
}
