import Foundation
import RunResult
import TestSupport
import Testing

/// HTTP/2 with Python's h2, which shares no line with nghttp2: what no server that others run can be told to do.
@Suite(.fewAtOnce) struct HTTP2LibraryTests {
    private static let viewers = 20
    private static let breaks = 2
    /// The run itself, its greatest timeout, and time for a busy machine: what hangs is longer.
    private static let longest: Duration = .seconds(7 + 6 + 15)
    private static let memory = 256 << 20

    /// What a run came to, and the lines that the server wrote.
    private struct Telling: Sendable {
        let outcome: Rehearsal.Outcome
        let peakBytes: Int
        let lines: [Substring]

        var refused: Int { lines.count { $0 == "refused" } }
        /// As many as all viewers are to ask for.
        var pods: UInt64 { UInt64(viewers * breaks - outcome.missedInAds) }
        func looked(_ request: String) -> Int { lines.count { $0.hasPrefix(request) } }
        func request(_ kind: String) throws -> RequestResult { try #require(outcome.document.requests[kind]) }
        var repeated: Int { outcome.document.requests.values.reduce(0) { $0 + Int($1.repeated ?? 0) } }
        func requests(but kind: String) -> [RequestResult] {
            outcome.document.requests.filter { $0.key != kind }.map(\.value)
        }
    }

    private static func profile(port: Substring, timeout: String) -> String {
        let url = "http://127.0.0.1:\(port)"
        return """
            name: http2-library
            duration: 7s
            target:
              urlTemplates:
                session: {url: '\(url)/session', body: '\(String(repeating: "x", count: 300))', streamID: /id}
                content: '\(url)/multivariant.m3u8'
                pod: '\(url)/pod.m3u8?{break}'
                sessionEnds: [410]
            audience: {viewers: \(viewers), ramp: 1s}
            playback: {segments: all}
            impressions: allowed
            breaks: {source: {list: [3s, 5s]}, podDuration: 1s, grace: 1s}
            connection: {protocol: http2, timeouts: {connect: \(timeout), firstByte: \(timeout), total: \(timeout)}}
            thresholds: ["viewers.joined > 0", "breaks.on_time >= 0%"]
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

            """
    }

    /// The timeout is so long that none comes into it, but where it is to end something.
    private static func tell(_ fault: String, timeout: String = "20s") async throws -> Telling {
        let script = PackageFolder.file("Tests/ForeignServers/http2_library.py").path
        let server = try ChildProcess(try ExternalTool.python.path(), [script, "--fault", fault])
        return try await server.stopped {
            try await server.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            let rehearsal = try Rehearsal(profile(port: server.output.prefix { $0.isNumber }, timeout: timeout))
            let run = try rehearsal.start(["--quiet"])
            var peak = 0
            try await run.wait(for: "end", within: .seconds(90)) { process in
                peak = max(peak, process.peakResidentBytes ?? 0)
                return !process.isRunning
            }
            let outcome = try rehearsal.outcome(of: try await run.ended(within: .seconds(10)))
            // What it wrote last comes before what it is told now.
            await server.stop()
            #expect(server.errors == "")
            return Telling(outcome: outcome, peakBytes: peak, lines: server.output.split(separator: "\n"))
        }
    }

    @Test(arguments: ["", "window_late"]) func whatIsLawfulIsWhole(fault: String) async throws {
        let told = try await Self.tell(fault)
        let registrations = fault.isEmpty ? Self.viewers : 2 * Self.viewers
        #expect(told.outcome.findings == [], "\(told.outcome.end.output)\(told.outcome.end.errors)")
        #expect(told.repeated == 0)
        #expect(try told.request("registration").outcomes == ["http_201": UInt64(registrations)])
        #expect(told.looked("HTTP/2 POST /session") == registrations)
        #expect(try told.request("pod_manifest").outcomes == ["http_200": told.pods])
        #expect(try told.looked("HTTP/2 GET /ad.ts") == Int(told.request("pod_segment").count))
        #expect(try told.looked("HTTP/2 GET /segment.ts") == Int(told.request("segment").count))
        #expect(try told.looked("HTTP/2 GET /media.m3u8") == Int(told.request("playlist").count))
        #expect(try told.request("pod_segment").errors == 0)
    }

