import ArgumentParser
import Comparison
import Foundation

/// Whether `compare` is right about runs whose true difference is known.
struct SameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "same",
        abstract: "How often compare calls identical runs a regression, and misses runs that are 20 % slower.",
        discussion: """
            Identical runs go to nginx, one after another; 2,000 seeded pairs of five and five of them are compared. \
            A run in which podswarm was the limit itself is repeated. For the slower ones the embedded origin holds \
            every playlist and pod back for 100 ms, and in turns for 120 ms: with its own time a little less than \
            20 %. Takes about (runs + 2 x slower) x (seconds + 3) seconds, and a machine with nothing else to do.
            """
    )

    @Option(help: "Identical runs.")
    var runs = 16

    @Option(help: "Runs on each side of the planted change; 0 leaves it out.")
    var slower = 8

    @Option(help: "Seconds of a run.")
    var seconds = 15

    @Option(help: "Viewers of an identical run.")
    var viewers = 500

    @Option(help: "Core of nginx.")
    var serverCore = 0

    @Option(help: "Core of podswarm.")
    var clientCore = 1

    @Option(help: "What starts nginx: the target that is shipped with podswarm.")
    var target = "Profiles/scale-target/serve.sh"

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard runs >= 2 * PairShare.side else { throw ValidationError("--runs must be at least 10") }
        guard slower == 0 || slower >= PairShare.side else {
            throw ValidationError("--slower must be 0, or at least 5")
        }
        guard (10...600).contains(seconds) else { throw ValidationError("--seconds must be between 10 and 600") }
        guard (1...5_000).contains(viewers) else { throw ValidationError("--viewers must be between 1 and 5000") }
        guard FileManager.default.isReadableFile(atPath: target) else {
            throw ValidationError("--target \(target): no such file; start this at the package's root")
        }
        try BenchOptions.requireFolder(of: json)
    }

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("podswarm-same-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var document = BenchmarkDocument(
            command: "same",
            parameters: ["runs": runs, "slower_runs": slower, "seconds": seconds, "viewers": viewers]
        )
        let identical = try identicalRuns(in: folder)
        let called = try PairShare().regressions(among: identical)
        document.add(round: 1, cell: "identical", .podswarm, [.calledRegressions: called])
        let bare = try PairShare(options: ComparisonOptions(floorMicroseconds: 0)).regressions(among: identical)
        document.add(round: 1, cell: "identical, without the floor of 1 ms", .podswarm, [.calledRegressions: bare])
        if slower > 0 {
            let (base, candidate) = try slowerRuns(in: folder)
            let found = try PairShare().regressions(from: base, to: candidate)
            document.add(round: 1, cell: "20 % slower", .podswarm, [.missedRegressions: 100 - found])
        }
        try document.finish(json: json)
    }

    private func identicalRuns(in folder: URL) throws -> [RunFigures] {
        let server = try ScaleTarget(script: target, core: serverCore, in: folder)
        defer { server.stop() }
        let origin = "http://127.0.0.1:\(server.port)"
        let serving = """
            podServing:
              contentURL: \(origin)/live/multivariant.m3u8
              adServer: \(origin)
              networkCode: "1"
              customAssetKey: same
            """
        let profile = Self.profile(target: serving, viewers: viewers, seconds: seconds)
        let run = try ShortRun(profile, named: "identical", seconds: seconds, core: clientCore, in: folder)
        return try Self.take(runs) { try Self.told($0, "identical", run.figures()) }
    }

    /// So many good runs, of at most twice as many.
    private static func take(_ count: Int, _ run: (Int) throws -> RunFigures?) throws -> [RunFigures] {
        var figures: [RunFigures] = []
        for number in 1...2 * count where figures.count < count {
            if let good = try run(number) { figures.append(good) }
        }
        guard figures.count == count else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "too many runs in which it was the limit itself")
        }
        return figures
    }

    /// Base and candidate take turns, as releases should.
    private func slowerRuns(in folder: URL) throws -> (base: [RunFigures], candidate: [RunFigures]) {
        let runs = try [("base", 100), ("slower", 120)].map { name, delay in
            let fault = "- fault: delay\n  delay: \(delay)ms\n  kinds: [playlist, pod_manifest]\n"
            try Data(fault.utf8).write(to: folder.appendingPathComponent("\(name)-faults.yaml"))
            let profile = Self.profile(
                target: "embedded:\n  adDuration: 2s\n  faults: \(name)-faults.yaml",
                viewers: min(viewers, 100),
                seconds: seconds
            )
            return try ShortRun(profile, named: name, seconds: seconds, core: nil, in: folder)
        }
        var candidate: [RunFigures] = []
        let base = try Self.take(slower) { number in
            guard
                let first = try Self.told(number, "base", runs[0].figures()),
                let second = try Self.told(number, "slower", runs[1].figures())
            else { return nil }
            candidate.append(second)
            return first
        }
        return (base, candidate)
    }

    /// Says what a run came to, for whoever watches.
    private static func told(_ number: Int, _ name: String, _ figures: RunFigures?) -> RunFigures? {
        let gates = figures.map { run in
            ComparedQuantile.standardGates.compactMap { gate in
                gate.microseconds(in: run).map { "\(gate.name) \(($0 / 1_000).shortText) ms" }
            }
        }
        let text = gates?.joined(separator: ", ") ?? "client-limited, left out"
        FileHandle.standardError.write(Data("run \(number), \(name): \(text)\n".utf8))
        return figures
    }

    /// A break every four seconds, from the moment when all viewers watch.
    private static func profile(target: String, viewers: Int, seconds: Int) -> String {
        """
        name: same
        duration: \(seconds)s
        target:
        \(target.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        audience: {viewers: \(viewers), ramp: 2s}
        playback: {segments: none, verificationPings: false, metadata: false}
        breaks: {source: {every: 4s}, podDuration: 4s, trigger: rendezvous, grace: 2s}
        generator: {maximumLateness: 2s, maximumLoopDelay: 2s}
        thresholds: [breaks.on_time >= 0%]
        """
    }
}
