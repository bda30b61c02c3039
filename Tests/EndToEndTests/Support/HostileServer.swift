import Foundation
import Results
import TestSupport

/// A server that lies as `Tests/HostileServer` does, with its table of lies.
struct HostileServer: Sendable {
    struct Lie: Decodable, Sendable {
        let name: String
        /// Lies of one folder are told side by side.
        let crowd: String
        let kind: String
        /// One of these ends a request of the kind; nothing does that is not named where this is empty.
        let outcomes: Set<String>
        /// Whether more than that may be found or fail.
        let loose: Bool
        let http2: Bool
        /// Whether segments are loaded.
        let ads: Bool

        /// Whether it is told in the break that has its name, by which the result tells what came of it.
        var isOfBreak: Bool { ["pod_manifest", "pod_segment", "asset_list"].contains(kind) }

        /// Whether viewers are right to give up.
        var meetsTimeouts: Bool { outcomes.contains { $0.hasSuffix("_timeout") } }
    }

    private struct Table: Decodable {
        let http1, http2: Int
        let lies: [Lie]
    }

    let lies: [Lie]
    private let ports: [Bool: Int]
    private let process: ChildProcess

    static func serving<Outcome: Sendable>(_ body: (HostileServer) async throws -> Outcome) async throws -> Outcome {
        let script = PackageFolder.file("Tests/HostileServer/server.py").path
        let process = try ChildProcess(
            try ExternalTool.python.path(),
            [script],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        return try await process.stopped {
            try await process.wait(for: "table") { $0.output.hasSuffix("\n") }
            let table = try JSONDecoder().decode(Table.self, from: Data(process.output.utf8))
            let ports = [false: table.http1, true: table.http2]
            return try await body(HostileServer(lies: table.lies, ports: ports, process: process))
        }
    }

    /// What a run is like in which lies are told.
    struct Audience: Sendable {
        var viewers: Int
        /// How many seconds the run tells of when each lie was told once.
        var afterwards: Int
        /// How long that may take: what costs a loop minutes is told no further, and its memory has been seen.
        var atMost = Duration.seconds(120)
        /// The greatest timeout of the profile.
        var patience: Duration
        var podDuration: Duration

        /// One viewer for each lie that is known by its break or may come to anything, three where answers are compared.
        static func few(for lies: [Lie]) -> Audience {
            let areAlone = lies.contains { $0.isOfBreak && !$0.outcomes.isEmpty } || lies.allSatisfy(\.loose)
            let meetTimeouts = lies.contains(where: \.meetsTimeouts)
            return Audience(
                viewers: areAlone ? lies.count : 3 * lies.count,
                // A break that a request timed out in is over before the run is.
                afterwards: meetTimeouts ? 5 : 2,
                // A server in Python that waits for a core is no lie.
                patience: .seconds(meetTimeouts ? 3 : 20),
                podDuration: .seconds(1)
            )
        }

        /// Long enough for what is kept of it to add up.
        static let thousand = Audience(
            viewers: 1_000,
            afterwards: 6,
            atMost: .seconds(10),
            patience: .seconds(4),
            podDuration: .seconds(30)
        )
    }

    private func profile(of lies: [Lie], _ audience: Audience) -> String {
        let port = lies.first.flatMap { ports[$0.http2] } ?? 0
        let milliseconds = { (duration: Duration) in Int(duration / .milliseconds(1)) }
        let patience = milliseconds(audience.patience)
        return """
            name: hostile
            duration: 10m
            target:
              podServing:
                contentURL: "http://127.0.0.1:\(port)/{lie}/master.m3u8"
                adServer: http://127.0.0.1:\(port)
                networkCode: "1"
                customAssetKey: hostile
            audience: {viewers: \(audience.viewers), ramp: 500ms, traits: [{file: lies.csv}]}
            playback: {segments: \(lies.contains { $0.ads || $0.kind == "pod_segment" } ? "all" : "none")}
            breaks:
              source: {dateRange: {class: break}}
              podDuration: \(milliseconds(audience.podDuration))ms
              trigger: playhead
              interstitials: true
            impressions: allowed
            connection:
              headers: {Lie: "{lie}"}
              protocol: \(lies.contains(where: \.http2) ? "http2" : "http1")
              timeouts: {connect: \(patience)ms, firstByte: \(patience / 2)ms, total: \(patience)ms}
            thresholds: ["viewers.joined >= 0"]
            \(StarvedMachine.budgets)

            """
    }

    struct Outcome: Sendable {
        let lies: [Lie]
        /// Those that were told indeed, by name.
        let told: Set<String>
        let rehearsal: Rehearsal.Outcome
        /// How long the run went on when it was asked to end: each request has the time that its timeouts give it.
        let overtime: Duration
        let mostOvertime: Duration
        /// The most memory that the process ever had resident.
        let peakBytes: Int
    }

    /// Tells lies to a run, to as many of its viewers each, and interrupts it when each was told.
    func tell(_ lies: [Lie], to audience: Audience) async throws -> Outcome {
        let rehearsal = try Rehearsal(profile(of: lies, audience))
        try rehearsal.folder.write("lie\n" + lies.map { $0.name + "\n" }.joined(), to: "lies.csv")
        let run = try rehearsal.start(["--quiet", "--intervals", rehearsal.intervalsFile])
        let names = Set(lies.map(\.name))
        var peak = 0
        // A second is told when every loop has seen to its answers in it, however late that is.
        var last: (second: Int, latest: ContinuousClock.Instant)?
        try await run.wait(for: "every lie to be told and heard") { run in
            peak = max(peak, run.peakResidentBytes ?? 0)
            let seconds = try rehearsal.intervalLines.count
            if last == nil, told.isSuperset(of: names) {
                last = (seconds + 1 + audience.afterwards, .now + audience.atMost)
            }
            return !run.isRunning || last.map { $0.second <= seconds || $0.latest <= .now } == true
        }
        let interrupted = ContinuousClock.now
        run.send(SIGINT)
        try await run.wait(for: "end") { run in
            peak = max(peak, run.peakResidentBytes ?? 0)
            return !run.isRunning
        }
        let overtime = ContinuousClock.now - interrupted
        return Outcome(
            lies: lies,
            told: told,
            rehearsal: try rehearsal.outcome(of: try await run.ended()),
            overtime: overtime,
            mostOvertime: audience.patience + .seconds(5),
            peakBytes: peak
        )
    }

    private var told: Set<String> {
        Set(process.output.split(separator: "\n").map(String.init)).intersection(lies.map(\.name))
    }
}

extension HostileServer.Outcome {
    private var document: ResultDocument { rehearsal.document }