    /// The session that follows finds its room known, which is none.
    @Test func aWindowThatNeverOpensEndsWithTheTimeForTheWhole() async throws {
        let told = try await Self.tell("window_never", timeout: "2s")
        let registration = try told.request("registration")
        #expect(registration.outcomes["http_201"] == UInt64(Self.viewers))
        #expect(registration.outcomes["total_timeout"].map { $0 >= UInt64(Self.viewers) } == true)
        #expect(Set(registration.outcomes.keys) == ["http_201", "total_timeout"])
        #expect(told.looked("HTTP/2 POST /session") == Self.viewers)
    }

    @Test(arguments: ["goaway", "refused"]) func whatNobodyLookedAtIsSentAgainAndCounted(fault: String) async throws {
        let told = try await Self.tell(fault)
        #expect(told.outcome.findings == [], "\(told.outcome.end.output)\(told.outcome.end.errors)")
        for (kind, request) in told.outcome.document.requests { #expect(request.errors == 0, "\(kind)") }
        #expect(try told.request("pod_manifest").count == told.pods)
        #expect(told.looked("HTTP/2 GET /pod.m3u8") == Int(told.pods))
        #expect(told.refused >= Int(told.pods))
        #expect(told.repeated == told.refused)
    }

    @Test func whoRefusesForEverIsAskedSixTimes() async throws {
        let told = try await Self.tell("refused_always")
        let pods = try told.request("pod_manifest")
        #expect(pods.outcomes == ["connection_reset": told.pods])
        #expect(pods.repeated == 5 * told.pods)
        #expect(told.refused == 6 * Int(told.pods))
        #expect(told.requests(but: "pod_manifest").allSatisfy { $0.errors == 0 && $0.repeated ?? 0 == 0 })
        #expect(told.outcome.findings == ["pod_unavailable"])
    }

    @Test func whatIsToBeHadOverHTTP1IsAskedForThere() async throws {
        let told = try await Self.tell("http1")
        #expect(told.outcome.findings == [], "\(told.outcome.end.output)\(told.outcome.end.errors)")
        for (kind, request) in told.outcome.document.requests { #expect(request.errors == 0, "\(kind)") }
        #expect(try told.request("pod_manifest").outcomes == ["http_200": told.pods])
        #expect(told.looked("HTTP/1.1 GET /pod.m3u8") == Int(told.pods))
        // Whoever asks later goes there at once.
        #expect((1...Self.viewers).contains(told.refused))
        #expect(told.repeated == told.refused)
    }

    /// RFC 9113 section 7: NO_ERROR, INTERNAL_ERROR, CANCEL, ENHANCE_YOUR_CALM; PROTOCOL_ERROR, FLOW_CONTROL_ERROR.
    @Test(arguments: [
        (0, "connection_reset"), (2, "connection_reset"), (8, "connection_reset"), (11, "connection_reset"),
        (1, "protocol_error"), (3, "protocol_error"),
    ])
    func aStreamThatIsResetFailsByItsCode(code: Int, outcome: String) async throws {
        let told = try await Self.tell("reset_\(code)")
        #expect(try told.request("pod_manifest").outcomes == [outcome: told.pods])
        #expect(told.refused == Int(told.pods))
        #expect(told.repeated == 0)
        #expect(told.requests(but: "pod_manifest").allSatisfy { $0.errors == 0 })
        #expect(told.outcome.findings == ["pod_unavailable"])
    }

    @Test(arguments: ["flood_settings", "flood_pings", "flood_resets"])
    func aFloodEndsItsConnectionAndNotTheRun(fault: String) async throws {
        let told = try await Self.tell(fault, timeout: "3s")
        let run = told.outcome.document.run
        #expect(Duration.microseconds(run.endedAtMicroseconds - run.startedAtMicroseconds) < Self.longest)
        #expect(told.peakBytes < Self.memory)
        let pods = try told.request("pod_manifest")
        #expect(pods.errors + (pods.outcomes["abandoned"] ?? 0) == pods.count)
        // Acknowledgements that nobody takes are a flood, which breaks the connection. A reset ends its stream and the rest says
        // nothing to anybody: what the server does not answer any more has its time.
        let ends: Set = fault == "flood_resets" ? ["connection_reset", "total_timeout"] : ["protocol_error"]
        #expect(Set(pods.outcomes.keys).isSubset(of: ends.union(["abandoned"])), "\(pods.outcomes)")
        for (kind, request) in told.outcome.document.requests where kind != "pod_manifest" {
            let failed = request.outcomes.keys.filter { !$0.hasPrefix("http_20") && $0 != "abandoned" }
            #expect(ends.isSuperset(of: failed), "\(kind): \(request.outcomes)")
        }
    }
}
