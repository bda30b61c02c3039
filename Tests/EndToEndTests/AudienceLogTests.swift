import Foundation
import RunResult
import TestSupport
import Testing

/// The log of a server before a run says who watched in it.
@Suite(.fewAtOnce) struct AudienceLogTests {
    /// Viewers of one player, who come within a ramp and leave together.
    private struct Party: Sendable {
        let name: String
        let agent: String
        let viewers: Int
        let ramp: Int
        let seconds: Int
        /// The third number of their addresses.
        let network: Int
    }

    private static let parties = [
        Party(
            name: "AppleCoreMedia",
            agent: "AppleCoreMedia/1.0.0.21G72 (Apple TV; U; CPU OS 17_5 like Mac OS X; en_us)",
            viewers: 20,
            ramp: 12,
            seconds: 30,
            network: 1
        ),
        Party(
            name: "Media3",
            agent: "Demo/1 (Linux;Android 14) AndroidXMedia3/1.11.0",
            viewers: 12,
            ramp: 2,
            seconds: 30,
            network: 2
        ),
        Party(name: "Mozilla", agent: "Mozilla/5.0 (X11; Linux x86_64)", viewers: 8, ramp: 4, seconds: 20, network: 3),
    ]

    /// What podswarm says of a log.
    private struct Told: Decodable {
        struct Point: Decodable {
            let at: Int
            let viewers: Int
        }
        struct Player: Decodable {
            let name: String
            let viewers: Int
            let share: Double
            let pollMeanMilliseconds: Double?
        }
        struct Break: Decodable {
            let asked: Int
            let present: Int
        }

        let start: String
        let stamps: String
        let viewers: Int
        let peak: Int
        let presence: [Point]
        let curve: [Point]
        let players: [Player]
        let breaks: [Break]
        let notes: [String]
    }

    @Test func theAudienceOfARunComesOutOfTheServersLog() async throws {
        let (outcomes, folder) = try await Self.rehearsed()
        for log in ["plain.log", "fine.log"] {
            let told = try await Self.told(folder.file(log).path)
            #expect(told.stamps == (log == "fine.log" ? "millisecond" : "second"))
            #expect(told.notes.contains { $0.contains("whole seconds") } == (log == "plain.log"))
            #expect(told.viewers == 40)
            try Self.expectCurve(told, outcomes, log)
            Self.expectPlayers(told, log)
            // Breaks that everybody was there for: each asks for the pod of its own session.
            let whole = told.breaks.filter { $0.present == 40 }
            #expect(whole.allSatisfy { 38...40 ~= $0.asked }, "\(log): \(told.breaks)")
            #expect(!told.breaks.isEmpty)
        }
        // What was written for a profile names every player.
        let yaml = try await PodswarmExecutable.run([
            "audience", folder.file("fine.log").path, "--browser-player", "shaka",
        ])
        #expect(yaml.status == 0)
        #expect(yaml.output.contains("viewers: 40"))
        for persona in ["avplayer", "media3", "shaka"] {
            #expect(yaml.output.contains("{persona: \(persona), share: "))
        }
        #expect(!yaml.output.contains("127.0."))
    }

