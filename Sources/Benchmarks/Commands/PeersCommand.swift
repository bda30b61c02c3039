import ArgumentParser
import Foundation

struct PeersCommand: ParsableCommand {
    static let configuration = CommandConfiguration("peers")

    @OptionGroup var options: CoreOptions

    @Option(help: "Viewers; without this 1,000, and 4,000 with --pods.")
    var viewers: Int?

    @Option(help: "Seconds that they watch.")
    var seconds = 60

    @Flag(help: "CPU of a pod request: equal pods, and pods with addresses signed for each viewer.")
    var pods = false

    private static let scripts = "Tests/ForeignGenerators"
    private static let secondsBetweenPods = 8
    /// Client-limited runs have figures too.
    private static let statuses: Set<Int32> = [0, 3]

    private var audience: Int { viewers ?? (pods ? 4_000 : 1_000) }

    mutating func validate() throws {
        try require("--viewers", audience, in: 1...18_000)
        try require("--seconds", seconds, in: 60...3_600)
        guard FileManager.default.isReadableFile(atPath: "\(Self.scripts)/podswarm.yaml") else {
            throw ValidationError("\(Self.scripts): no such folder; start this at the package's root")
        }
    }

    func run() throws {
        let peers = pods ? [] : [(Subject.k6, Tool.k6), (.locust, .locust)].filter(\.1.isInstalled)
        try options.figures.measure("peers", ["viewers": audience, "seconds": seconds]) { round, document in
            guard !pods else { return try measurePods(round, &document) }
            let cell = "\(audience) viewers"
            document.add(round: round, cell: cell, .podswarm, try figures { try podswarm([], $0) })
            for (subject, tool) in peers {
                document.add(round: round, cell: cell, subject, try figures { try start(tool, $0) })
            }
        }
    }

    private func podswarm(_ settings: [String], _ target: ScaleTarget) throws -> ChildProcess {
        let profile = "\(Self.scripts)/podswarm.yaml"
        let run = ProfileRun(profile: profile, viewers: audience, seconds: seconds, overSockets: true)
        let addresses = ["contentURL=\(target.origin)/live/multivariant.m3u8", "adServer=\(target.origin)"]
        let settings = (addresses.map { "target.podServing.\($0)" } + settings).flatMap { ["--set", $0] }
        let command = run.commandLine(settings, in: target.folder)
        return try ChildProcess(core: options.clientCore, command, in: target.folder)
    }

    private func start(_ tool: Tool, _ target: ScaleTarget) throws -> ChildProcess {
        let line =
            switch tool {
            case .k6:
                "run --quiet --no-usage-report -e ORIGIN=\(target.origin) -e VIEWERS=\(audience) -e SECONDS=\(seconds) "
                    + "\(Self.scripts)/k6.js"
            default:
                "-f \(Self.scripts)/locustfile.py --headless --only-summary --loglevel ERROR --host \(target.origin) "
                    + "--users \(audience) --spawn-rate \(max(audience / 4, 1)) --run-time \(seconds)s --stop-timeout 0"
            }
        let command = [try tool.path()] + line.split(separator: " ").map(String.init)
        return try ChildProcess(core: options.clientCore, command, in: target.folder)
    }

    private func figures(_ start: (ScaleTarget) throws -> ChildProcess) throws -> [Quantity: Double] {
        let target = try ScaleTarget(core: options.serverCore)
        defer { target.stop() }
        // All viewers are there at the first break if the generator starts within twelve seconds.
        sleepUntil(second: 4, of: 20)
        let child = try start(target)
        let resources = try child.wait(atMostSeconds: seconds + 120, for: Self.statuses).resources
        let viewerMinutes = Double(audience * seconds) / 60
        return try target.log(of: child).figures.merging(
            [
                .cpuPerViewerMinute: resources.cpuMicroseconds / 1000 / viewerMinutes,
                .peakResident: Double(resources.peakResidentBytes) / Double(audience),
            ]
        ) { $1 }
    }

    private func measurePods(_ round: Int, _ document: inout BenchmarkDocument) throws {
        let without = try window(["breaks=none"])
        let perPoll = without.cpuMicroseconds / Double(without.log.polls)
        for key in ["equal", "own"] {
            let every = "breaks.source.every=\(Self.secondsBetweenPods)s"
            let (cpu, log) = try window([every, "target.podServing.customAssetKey=\(key)"])
            let perPod = (cpu - perPoll * Double(log.polls)) / Double(log.pods)
            let figures = log.figures.merging([.cpuPerPod: perPod, .cpuPerRequest: perPoll]) { $1 }
            document.add(round: round, cell: "\(key) pods", .podswarm, figures)
        }
    }

