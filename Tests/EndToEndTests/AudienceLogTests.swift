import Foundation
import Results
import TestSupport
import Testing

/// The log of a server before a run says who watched in it.
///
/// Over sockets, because the log is that of a server that was not written here.
@Suite(.fewWaiting) struct AudienceLogTests {
    /// Viewers of one player, who come within a ramp and leave together.
    private struct Party: Sendable {
        let name, agent: String
        let viewers, ramp, seconds: Int
        /// The third number of their addresses.
        let network: Int

        /// Seconds that all of them watch together.
        var watched: Double { (0..<viewers).reduce(0) { $0 + Double(seconds) - Double(ramp * $1) / Double(viewers) } }
    }

    private static let television = "AppleCoreMedia/1.0.0.21G72 (Apple TV; U; CPU OS 17_5 like Mac OS X; en_us)"
    private static let telephone = "Demo/1 (Linux;Android 14) AndroidXMedia3/1.11.0"
    private static let browser = "Mozilla/5.0 (X11; Linux x86_64)"
    private static let parties = [
        Party(name: "AppleCoreMedia", agent: television, viewers: 50, ramp: 12, seconds: 40, network: 1),
        Party(name: "Media3", agent: telephone, viewers: 30, ramp: 2, seconds: 40, network: 2),
        Party(name: "Mozilla", agent: browser, viewers: 20, ramp: 4, seconds: 24, network: 3),
    ]

    /// How many watch after so many seconds: all have come, and the browsers have gone.
    private static let course = [20: 100, 32: 80]

    /// The document that `podswarm audience --json` prints.
    private struct Told: Decodable {
        struct Point: Decodable {
            let at, viewers: Int
        }
        struct Player: Decodable {
            let name: String
            let viewers: Int
            let share: Double
        }
        struct Break: Decodable {
            let asked, present: Int
        }

        let stamps: String
        let viewers, peak: Int
        let curve: [Point]
        let players: [Player]
        let breaks: [Break]
        let asksOnJoining, asksApart: Int
        let notes: [String]

        /// The line between the points of the curve.
        func viewers(at second: Int) -> Double {
            for (left, right) in zip(curve, curve.dropFirst()) where left.at <= second && second <= right.at {
                let part = Double(second - left.at) / Double(max(1, right.at - left.at))
                return Double(left.viewers) + part * Double(right.viewers - left.viewers)
            }
            return Double(curve.last?.viewers ?? 0)
        }
    }

    @Test func theAudienceOfARunComesOutOfTheServersLog() async throws {
        let (parties, folder) = try await Self.rehearsed()
        let starts = parties.map(\.document.run.startedAtMicroseconds).sorted()
        // Viewers that come or go late, or one process that starts late, are no fault of the reader.
        let isInTime = parties.allSatisfy(\.isCalm) && starts[starts.count - 1] - starts[0] < 1_000_000
        if !isInTime { StarvedMachine.isTooBusy(for: "who watched when") }
        for log in ["plain", "fine"] {
            let told = try await Self.told(folder.file("\(log).log").path)
            #expect(told.stamps == (log == "fine" ? "millisecond" : "second"))
            #expect(told.notes.contains { $0.contains("whole seconds") } == (log == "plain"))
            #expect(told.viewers == 100 && (told.peak == 100 || !isInTime), "\(log)")
            for (second, viewers) in Self.course where isInTime {
                #expect(abs(told.viewers(at: second) - Double(viewers)) <= 5, "\(log): \(told.curve)")
            }
            let watched = Self.parties.reduce(0) { $0 + $1.watched }
            for party in Self.parties {
                let player = try #require(told.players.first { $0.name == party.name }, "\(log)")
                #expect(player.viewers == party.viewers, "\(log): \(party.name)")
                let isShare = abs(player.share - party.watched / watched) < 0.03
                #expect(isShare || !isInTime, "\(log): \(party.name) \(player.share)")
            }
            // A viewer that asked for the pod of a break is counted once.
            let asked = told.breaks.reduce(0) { $0 + $1.asked }
            let pods = parties.reduce(0) { $0 + Int($1.document.requests["pod_manifest"]?.count ?? 0) }
            #expect(abs(asked + told.asksOnJoining + told.asksApart - pods) * 50 <= pods, "\(log): \(told.breaks)")
            // On a busy machine viewers ask further apart than those of one break do.
            let present = told.breaks.reduce(0) { $0 + $1.present }
            #expect(pods * 10 >= present * 9 && asked * 2 >= present, "\(log): \(told.breaks)")
            #expect(told.breaks.count >= 2)
        }
    }

    /// Runs the parties at once through an nginx that writes two logs.
    private static func rehearsed() async throws -> ([Rehearsal.Outcome], TemporaryFolder) {
        let settings = [
            "--set", "target.embedded.segmentDuration=1s", "--set", "breaks.source.every=10s", "--set",
            "breaks.podDuration=3s",
        ]
        let folder = try TemporaryFolder()
        let logs = """
            log_format fine '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                '"$http_referer" "$http_user_agent" $msec $request_time';
            access_log \(folder.path)/plain.log combined; access_log \(folder.path)/fine.log fine;
            """
        let outcomes = try await RunningOrigin.serving(settings) { origin in
            try await ProxyServer.serving(origin.url, in: folder, settings: logs) { url in
                try await withThrowingTaskGroup(of: Rehearsal.Outcome.self) { group in
                    for party in parties { group.addTask { try await Rehearsal(profile(party, url)).run() } }
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
            \(FastProfile.podServingTarget(adServer: url))audience: {viewers: \(party.viewers), ramp: \(party.ramp)s}
            breaks: {source: {every: 10s}, podDuration: 3s, grace: 3s}
            playback: {metadata: false, verificationPings: false}
            connection: {headers: {User-Agent: "\(party.agent)"}, sourceAddresses: [\(addresses)], \(StarvedMachine.timeouts)}
            \(StarvedMachine.budgets)
            thresholds: [breaks.on_time >= 0%]

            """
    }

    private static func told(_ log: String) async throws -> Told {
        let end = try await PodswarmExecutable.run(["audience", log, "--json"]).succeeded()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Told.self, from: Data(end.output.utf8))
    }
}
