import ArgumentParser
import Foundation

/// Over how much time a break's requests leave several processes whose clocks are wrong.
struct SpreadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spread",
        abstract: "The spread of breaks over shards whose wall clocks are wrong, as the server's one clock sees it.",
        discussion: """
            Each shard is a process with a wall clock of its own offset, up to the one given, and all meet in a folder. \
            nginx before the origin notes when each request for a pod came, in milliseconds; the spread of a break is the \
            time from its first request to its last.

            Exit status: 0 every shard passed, and every break had all its requests; 2 there are no figures.
            """
    )

    @Option(help: "Processes that share the audience.")
    var shards = 4

    @Option(help: "Milliseconds by which the clocks of shards are wrong at most, one way and the other.")
    var offset = 300

    @Option(help: "Breaks, one every two seconds.")
    var breaks = 50

    @Option(help: "Viewers of all shards together.")
    var viewers = 20

    @Option(help: "Runs.")
    var rounds = 1

    @Option(help: "Write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard (2...16).contains(shards) else { throw ValidationError("--shards must be between 2 and 16") }
        guard (0...86_400_000).contains(offset) else {
            throw ValidationError("--offset must be between 0 and 86400000")
        }
        guard (1...1_000).contains(breaks) else { throw ValidationError("--breaks must be between 1 and 1000") }
        guard (shards...1_000).contains(viewers) else {
            throw ValidationError("--viewers must be between \(shards) and 1000")
        }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be between 1 and 100") }
    }

    func run() throws {
        var document = BenchmarkDocument(
            command: "spread",
            parameters: [
                "shards": shards, "offset_ms": offset, "breaks": breaks, "viewers": viewers, "rounds": rounds,
            ]
        )
        for round in 1...rounds {
            let folder = try ProfileRun.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            document.add(round: round, cell: "\(shards) shards", .podswarm, try figures(in: folder))
        }
        try document.finish(json: json)
    }

    private func figures(in folder: URL) throws -> [Quantity: Double] {
        let clock = try OffsetClock(in: folder)
        let originPort = try Loopback.freePort()
        let origin = try ChildProcess(
            ProfileRun.executable,
            ["podswarm", "origin", "--port", "\(originPort)"] + Self.originArguments,
            in: folder
        )
        defer { origin.stop() }
        try Loopback.waitUntilListening(originPort, program: "podswarm origin")
        let gate = try ArrivalGate(before: originPort, in: folder)
        let profile = folder.appendingPathComponent("spread.yaml")
        try Data(self.profile(port: gate.port).utf8).write(to: profile)
        let ending = Result { try runShards(profile.path, clock, in: folder) }
        let arrivals = try gate.finish()
        try ending.get()
        guard arrivals.count == breaks, arrivals.allSatisfy({ $0.count == viewers }) else {
            let counts = arrivals.map { "\($0.count)" }.joined(separator: ", ")
            throw BenchmarkError.unusable(program: "podswarm", reason: "requests of each break: \(counts)")
        }
        let spreads = arrivals.map(\.spreadMicroseconds)
        var figures: [Quantity: Double] = [:]
        figures[.spreadMedian] = spreads.median
        figures[.spread99] = spreads.percentile(0.99)
        return figures
    }

    private func runShards(_ profile: String, _ clock: OffsetClock, in folder: URL) throws {
        let common = [
            "--run-id", "spread", "--rendezvous", folder.appendingPathComponent("place").path, "--start-lead", "4s",
            "--results", folder.appendingPathComponent("results").path, "--no-report", "--quiet",
        ]
        let all = try (0..<shards).map { index in
            try clock.start(
                offsetMicroseconds: offsetMicroseconds(of: index),
                ProfileRun.executable,
                ["run", profile, "--shard", "\(index)/\(shards)"] + common,
                in: folder
            )
        }
        for shard in all { _ = try shard.wait(atMostSeconds: breaks * 2 + 120) }
    }

    /// From one end to the other, in equal steps.
    private func offsetMicroseconds(of index: Int) -> Int {
        (offset * 2_000 * index) / (shards - 1) - offset * 1_000
    }

    private static let originArguments = [
        "--segment-seconds", "8", "--break-interval-milliseconds", "0", "--ad-milliseconds", "1000",
        "--metadata-seconds", "60",
    ]

    private func profile(port: UInt16) -> String {
        let starts = (0..<breaks).map { "\(5 + 2 * $0)s" }.joined(separator: ", ")
        return """
            name: spread
            duration: \(breaks * 2 + 6)s
            seed: 7
            target:
              podServing:
                contentURL: http://127.0.0.1:\(port)/live/main/multivariant.m3u8
                adServer: http://127.0.0.1:\(port)
                networkCode: "21775744923"
                customAssetKey: sgai-hls-live
            audience: {viewers: \(viewers), ramp: 1s}
            playback: {segments: none}
            breaks:
              source: {list: [\(starts)]}
              podDuration: 1s
              grace: 900ms
            pods: {repeatShare: 0%}
            impressions: allowed
            generator: {maximumLateness: 2s, maximumLoopDelay: 2s, maximumCoreWait: 2s}
            thresholds: [breaks.count >= 1, breaks.on_time >= 0%]

            """
    }
}
