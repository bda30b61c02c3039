import Foundation
import Results
import TestSupport
import Testing

/// HTTP/2 with Python's h2, which shares no line with nghttp2: what no server that others run can be told to do.
///
/// Over sockets, because the server shares no line with podswarm.
@Suite(.fewWaiting) struct HTTP2LibraryTests {
    private static let viewers = 20
    private static let breaks = 2
    private struct Telling: Sendable {
        let outcome: Rehearsal.Outcome
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

    private static func tell(_ fault: String, _ settings: [String] = []) async throws -> Telling {
        try await ForeignScript.serving("http2_library", ["--fault", fault]) { port, server in
            let profile = try ForeignScript.profile("http2_library", url: "http://127.0.0.1:\(port)")
            let outcome = try await Rehearsal(profile).run(["--quiet"] + settings)
            // What it wrote last comes before what it is told now.
            await server.stop()
            #expect(server.errors == "")
            return Telling(outcome: outcome, lines: server.output.split(separator: "\n"))
        }
    }

    @Test func whatIsLawfulIsWhole() async throws {
        let told = try await Self.tell("window_late")
        let registrations = 2 * Self.viewers
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
        let limits = "connection.timeouts={connect: 6s, firstByte: 6s, total: 6s}"
        let told = try await Self.tell("window_never", ["--set", "duration=10s", "--set", limits])
        let registration = try told.request("registration")
        #expect(registration.outcomes["http_201"] == UInt64(Self.viewers))
        #expect(registration.outcomes["total_timeout"].map { $0 >= UInt64(Self.viewers) } == true)
        #expect(Set(registration.outcomes.keys) == ["http_201", "total_timeout"])
        #expect(told.looked("HTTP/2 POST /session") == Self.viewers)
    }

    @Test func whatNobodyLookedAtIsSentAgainAndCounted() async throws {
        let told = try await Self.tell("goaway")
        #expect(told.outcome.findings == [], "\(told.outcome.end.output)\(told.outcome.end.errors)")
        for (kind, request) in told.outcome.document.requests { #expect(request.errors == 0, "\(kind)") }
        #expect(try told.request("pod_manifest").count == told.pods)
        #expect(told.looked("HTTP/2 GET /pod.m3u8") == Int(told.pods))
        #expect(told.refused >= Int(told.pods))
        #expect(told.repeated == told.refused)
    }

    @Test func whoRefusesForEverIsAskedSixTimesAndWhoWantsHTTP1IsAskedForThat() async throws {
        let told = try await Self.tell("refusals")
        let pods = try told.request("pod_manifest")
        let lost = pods.outcomes["connection_reset"] ?? 0
        #expect(pods.count == told.pods && pods.outcomes == ["connection_reset": lost, "http_200": told.pods - lost])
        #expect(!told.outcome.isCalm || lost == UInt64(Self.viewers))
        #expect(told.looked("HTTP/1.1 GET /pod.m3u8") == Int(told.pods - lost))
        // Viewers that ask for HTTP/1.1 later are sent there at once.
        #expect((1...Self.viewers).contains(told.refused - 6 * Int(lost)))
        #expect(told.repeated == told.refused - Int(lost))
        #expect(told.requests(but: "pod_manifest").allSatisfy { $0.errors == 0 && $0.repeated ?? 0 == 0 })
        #expect(told.outcome.findings == ["pod_unavailable"])
    }
}