    /// CPU and requests of four breaks.
    private func window(_ settings: [String]) throws -> (cpuMicroseconds: Double, log: TargetLog) {
        let target = try ScaleTarget(core: options.serverCore)
        defer { target.stop() }
        let child = try podswarm(settings, target)
        guard let clock = ProcessClock(child.identifier) else {
            throw BenchmarkError.unusable(program: child.program, reason: "it ended at once")
        }
        // Starting and joining take less; a break is over six seconds after its begin.
        sleep(14)
        sleepUntil(second: 6, of: Self.secondsBetweenPods)
        let first = (clock.microseconds, Date().timeIntervalSince1970)
        sleep(UInt32(4 * Self.secondsBetweenPods))
        let last = (clock.microseconds, Date().timeIntervalSince1970)
        _ = try child.wait(atMostSeconds: seconds + 120, for: Self.statuses)
        return (last.0 - first.0, try target.log(of: child, from: first.1, to: last.1))
    }

    /// Next moment of the wall clock that is `second` after a multiple of `interval`.
    private func sleepUntil(second: Int, of interval: Int) {
        let since = (Date().timeIntervalSince1970 - Double(second)).truncatingRemainder(dividingBy: Double(interval))
        usleep(UInt32((Double(interval) - since) * 1_000_000))
    }
}

/// Profiles/scale-target on a port of its own.
private struct ScaleTarget {
    let folder: URL
    let origin: String
    private let process: ChildProcess

    init(core: Int) throws {
        folder = try ProfileRun.folder()
        let port = try Loopback.freePort()
        origin = "http://127.0.0.1:\(port)"
        let command = ["/bin/bash", "Profiles/scale-target/serve.sh", "\(port)", "\(folder.path)/requests.log"]
        process = try ChildProcess(core: core, command, in: folder)
        for _ in 0..<500 {
            if Loopback.get("/live/multivariant.m3u8", port: port) != nil { return }
            usleep(10_000)
        }
        stop()
        throw BenchmarkError.unusable(program: "nginx", reason: "it does not listen after five seconds")
    }

    /// Throws if a request failed.
    func log(of child: ChildProcess, from: Double = 0, to: Double = .infinity) throws -> TargetLog {
        // nginx keeps lines for up to a second.
        sleep(2)
        let text = try String(contentsOf: folder.appendingPathComponent("requests.log"), encoding: .utf8)
        let log = TargetLog(text, from: from, to: to)
        guard log.failures > 0 || log.polls == 0 else { return log }
        let reason = "\(log.failures) requests failed, \(log.polls) polls"
        throw BenchmarkError.unusable(program: child.program, reason: reason)
    }

    func stop() {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Answers of Profiles/scale-target with their times, as its access log has them.
struct TargetLog {
    private(set) var failures = 0
    private(set) var polls = 0
    /// Pod manifests and their playlists.
    private(set) var pods = 0
    private var podsInTime = 0
    /// Milliseconds after the break's instant by break.
    private var manifests: [Substring: [Double]] = [:]

    /// Counts lines between two moments in seconds since the epoch.
    init(_ text: String, from: Double = 0, to: Double = .infinity) {
        var latestBreak = 0.0
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count == 3, let time = Double(fields[0]), from..<to ~= time else { continue }
            let path = fields[2]
            if path.hasPrefix("/live/media") {
                polls += 1
            } else if path.hasPrefix("/linear/pods/"), let name = path.firstMatch(of: /break-(\d+)/)?.1,
                let instant = Double(name)
            {
                pods += 1
                latestBreak = instant
                manifests[name, default: []].append((time - instant) * 1000)
            } else if path.contains("pod/media") {
                pods += 1
                podsInTime += time - latestBreak <= 1 ? 1 : 0
            }
            // 499: the generator was stopped first.
            failures += ["200", "499"].contains(fields[1]) ? 0 : 1
        }
    }

    var figures: [Quantity: Double] {
        let lateness = manifests.values.flatMap(\.self)
        let spreads = manifests.values.compactMap { each in each.max().flatMap { last in each.min().map { last - $0 } }
        }
        let figures: [Quantity: Double?] = [
            .polls: Double(polls), .podRequests: Double(pods),
            .breakSpread: spreads.median, .breakLateness99: lateness.percentile(0.99),
            .podsInTime: lateness.isEmpty ? nil : 100 * Double(podsInTime) / Double(lateness.count),
        ]
        return figures.compactMapValues(\.self)
    }
}
