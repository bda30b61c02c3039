import Foundation
import Results
import TestSupport
import Testing

/// HTTP/2 with servers that were not written here, and with what their operators may set: nothing fails and nothing is found,
/// and both ends count the same.
///
/// Over sockets, because the servers share no line with podswarm.
@Suite(.fewWaiting) struct ForeignHTTP2Tests {
    private static let viewers = 20
    private static let breaks = 2

    /// Each with settings under which a connection is used as without them.
    static let lawful = [
        ForeignServer(
            program: .nginx,
            isTLS: true,
            settings: ["http2_max_concurrent_streams 1;", "http2_chunk_size 1k;"]
        ),
        ForeignServer(program: .apache2, settings: ["H2MaxSessionStreams 1", "H2Padding 8", "H2MaxDataFrameLen 100"]),
        ForeignServer(program: .h2o, isTLS: true),
        // What it would push, the client has refused beforehand.
        ForeignServer(
            program: .nghttpd,
            settings: [
                "--max-concurrent-streams=1", "--padding=200", "--trailer=x-told: late", "--no-content-length",
                "--push=/multivariant.m3u8=/media.m3u8,/pod.m3u8",
            ]
        ),
        ForeignServer(program: .caddy, isTLS: true),
    ]

    private static func start(_ server: ForeignServer.Running, transport: String) throws -> (Rehearsal, ChildProcess) {
        let rehearsal = try Rehearsal(ForeignScript.profile("foreign_http2", url: server.url))
        let authority = server.authority.map { ["connection.caFile=\($0)"] } ?? []
        let others = transport == "curl" ? ["playback.segments=none", "connection.protocol=http2-or-http1"] : []
        let settings = ["connection.transport=\(transport)"] + authority + others
        return (rehearsal, try rehearsal.start(settings.flatMap { ["--set", $0] }))
    }

    private static func run(_ server: ForeignServer, transport: String = "auto") async throws
        -> (outcome: Rehearsal.Outcome, log: AccessLog)
    {
        try await server.serving { running in
            let (rehearsal, run) = try start(running, transport: transport)
            return try rehearsal.outcome(of: try await run.ended())
        }
    }

    /// Nothing fails, nothing is found, and the server has answered what was asked for.
    private static func expectWhole(
        _ outcome: Rehearsal.Outcome,
        _ log: AccessLog,
        carrier: String = "exchange"
    ) {
        let requests = outcome.document.requests
        #expect(outcome.findings == [], "\(outcome.end.output)\(outcome.end.errors)")
        let isBlamed = outcome.document.findings.contains { StarvedMachine.findings.contains($0.code) }
        #expect(outcome.end.status == 0 || isBlamed, "\(outcome.end.output)\(outcome.end.errors)")
        for (kind, request) in requests {
            #expect(Set(request.outcomes.keys).isSubset(of: ["http_200", "abandoned"]), "\(kind): \(request.outcomes)")
            #expect(request.carried?[carrier] == request.count, "\(kind)")
        }
        #expect(outcome.isAll(Int(requests["multivariant"]?.count ?? 0), of: viewers))
        #expect(outcome.isAll(Int(requests["pod_manifest"]?.count ?? 0) + outcome.missedInAds, of: viewers * breaks))
        // Again and again, where the machine has time for that.
        let (polls, segments) = outcome.isCalm ? (3, 2) : (0, 0)
        #expect(requests["playlist"].map { $0.count >= UInt64(viewers * polls) } == true)
        let hasSegments = requests["segment"].map { $0.count >= UInt64(viewers * segments) }
        #expect(hasSegments == (carrier == "exchange") || !outcome.isCalm)
        for (file, kind) in LiveFolder.kinds {
            let request = requests[kind]
            let counted = Int(request?.count ?? 0)
            let unsure = Int(request?.outcomes["abandoned"] ?? 0)
            // The one more is the look whether the target is there. What was sent again may have been answered before.
            let most = counted + (kind == "multivariant" ? 1 : 0)
            let again = Int(request?.repeated ?? 0)
            #expect((most - unsure...most + again).contains(log.requests[file] ?? 0), "\(kind): \(log.requests)")
        }
    }

    private static func opened(_ outcome: Rehearsal.Outcome) -> Int {
        outcome.document.requests.values.reduce(0) { $0 + Int($1.newConnections) }
    }

    @Test(arguments: lawful.map { ($0, "auto") } + [(ForeignServer(program: .nginx, isTLS: true), "curl")])
    func nothingIsFoundAndBothEndsCountAlike(server: ForeignServer, transport: String) async throws {
        let (outcome, log) = try await Self.run(server, transport: transport)
        let way = transport == "curl" ? ["libcurl", "h2 or http/1.1"] : ["exchange", "h2"]
        #expect(Set(outcome.document.run.transports) == Set(way + (server.isTLS ? ["tls"] : [])))
        Self.expectWhole(outcome, log, carrier: transport == "curl" ? "curl" : "exchange")
        #expect(log.protocols == ["HTTP/2.0"])
        // A server may close a connection that nobody used for seconds.
        #expect(!outcome.isCalm || Self.opened(outcome) == Self.viewers)
        #expect(outcome.isAll(log.connections.count, of: Self.opened(outcome) + 1))
    }

    /// Connections that a server ends otherwise are lies of `HostileServerTests` and cases of `TLSAndHTTP2Tests`.
    @Test func aServerThatIsReloadedInABurstCostsNoRequest() async throws {
        let ((outcome, isInTime), log) = try await ForeignServer(program: .caddy, isTLS: true).serving { running in
            let (rehearsal, run) = try Self.start(running, transport: "auto")
            // On a busy machine the run may be over before somebody looks.
            var isInTime = false
            for number in 0..<Self.breaks {
                try await running.answered(number * Self.viewers + 2, for: "pod.m3u8", orEndOf: run)
                try await running.reload()
                let asked = running.accessLog.requests["pod.m3u8"] ?? 0
                isInTime = isInTime || asked < Self.viewers * Self.breaks
            }
            return (try rehearsal.outcome(of: await run.ended()), isInTime)
        }
        Self.expectWhole(outcome, log)
        #expect(!isInTime || Self.opened(outcome) > Self.viewers)
    }
}