    /// How the run ended, and in how much memory; one that does not end is killed long before its time is up.
    func complaintsOfRun(memory: Int) -> [String] {
        var complaints: [String] = []
        let end = rehearsal.end
        // Whatever it was told, it is no defect of podswarm, and no reason to end early.
        if end.isSignal || end.status != 130 { complaints.append("ended with \(end.status)\n\(end.errors)") }
        // Without a core the loops are late, and what follows them.
        if overtime > mostOvertime * (document.hadCores ? 1 : 4) { complaints.append("ended \(overtime) late") }
        if peakBytes > memory { complaints.append("had \(peakBytes >> 20) MiB") }
        return complaints
    }

    /// What came of each lie that is not right.
    var complaintsOfLies: [String] { lies.flatMap { lie in complaints(of: lie).map { "\(lie.name): \($0)" } } }

    private func complaints(of lie: HostileServer.Lie) -> [String] {
        guard told.contains(lie.name) else { return ["was not told"] }
        var complaints: [String] = []
        let came = outcomes(of: lie)
        // What a run ends with says nothing of its target.
        let failed = came.filter { !$0.hasPrefix("http_20") && $0 != "abandoned" }
        if !lie.outcomes.isEmpty, failed.isDisjoint(with: lie.outcomes) {
            complaints.append("came to \(came.sorted())")
        }
        guard !lie.loose else { return complaints }
        let kin = lie.isOfBreak ? [lie] : lies.filter { $0.kind == lie.kind }
        let right = kin.reduce(into: Set()) { $0.formUnion($1.outcomes) }
        // Without a core it runs into timeouts.
        let mayBeLate = !document.hadCores || right.contains { $0.hasSuffix("_timeout") }
        let timeouts = mayBeLate ? failed.filter { $0.hasSuffix("_timeout") } : []
        if !failed.isSubset(of: right.union(timeouts)) { complaints.append("came to \(came.sorted()) as well") }
        let found = occurrences(about: lie).map(\.code)
        if lie.outcomes.isEmpty, !found.isEmpty { complaints.append("found \(found)") }
        return complaints
    }

    /// What ended the requests that it was told to: those of all viewers, or of its break.
    private func outcomes(of lie: HostileServer.Lie) -> Set<String> {
        let all = Set(document.requests[lie.kind].map { Array($0.outcomes.keys) } ?? [])
        guard lie.isOfBreak else { return all }
        let lost = document.breaks.each.first { $0.key == lie.name }?.failed ?? [:]
        let answers = (document.slowestAnswers ?? []).filter { $0.kind == lie.kind && $0.breakKey == lie.name }
        var came = Set(answers.map(\.outcome))
        for (code, occurrence) in occurrences(about: lie) where occurrence.breakKey == lie.name {
            let observed = [occurrence.first, occurrence.last].compactMap { $0?.observed }
            if code == "redirect_loop" { came.insert("redirect_limit") }
            if code == "pod_unavailable" {
                came.formUnion(
                    observed.filter { $0.hasPrefix(Self.noAnswer) }.map { String($0.dropFirst(Self.noAnswer.count)) }
                )
            }
        }
        if lost["unauthorised"] != nil { came.insert("unauthorised_host") }
        if lost["segment_failed"] != nil { came.formUnion(all.filter { !$0.hasPrefix("http_20") }) }
        return came
    }

    private static let noAnswer = "no answer: "

    /// What was found in its break, or of a viewer that it was told to.
    private func occurrences(about lie: HostileServer.Lie) -> [(code: String, FindingOccurrence)] {
        let index = lies.firstIndex { $0.name == lie.name }
        return rehearsal.findings.compactMap(rehearsal.finding).flatMap { finding in
            finding.occurrences.filter { occurrence in
                occurrence.breakKey == lie.name
                    || [occurrence.first, occurrence.last].contains { $0.map { $0.viewer % lies.count } == index }
            }.map { (finding.code, $0) }
        }
    }
}

extension ChildProcess {
    /// The most memory that it ever had resident, by Linux's own account; nil when it has ended.
    var peakResidentBytes: Int? {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        return status?.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }.map { $0 << 10 }
    }
}