    /// Runs three parties at once through a server that writes two logs.
    private static func rehearsed() async throws -> ([(Party, ResultDocument)], TemporaryFolder) {
        let settings = [
            "--segment-seconds", "1", "--break-interval-milliseconds", "10000", "--break-milliseconds", "3000",
        ]
        let folder = try TemporaryFolder()
        let outcomes = try await RunningOrigin.serving(settings) { origin in
            try await serving(origin.url, folder) { url in
                try await withThrowingTaskGroup(of: (Party, ResultDocument).self) { group in
                    for party in parties {
                        group.addTask { (party, try await Rehearsal(profile(party, url)).run().document) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
        }
        return (outcomes, folder)
    }

    /// Viewers have addresses of their own, as people do.
    private static func profile(_ party: Party, _ url: String) -> String {
        let addresses = (1...party.viewers).map { "127.0.\(party.network).\($0)" }.joined(separator: ", ")
        return """
            name: party
            duration: \(party.seconds)s
            seed: \(party.network)
            impressions: allowed
            target:
              podServing:
                contentURL: \(url)/live/main/multivariant.m3u8
                adServer: \(url)
                networkCode: "21775744923"
                customAssetKey: sgai-hls-live
            audience: {viewers: \(party.viewers), ramp: \(party.ramp)s}
            breaks: {source: {every: 10s}, podDuration: 3s, grace: 3s}
            playback: {metadata: false, verificationPings: false}
            connection: {headers: {User-Agent: "\(party.agent)"}, sourceAddresses: [\(addresses)]}
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
            thresholds: [breaks.count >= 0]

            """
    }

    /// Starts an nginx before a server.
    private static func serving<Outcome: Sendable>(
        _ origin: String,
        _ folder: TemporaryFolder,
        _ body: @Sendable (String) async throws -> Outcome
    ) async throws -> Outcome {
        let port = try LoopbackPort()
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; worker_processes 1; pid \(folder.path)/pid; error_log stderr;
            events { worker_connections 1024; }
            http {
                log_format fine '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                    '"$http_referer" "$http_user_agent" $msec $request_time';
                access_log \(folder.path)/plain.log combined; access_log \(folder.path)/fine.log fine;
                \(scratch)
                server {
                    listen 127.0.0.1:\(port.number);
                    location / { proxy_pass \(origin); proxy_http_version 1.1; proxy_set_header Host $http_host; }
                }
            }

            """
        let path = try folder.write(configuration, to: "configuration")
        let nginx = try ChildProcess(
            try ExternalTool.nginx.path(),
            ["-p", folder.path, "-c", path, "-e", "stderr"],
            environment: ["NGINX": LoopbackPort.nginxVariable(count: 1)],
            inherited: [port.descriptor]
        )
        return try await nginx.stopped { try await body("http://127.0.0.1:\(port.number)") }
    }

    private static func told(_ log: String) async throws -> Told {
        let end = try await PodswarmExecutable.run(["audience", log, "--json"])
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Told.self, from: Data(end.output.utf8))
    }

    /// Within a twentieth at every ten seconds from the start of the runs.
    private static func expectCurve(_ told: Told, _ outcomes: [(Party, ResultDocument)], _ log: String) throws {
        let starts = outcomes.map(\.1.run.startedAtMicroseconds)
        let first = try #require(starts.min())
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
        let logStart = Int64(try style.parse(told.start).timeIntervalSince1970 * 1_000_000)
        let allowed = Double(told.peak) * 0.05
        for second in [10, 20 - 1, 28] {
            let instant = first + Int64(second) * 1_000_000
            let truth = outcomes.reduce(0) { $0 + present($1.0, since: instant - $1.1.run.startedAtMicroseconds) }
            let line = interpolated(told.curve, at: Double(instant - logStart) / 1_000_000)
            #expect(abs(line - Double(truth)) <= allowed, "\(log): \(line) and not \(truth) after \(second) s")
        }
        #expect(told.peak == 40, "\(log)")
    }

    private static func present(_ party: Party, since microseconds: Int64) -> Int {
        let seconds = Double(microseconds) / 1_000_000
        guard seconds < Double(party.seconds) else { return 0 }
        return (0..<party.viewers).count { Double(party.ramp * $0) / Double(party.viewers) <= seconds }
    }

    private static func interpolated(_ curve: [Told.Point], at second: Double) -> Double {
        for (left, right) in zip(curve, curve.dropFirst()) where Double(left.at) <= second && second <= Double(right.at)
        {
            let part = (second - Double(left.at)) / Double(max(1, right.at - left.at))
            return Double(left.viewers) + part * Double(right.viewers - left.viewers)
        }
        return Double(curve.last?.viewers ?? 0)
    }

    private static func expectPlayers(_ told: Told, _ log: String) {
        let watched = parties.map { party in
            (0..<party.viewers).reduce(0.0) { sum, viewer in
                sum + Double(party.seconds) - Double(party.ramp * viewer) / Double(party.viewers)
            }
        }
        for (party, time) in zip(parties, watched) {
            let player = told.players.first { $0.name == party.name }
            #expect(player?.viewers == party.viewers, "\(log): \(party.name)")
            let truth = time / watched.reduce(0, +)
            #expect(
                abs((player?.share ?? 0) - truth) < 0.01,
                "\(log): \(party.name) \(player?.share ?? 0) and not \(truth)"
            )
        }
    }
}
