import ArgumentParser
import Foundation
import Results
import Transport
import Values

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Time to compare many results with as many others, as text, JSON and HTML.",
        discussion: """
            Makes one result in virtual time, copies it under other times, and lets podswarm compare the \
            copies. The time is that of the whole process.
            """
    )

    @Option(help: "Results on each side.")
    var results = 50

    @OptionGroup var options: FigureOptions

    @Option(help: "Viewers of the run that makes the result.")
    var viewers = 200

    @Option(help: "Seconds of the run that makes the result.")
    var seconds = 20

    mutating func validate() throws {
        try require("--results", results, in: 2...1_000)
        try require("--viewers", viewers, in: 1...5_000)
        try require("--seconds", seconds, in: 10...600)
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("compared.yaml")
        try Data(profile.utf8).write(to: file)
        let result = try ProfileRun(profile: file.path, viewers: viewers, seconds: seconds).result([], in: folder)
        let size = try copy(result.json(), into: folder)
        try options.measure("compare", ["results": results, "result_bytes": size]) { round, document in
            let start = MonotonicClock.now()
            try compare(in: folder)
            let elapsed = Double(MonotonicClock.now().nanoseconds(since: start)) / 1e9
            document.add(round: round, cell: "\(results) with \(results) results", .podswarm, [.compareTime: elapsed])
        }
    }

    /// Many breaks, and every kind of viewers' requests.
    private var profile: String {
        """
        name: compared
        target: {embedded: {adDuration: 2s}}
        audience: {ramp: 2s}
        breaks: {source: {every: 4s}, podDuration: 4s, trigger: rendezvous, grace: 2s}
        generator: {maximumLateness: 2s, maximumLoopDelay: 2s}
        thresholds: [breaks.on_time >= 0%]
        """
    }

    /// Writes both sides, each result with a time of its own; returns the size of the result.
    private func copy(_ data: Data, into folder: URL) throws -> Int {
        guard
            var result = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            var run = result["run"] as? [String: Any],
            let start = (run["started_at_us"] as? NSNumber)?.int64Value,
            let end = (run["ended_at_us"] as? NSNumber)?.int64Value
        else { throw BenchmarkError.file("the result is not of the expected form") }
        for side in Side.allCases {
            let place = folder.appendingPathComponent(side.rawValue)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for number in 0..<results {
                let later = Int64(2 * number + (side == .base ? 0 : 1)) * 600_000_000
                run["started_at_us"] = start + later
                run["ended_at_us"] = end + later
                result["run"] = run
                let copy = place.appendingPathComponent("\(number).json")
                try JSONSerialization.data(withJSONObject: result).write(to: copy)
            }
        }
        return data.count
    }

    private enum Side: String, CaseIterable {
        case base
        case candidate
    }

    private func compare(in folder: URL) throws(BenchmarkError) {
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let arguments = [
            "podswarm", "compare", path(Side.base.rawValue), "--against", path(Side.candidate.rawValue),
            "--json", path("comparison.json"), "--html", path("comparison.html"),
        ]
        _ = try ChildProcess(ProfileRun.executable, arguments, in: folder).wait(atMostSeconds: 120)
    }
}
