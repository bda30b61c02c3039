import Foundation
import RunResult
import TestSupport
import Testing

/// Viewers that a server keeps out are due at the breaks that they would have watched.
@Suite(.fewAtOnce) struct WhoIsDueTests {
    /// What the small server of `who_is_due.py` is asked.
    private enum Breaks: String {
        case ofChannel = "{interstitials: true, grace: 1s}"
        case computed = "{source: {list: [14s, 22s]}, podDuration: 4s, grace: 1s}"
        case ofSplices = "{source: dateRange, podDuration: 4s, grace: 1s}"
        case ofClass = "{source: {dateRange: {class: org.example.break}}, podDuration: 4s, grace: 1s}"
        case stitched = "{stitched: true, grace: 1s}"
    }

    private static func profile(
        _ adServer: String,
        _ channel: String,
        _ breaks: Breaks,
        viewers: Int,
        people: String = ""
    )
        -> String
    {
        let content = breaks == .computed ? "master.m3u8" : "{stream_id}/master.m3u8"
        return """
            name: due
            duration: 29s
            target:
              urlTemplates:
                session: {url: "\(adServer)/session", body: "{}", streamID: /session/id}
                content: "\(channel)/\(content)"
                pod: "\(channel)/pod.m3u8?session={stream_id}&break={break}"
            audience: {viewers: \(viewers), ramp: 1s\(people)}
            playback: {segments: none}
            breaks: \(breaks.rawValue)
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
            allowFindings: {compression_missing: any, content_type_wrong: any}

            """
    }

    private static func serving<Outcome: Sendable>(
        _ arguments: [String],
        _ body: @Sendable (String) async throws -> Outcome
    ) async throws -> Outcome {
        let script = PackageFolder.file("Tests/ForeignServers/who_is_due.py").path
        let server = try ChildProcess(try ExternalTool.python.path(), [script] + arguments)
        return try await server.stopped {
            try await server.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            return try await body("http://127.0.0.1:\(server.output.prefix { $0.isNumber })")
        }
    }

    private static func told(_ outcome: Rehearsal.Outcome) -> Comment {
        Comment(rawValue: "\(outcome.end.output)\(outcome.end.errors)")
    }

    /// A session is needed for the channel itself, so that these viewers know of no break.
    @Test func viewersThatAreRefusedASessionAreDueAtEachBreak() async throws {
        let outcome = try await Self.serving(["--refuse", "15"]) { server in
            try await Rehearsal(Self.profile(server, server, .ofChannel, viewers: 40)).run()
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks {
            #expect(one.due == 40 && one.failed["no_session"] == 15, Self.told(outcome))
        }
        let finding = try #require(outcome.finding("registration_failed"))
        #expect(finding.viewers == 15 && finding.severity == "broken")
        #expect(finding.occurrences.first?.first?.observed == "status 429, Retry-After 30")
    }

    @Test func viewersThatAProxyLetsWaitAreDue() async throws {
        let outcome = try await Self.serving([]) { server in
            let folder = try TemporaryFolder()
            let port = try LoopbackPort()
            let configuration = """
                global
                    maxconn 30
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 60s
                    timeout server 60s
                frontend ads
                    bind fd@3
                    default_backend server
                backend server
                    server one \(server.dropFirst("http://".count))

                """
            let haproxy = try ChildProcess(
                try ExternalTool.haproxy.path(),
                ["-db", "-f", try folder.write(configuration, to: "haproxy.cfg")],
                inherited: [port.descriptor]
            )
            return try await haproxy.stopped {
                let proxy = "http://127.0.0.1:\(port.number)"
                return try await Rehearsal(Self.profile(proxy, server, .computed, viewers: 50)).run()
            }
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks { #expect(one.due == 50 && one.failed["no_session"] == 20, Self.told(outcome)) }
        #expect(outcome.finding("registration_failed")?.viewers == 20)
    }

    @Test func aRegistrationThatHangsAfterItsHeadIsAFailedOne() async throws {
        let outcome = try await Self.serving(["--hold", "4"]) { server in
            try await Rehearsal(Self.profile(server, server, .computed, viewers: 10)).run()
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks { #expect(one.due == 10 && one.failed["no_session"] == 4, Self.told(outcome)) }
        #expect(outcome.finding("registration_failed")?.viewers == 4)
    }

    @Test func viewersThatAnOutageDroveOffAreDue() async throws {
        let people = ", abandonment: {afterStall: 3s, afterStop: 1s, reopen: {share: 0%, after: 10s}}"
        let outcome = try await Self.serving(["--outage", "6", "60", "10"]) { server in
            try await Rehearsal(Self.profile(server, server, .ofChannel, viewers: 20, people: people)).run()
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks { #expect(one.due == 20 && one.failed["player_gave_up"] == 2, Self.told(outcome)) }
    }

    private static let strips: [(String, String, Breaks, String)] = [
        ("marks", "interstitial", .ofChannel, "not_listed"), ("marks", "scte35", .ofSplices, "not_listed"),
        ("marks", "cue", .stitched, "not_listed"), ("century", "class", .ofClass, "not_listed"),
        ("segments", "interstitial", .ofChannel, "not_listed"), ("end", "interstitial", .ofChannel, "no_playlist"),
    ]

    /// What other viewers were told of is due for all who watch.
    @Test(arguments: strips)
    private func aBreakThatHalfTheSessionsAreNotGivenIsLostByThem(
        strip: String,
        mark: String,
        breaks: Breaks,
        cause: String
    ) async throws {
        let outcome = try await Self.serving(["--strip", strip, "--mark", mark]) { server in
            try await Rehearsal(Self.profile(server, server, breaks, viewers: 20)).run()
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks { #expect(one.due == 20 && one.failed == [cause: 10], Self.told(outcome)) }
    }

    /// A cue that comes nine seconds late is first listed when the break is over at every playhead.
    private static let marks: [(String, String, Breaks)] = [
        ("interstitial", "6", .ofChannel), ("scte35", "6", .ofSplices), ("class", "6", .ofClass),
        ("cue", "6", .stitched), ("cue", "9", .stitched),
    ]

    @Test(arguments: marks)
    private func aBreakThatIsListedAfterItsStartIsLostByAllThatWatch(mark: String, late: String, breaks: Breaks)
        async throws
    {
        let outcome = try await Self.serving(["--late", late, "--mark", mark]) { server in
            try await Rehearsal(Self.profile(server, server, breaks, viewers: 60)).run()
        }
        #expect(outcome.end.status == 1, Self.told(outcome))
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty)
        for one in breaks {
            #expect(one.due == 60 && one.failed == ["announced_too_late": 60], Self.told(outcome))
            #expect(one.skipped["joined_late"] == nil)
        }
        let finding = try #require(outcome.finding("break_announced_late"))
        #expect(finding.occurrences.count == breaks.count && finding.viewers == 60)
    }
}
