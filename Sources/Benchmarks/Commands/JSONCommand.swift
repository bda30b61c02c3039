import AdServing
import ArgumentParser
import HLS

struct JSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json",
        abstract: "Time to read or refuse hostile JSON, as the slowest of the readers of ad servers' answers takes."
    )

    @OptionGroup var options: FigureOptions

    @Option(help: "Mebibytes of an answer, where its number of values does not end it sooner.")
    var mebibytes = 16

    mutating func validate() throws {
        try require("--mebibytes", mebibytes, in: 1...1024)
    }

    func run() throws {
        let parameters = ["mebibytes": mebibytes, "rounds": options.rounds]
        var document = BenchmarkDocument(command: "json", parameters: parameters)
        for shape in AnswerShape.all {
            let text = shape.text(bytes: mebibytes << 20)
            for round in 1...options.rounds {
                document.add(round: round, cell: shape.name, .podswarm, [.readTime: try slowest(text)])
            }
        }
        try document.finish(json: options.json)
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
                let start = try ProcessClock.own()
                _ = read()
                return (try ProcessClock.own() - start) / 1000
            }.max() ?? 0
        }
    }
}
