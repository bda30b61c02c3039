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
            viewers: 50,
            ramp: 12,
            seconds: 40,
            network: 1
        ),
        Party(
            name: "Media3",
            agent: "Demo/1 (Linux;Android 14) AndroidXMedia3/1.11.0",
            viewers: 30,
            ramp: 2,
            seconds: 40,
            network: 2
        ),
        Party(name: "Mozilla", agent: "Mozilla/5.0 (X11; Linux x86_64)", viewers: 20, ramp: 4, seconds: 24, network: 3),
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
        let asksOnJoining: Int
        let asksApart: Int
        let notes: [String]
    }

    @Test func theAudienceOfARunComesOutOfTheServersLog() async throws {
        let (outcomes, folder) = try await Self.rehearsed()
        let documents = outcomes.map(\.1)
        var curve: [Told.Point] = []
        for log in ["plain.log", "fine.log"] {
            let told = try await Self.told(folder.file(log).path)
            curve = told.curve
            #expect(told.stamps == (log == "fine.log" ? "millisecond" : "second"))
            #expect(told.notes.contains { $0.contains("whole seconds") } == (log == "plain.log"))
            #expect(told.viewers == 100)
            #expect(told.peak == 100, "\(log)")
            let start = try Self.instant(told.start)
            Self.expectCurve(told.curve, until: told.presence.map(\.at).max() ?? 0, log) { second in
                Self.present(documents, at: start + Int64(second) * 1_000_000)
            }
            #expect(told.presence.count >= 4)
            Self.expectPlayers(told, log, within: documents.allSatisfy(Self.isCalm) ? 0.01 : 0.03)
            Self.expectBreaks(told, documents, log)
        }
        try await Self.expectRehearsal(folder.file("fine.log").path, curve)
    }

    /// A profile names what was written, and its viewers come and go as those of the log did.
    private static func expectRehearsal(_ log: String, _ curve: [Told.Point]) async throws {
        let rehearsal = try Rehearsal(
            """
            name: again
            duration: 45s
            target: embedded
            audience: {file: audience.yaml}
            breaks: {source: {every: 10s}, podDuration: 3s, grace: 3s}
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
            thresholds: [breaks.on_time >= 0%]

            """
        )
        let file = rehearsal.folder.file("audience.yaml")
        let written = try await PodswarmExecutable.run([
            "audience", log, "--browser-player", "shaka", "--output", file.path,
        ])
        #expect(written.status == 0, "\(written)")
        let yaml = try String(contentsOf: file, encoding: .utf8)
        #expect(yaml.contains("viewers: 100"))
        #expect(!yaml.contains("127.0."))
        let document = try await rehearsal.run().document
        #expect(document.audience?.personas.map(\.name).sorted() == ["avplayer", "media3", "shaka"])
        expectCurve(curve, until: curve.last?.at ?? 0, "again") { second in
            present([document], at: document.run.startedAtMicroseconds + Int64(second) * 1_000_000)
        }
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
            thresholds: [breaks.on_time >= 0%]

            """
    }

    /// Starts an nginx before a server, which writes two logs.
    private static func serving<Outcome: Sendable>(
        _ origin: String,
        _ folder: TemporaryFolder,
        _ body: @Sendable (String) async throws -> Outcome
    ) async throws -> Outcome {
        let logs = """
            log_format fine '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                '"$http_referer" "$http_user_agent" $msec $request_time';
            access_log \(folder.path)/plain.log combined; access_log \(folder.path)/fine.log fine;
            """
        return try await ProxyServer.serving(origin, in: folder, settings: logs, body)
    }

    private static func told(_ log: String) async throws -> Told {
        let end = try await PodswarmExecutable.run(["audience", log, "--json"])
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Told.self, from: Data(end.output.utf8))
    }

    private static func instant(_ text: String) throws -> Int64 {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
        return Int64(try style.parse(text).timeIntervalSince1970 * 1_000_000)
    }

    /// Within a twentieth of the peak at every ten seconds, of what was there within a second of them.
    private static func expectCurve(
        _ curve: [Told.Point],
        until end: Int,
        _ name: String,
        _ truth: (_ second: Int) -> ClosedRange<Int>
    ) {
        for second in stride(from: 0, through: end, by: 10) {
            let (line, there) = (interpolated(curve, at: Double(second)), truth(second))
            #expect(
                Double(there.lowerBound) - 5 <= line && line <= Double(there.upperBound) + 5,
                "\(name): \(line) and not \(there) after \(second) s"
            )
        }
    }

    /// Whether a run was never without a core for half a second: its seconds are seconds, and everybody was in time.
    private static func isCalm(_ document: ResultDocument) -> Bool {
        document.health.loopDelayMaximumMicroseconds < 500_000
    }

    /// The fewest and the most viewers that runs counted within a second of an instant; they count once a second.
    ///
    /// A run on a busy machine counts later, and its viewers are later: that is three seconds.
    private static func present(_ documents: [ResultDocument], at instant: Int64) -> ClosedRange<Int> {
        var (fewest, most) = (0, 0)
        for document in documents {
            let step = Int64(document.series.secondsPerPoint) * 1_000_000
            let points = document.series.points
            let ends = points.dropFirst().map { $0.startMilliseconds * 1000 }
            let last = (points.last?.startMilliseconds ?? 0) * 1000 + step
            // At the ends of steps, and nobody before the first and after the last.
            var counts = zip(points, ends + [last]).map { point, end in
                (document.run.startedAtMicroseconds + end, Int(point.activeViewers))
            }
            counts.insert((document.run.startedAtMicroseconds, 0), at: 0)
            if let end = counts.last { counts.append((end.0 + 1, 0)) }
            let near = counts.filter { abs($0.0 - instant) <= (isCalm(document) ? 1_000_000 : 3_000_000) }.map(\.1)
            fewest += near.min() ?? 0
            most += near.max() ?? 0
        }
        return fewest...most
    }

    private static func interpolated(_ curve: [Told.Point], at second: Double) -> Double {
        for (left, right) in zip(curve, curve.dropFirst()) where Double(left.at) <= second && second <= Double(right.at)
        {
            let part = (second - Double(left.at)) / Double(max(1, right.at - left.at))
            return Double(left.viewers) + part * Double(right.viewers - left.viewers)
        }
        return Double(curve.last?.viewers ?? 0)
    }

    /// Whoever asked for the pod of a break is counted once.
    private static func expectBreaks(_ told: Told, _ documents: [ResultDocument], _ log: String) {
        let asked = told.breaks.reduce(0) { $0 + $1.asked }
        let pods = documents.reduce(0) { $0 + Int($1.requests["pod_manifest"]?.count ?? 0) }
        #expect(abs(asked + told.asksOnJoining + told.asksApart - pods) * 50 <= pods, "\(log): \(told.breaks), \(pods)")
        let present = told.breaks.reduce(0) { $0 + $1.present }
        #expect(asked * 10 >= present * 9, "\(log): \(told.breaks)")
        #expect(told.breaks.count >= 2)
    }

    private static func expectPlayers(_ told: Told, _ log: String, within tolerance: Double) {
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
                abs((player?.share ?? 0) - truth) < tolerance,
                "\(log): \(party.name) \(player?.share ?? 0) and not \(truth)"
            )
        }
    }
}
