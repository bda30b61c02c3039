import ArgumentParser
import Foundation
import Results

struct NightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "night",
        abstract: "A night of soak in virtual time: once with a steady target, once with one that grows slower.",
        discussion: """
            Soaks Profiles/soak.yaml twice and prints how many seconds each took. Nothing may creep with the steady \
            target; with one whose answers come 40 ms late, and 0.3 % later with each minute, the latency of playlists \
            and of pod manifests must.

            Exit status: 0 both are as planned, and within the limit; 1 otherwise; 2 there is no result; 64 bad arguments.
            """
    )

    @Option(help: "Viewers of the soak.")
    var viewers = 100

    @Option(help: "Hours of the soak.")
    var hours = 8

    @Option(help: "The most seconds that one soak may take.")
    var limit: Double?

    private static let growing =
        "- {fault: delay, delay: 40ms, growth: 0.3%, per: 60s, kinds: [playlist, pod_manifest]}\n"
    private static let planned: Set = ["playlist.response.p99", "pod_manifest.response.p99"]

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...10_000)
        try require("--hours", hours, in: 1...24)
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let faults = folder.appendingPathComponent("faults.yaml")
        try Self.growing.write(to: faults, atomically: true, encoding: .utf8)
        let steady = try soak([], as: "steady")
        let creeping = try soak(["--set", "target.embedded.faults=\(faults.path)"], as: "creeping")
        print("night, viewers \(viewers), hours \(hours)\n")
        for soak in [steady, creeping] {
            let names = soak.creeping.sorted().joined(separator: ", ")
            let series = names.isEmpty ? "nothing creeps" : "creeping: \(names)"
            print("\(soak.name): \(soak.requests) requests in \(String(format: "%.1f", soak.seconds)) s; \(series)")
        }
        var complaints: [String] = []
        if let limit, max(steady.seconds, creeping.seconds) > limit { complaints.append("longer than \(limit) s") }
        if !steady.creeping.isEmpty { complaints.append("a steady target creeps") }
        if !creeping.creeping.isSuperset(of: Self.planned) { complaints.append("a slower target does not creep") }
        guard complaints.isEmpty else {
            print("\nnot as planned: \(complaints.joined(separator: ", "))")
            throw ExitCode(1)
        }
    }

    private struct Soak {
        let name: String
        let seconds: Double
        let requests: UInt64
        let creeping: Set<String>
    }

    private func soak(_ settings: [String], as name: String) throws -> Soak {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let began = ContinuousClock.now
        let run = ProfileRun(profile: "Profiles/soak.yaml", viewers: viewers, seconds: hours * 3_600, command: "soak")
        let result = try run.result(settings, in: folder)
        let took = ContinuousClock.now - began
        return Soak(
            name: name,
            seconds: took / .seconds(1),
            requests: result.requests.values.reduce(0) { $0 + $1.count },
            creeping: Set((result.drift ?? []).filter { $0.verdict == .creeping }.map(\.series))
        )
    }
}
