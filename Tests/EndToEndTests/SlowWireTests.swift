import Foundation
import RunResult
import TestSupport
import Testing

/// HTTP/2 over TLS through something that stands between: what it keeps back is the wire's fault and nobody else's.
@Suite(.fewAtOnce) struct SlowWireTests {
    private static func profile(port: Substring) -> String {
        let url = "https://127.0.0.1:\(port)"
        return """
            name: slow-wire
            duration: 8s
            target:
              podServing:
                contentURL: '\(url)/live/main/multivariant.m3u8'
                adServer: '\(url)'
                networkCode: "21775744923"
                customAssetKey: sgai-hls-live
            audience: {viewers: 4, ramp: 1s}
            breaks: {source: {list: [7s]}, podDuration: 1s, grace: 9s}
            connection: {protocol: http2, insecure: true, timeouts: {connect: 20s, firstByte: 2s, total: 20s}}
            thresholds: ["viewers.joined > 0"]
            generator: {maximumLateness: 1500ms, maximumLoopDelay: 30s, maximumCoreWait: 30s}

            """
    }

    private static func rehearse(_ fault: String) async throws -> Rehearsal.Outcome {
        let script = PackageFolder.file("Tests/ForeignServers/slow_wire.py").path
        return try await RunningOrigin.serving(["--tls", "--http2"]) { origin in
            let upstream = String(origin.url.split(separator: ":").last ?? "")
            let wire = try ChildProcess(try ExternalTool.python.path(), [script, fault, upstream])
            return try await wire.stopped {
                try await wire.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
                return try await Rehearsal(profile(port: wire.output.prefix { $0.isNumber })).run(["--quiet"])
            }
        }
    }

    /// Half a record is no reason to look for the rest until it comes: timeouts fire meanwhile, and the run ends.
    @Test(.timeLimit(.minutes(15))) func halfARecordEndsWithItsTimeout() async throws {
        let outcome = try await Self.rehearse("half")
        let outcomes = outcome.document.requests.values.flatMap(\.outcomes.keys)
        #expect(outcomes.contains("first_byte_timeout") || outcomes.contains("total_timeout"), "\(outcomes)")
    }

    /// What waits for another request's handshake waits for the target: all of them would be three seconds late.
    @Test(.timeLimit(.minutes(15))) func aLateHandshakeIsNotTheGenerators() async throws {
        let outcome = try await Patience.agreeing {
            try await Self.rehearse("late")
        } on: {
            $0.isCalm || $0.end.status == 0
        }
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        let slowest = outcome.document.requests.values.compactMap { $0.latencies["response"]?.maximumMicroseconds }
        #expect(slowest.contains { $0 >= 3_000_000 })
    }
}
