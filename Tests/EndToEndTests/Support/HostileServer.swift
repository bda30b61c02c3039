import Foundation
import RunResult
import TestSupport

/// A server that lies as `Tests/HostileServer` does, with its table of lies.
struct HostileServer: Sendable {
    /// One way to lie, and what is right to come of it.
    struct Lie: Decodable, Sendable {
        let name: String
        let group: String
        /// The kind of request that is lied to.
        let kind: String
        let does: String
        /// One of these ends a request of the kind; nothing does that is not named where this is empty.
        let outcomes: Set<String>
        /// One of these is found.
        let findings: Set<String>
        /// Whether more than that may be found or fail.
        let loose: Bool
        let http2: Bool
        /// Whether it asks for so much memory that a thousand viewers are to be tried.
        let crowd: Bool
        /// Whether segments of ads are loaded.
        let ads: Bool
    }

    private struct Table: Decodable {
        let http1: Int
        let http2: Int
        let lies: [Lie]
    }

    let lies: [Lie]
    private let ports: [Bool: Int]

    /// Lends a server to a closure, and stops it.
    static func serving<Outcome: Sendable>(_ body: (HostileServer) async throws -> Outcome) async throws -> Outcome {
        let script = PackageFolder.file("Tests/HostileServer/server.py").path
        let process = try ChildProcess(
            try ExternalTool.python.path(),
            [script],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        return try await process.stopped {
            try await process.wait(for: "table", within: .seconds(60)) { $0.output.hasSuffix("\n") }
            let table = try JSONDecoder().decode(Table.self, from: Data(process.output.utf8))
            return try await body(HostileServer(lies: table.lies, ports: [false: table.http1, true: table.http2]))
        }
    }

    /// What a run is like that a lie is told to.
    struct Audience: Sendable {
        var viewers: Int
        var duration: Duration
        /// The greatest timeout of the profile.
        var patience: Duration
        var podDuration: Duration

        static let few = Audience(
            viewers: 3,
            duration: .milliseconds(2_500),
            patience: .milliseconds(1_500),
            podDuration: .seconds(1)
        )
        /// An asset list is asked for last of all, and a server in Python has much to say before.
        static func few(toldOf kind: String) -> Audience {
            var audience = few
            if kind == "asset_list" { audience.duration = .seconds(6) }
            return audience
        }

        /// Long enough for all that a server in Python has to say to a thousand, and for what is kept of it to add up.
        static let thousand = Audience(
            viewers: 1_000,
            duration: .seconds(4),
            patience: .seconds(4),
            podDuration: .seconds(30)
        )
    }

    func profile(of lie: Lie, _ audience: Audience) -> String {
        let port = ports[lie.http2] ?? 0
        let milliseconds = { (duration: Duration) in Int(duration / .milliseconds(1)) }
        let readsSegments = lie.ads || lie.kind == "segment" || lie.kind == "pod_segment"
        let patience = milliseconds(audience.patience)
        return """
            name: hostile
            duration: \(milliseconds(audience.duration))ms
            target:
              podServing:
                contentURL: http://127.0.0.1:\(port)/\(lie.name)/master.m3u8
                adServer: http://127.0.0.1:\(port)
                networkCode: "1"
                customAssetKey: \(lie.name)
            audience: {viewers: \(audience.viewers), ramp: \(milliseconds(audience.duration) / 3)ms}
            playback: {segments: \(readsSegments ? "all" : "none")}
            breaks:
              source: {list: [\(milliseconds(audience.duration) / 2)ms]}
              podDuration: \(milliseconds(audience.podDuration))ms
              interstitials: \(lie.kind == "asset_list")
            impressions: allowed
            connection:
              protocol: \(lie.http2 ? "http2" : "http1")
              timeouts: {connect: \(patience)ms, firstByte: \(patience / 2)ms, total: \(patience)ms}
            thresholds: ["viewers.joined >= 0"]
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

            """
    }

    /// What came of a run that was lied to.
    struct Outcome: Sendable {
        let lie: Lie
        let rehearsal: Rehearsal.Outcome
        /// How long after its plan the run ended, by its own clock.
        let overtime: Duration
        /// The most memory that the process ever had resident.
        let peakBytes: Int
        /// What is not as it should be, for people.
        var complaints: [String] = []
    }

    /// Tells a lie to a run.
    func tell(_ lie: Lie, to wanted: Audience? = nil) async throws -> Outcome {
        let audience = wanted ?? .few(toldOf: lie.kind)
        let rehearsal = try Rehearsal(profile(of: lie, audience))
        let run = try rehearsal.start(["--quiet"])
        var peak = 0
        try await run.wait(for: "end", within: .seconds(60)) { process in
            peak = max(peak, process.peakResidentBytes ?? 0)
            return !process.isRunning
        }
        let outcome = try rehearsal.outcome(of: try await run.ended(within: .seconds(10)))
        let took = outcome.document.run.endedAtMicroseconds - outcome.document.run.startedAtMicroseconds
        return Outcome(
            lie: lie,
            rehearsal: outcome,
            overtime: .microseconds(took) - audience.duration,
            peakBytes: peak
        )
    }
}

extension HostileServer.Outcome {
    /// Whether it came to what no busy machine brings about: podswarm crashed, or found a defect of its own.
    var isLasting: Bool { rehearsal.end.isSignal || rehearsal.end.status == 70 }

    /// What a run came to that is not right: how it ended, when, and what it says of the answers.
    ///
    /// Whoever waited for a core himself ends later, and runs into timeouts.
    func complaints(patience: Duration, memory: Int, judgesAnswers: Bool = true) -> [String] {
        var complaints: [String] = []
        let end = rehearsal.end
        // Passed, failed, or short of time itself: whatever it was told, it is no defect of podswarm.
        if end.isSignal || ![0, 1, 3].contains(end.status) {
            complaints.append("ended with \(end.status)\n\(end.errors)")
        }
        let isCalm = rehearsal.document.health.loopDelayMaximumMicroseconds < 500_000
        if overtime > patience + .seconds(isCalm ? 1 : 4) { complaints.append("ended \(overtime) after its plan") }
        if peakBytes > memory { complaints.append("had \(peakBytes >> 20) MiB") }
        guard judgesAnswers else { return complaints }
        let counts = rehearsal.document.requests[lie.kind]?.outcomes ?? [:]
        if counts.isEmpty { complaints.append("asked for no \(lie.kind)") }
        // What a run ends with says nothing of its target.
        let failed = Set(counts.keys.filter { !$0.hasPrefix("http_20") && $0 != "abandoned" })
        if !lie.outcomes.isEmpty, failed.isDisjoint(with: lie.outcomes) {
            complaints.append("no such outcome: \(counts)")
        }
        let found = Set(rehearsal.document.findings.map(\.code))
        if !lie.findings.isEmpty, found.isDisjoint(with: lie.findings) { complaints.append("found \(found.sorted())") }
        guard !lie.loose else { return complaints }
        let timeouts = isCalm ? [] : failed.filter { $0.hasSuffix("_timeout") }
        if !failed.isSubset(of: lie.outcomes.union(timeouts)) { complaints.append("other outcomes: \(counts)") }
        if lie.outcomes.isEmpty, lie.findings.isEmpty, !rehearsal.findings.isEmpty {
            complaints.append("found \(rehearsal.findings)")
        }
        return complaints
    }
}

extension ChildProcess {
    /// The most memory that it ever had resident, by Linux's own account; nil when it has ended.
    var peakResidentBytes: Int? {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        return status?.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }.map { $0 << 10 }
    }
}
