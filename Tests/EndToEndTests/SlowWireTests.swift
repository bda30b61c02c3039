import Foundation
import Results
import TestSupport
import Testing

/// HTTP/2 over TLS through something that stands between: what it keeps back is the wire's fault and nobody else's.
///
/// Over sockets, because it is about bytes on the wire.
@Suite(.fewWaiting) struct SlowWireTests {
    private static func rehearse(_ fault: String, _ settings: [String] = []) async throws -> Rehearsal.Outcome {
        try await RunningOrigin.serving(["--tls", "--http2"]) { origin in
            let upstream = String(origin.url.split(separator: ":").last ?? "")
            return try await ForeignScript.serving("slow_wire", [fault, upstream]) { port, _ in
                let profile = try ForeignScript.profile("slow_wire", url: "https://127.0.0.1:\(port)")
                return try await Rehearsal(profile).run(["--quiet"] + settings)
            }
        }
    }

    /// Half a record is no reason to look for the rest until it comes: timeouts fire meanwhile, and the run ends.
    @Test(.timeLimit(.minutes(15))) func halfARecordEndsWithItsTimeout() async throws {
        let outcome = try await Self.rehearse("half")
        let outcomes = outcome.document.requests.values.flatMap(\.outcomes.keys)
        #expect(outcomes.contains("first_byte_timeout") || outcomes.contains("total_timeout"), "\(outcomes)")
    }

    /// A request that waits for another's handshake waits for the target: all of them would be fifteen seconds late, of which a
    /// generator is allowed ten and a starved one does not come near them.
    @Test(.timeLimit(.minutes(15))) func aLateHandshakeIsNotTheGenerators() async throws {
        let limits = "connection.timeouts={connect: 60s, firstByte: 60s, total: 60s}"
        let outcome = try await Self.rehearse("late", ["--set", "duration=20s", "--set", limits])
        #expect([.passed, .failed].contains(outcome.document.verdict.outcome), "\(outcome.end.output)")
        let slowest = outcome.document.requests.values.compactMap { $0.latencies["response"]?.maximumMicroseconds }
        #expect(slowest.contains { $0 >= 15_000_000 })
    }
}
