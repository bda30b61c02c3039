import Foundation
import RunResult
import TestSupport
import Testing

/// Keys, tokens and stream ids stay in the process.
@Suite(.fewAtOnce) struct SecrecyTests {
    private static let key = "hush-4f1c9d27e8"
    private static let targeting = "section=whispered&home=1"
    private static let origin = [
        "--auth-token-key-variable", "PODSWARM_TEST_ORIGIN_KEY", "--break-interval-milliseconds", "5000",
        "--break-milliseconds", "2000", "--seed", "4711",
    ]

    private func profile(_ origin: RunningOrigin) -> FastProfile {
        FastProfile.podServing(
            content: "\(origin.url)/live/main/multivariant.m3u8",
            adServer: origin.url,
            more: ["authTokenKey: ${PODSWARM_TEST_KEY}", "custParams: \(Self.targeting)"]
        )
    }

    @Test func nothingThatLeavesTheProcessHoldsASecret() async throws {
        let folder = try TemporaryFolder()
        // Bodies of other sessions, refused registrations, lost hosts: everything that is told with a URL.
        let plan = """
            - {fault: foreign_stream_id, share: 50%}
            - {fault: pod_mismatch, share: 30%}
            - {fault: redirect, to: unauthorised-host, kinds: [pod_manifest], share: 20%}
            - {fault: not_a_playlist, share: 20%}
            """
        let faults = try folder.write(plan, to: "faults.yaml")
        let environment = ["PODSWARM_TEST_ORIGIN_KEY": Self.key, "PODSWARM_TEST_KEY": Self.key]
        let outcome = try await RunningOrigin.serving(Self.origin + ["--faults", faults], environment: environment) {
            origin in
            try await Rehearsal(profile(origin).yaml).run(environment: environment)
        }
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.viewers["registered"] == 20)
        #expect(outcome.finding("foreign_stream_id") != nil)

        // An origin makes the ids of its sessions from its seed: another one tells what they were.
        let open = Array(Self.origin.dropFirst(2))
        let streamIDs = try await RunningOrigin.serving(open) { origin in
            var streamIDs: [String] = []
            for _ in 0..<FastProfile.viewers {
                streamIDs.append(try await origin.register())
            }
            return streamIDs
        }
        let evidence = try #require(outcome.finding("foreign_stream_id")?.occurrences.first?.first)
        #expect(streamIDs.contains { evidence.observed.contains("\($0.prefix(4))…") }, "\(evidence.observed)")

        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        for (name, text) in [("result", result), ("output", outcome.end.output), ("errors", outcome.end.errors)] {
            #expect(!text.contains(Self.key), "the key in the \(name)")
            #expect(!text.contains("hmac="), "a token in the \(name)")
            #expect(!text.contains("whispered"), "targeting in the \(name)")
            #expect(!streamIDs.contains { text.contains($0) || text.contains($0.prefix(20)) }, "an id in the \(name)")
        }
    }

    @Test func aWrongKeyLeavesEveryViewerWithoutASession() async throws {
        let environment = ["PODSWARM_TEST_ORIGIN_KEY": Self.key, "PODSWARM_TEST_KEY": "guessed"]
        let outcome = try await RunningOrigin.serving(Self.origin, environment: environment) { origin in
            try await Rehearsal(profile(origin).yaml).run(environment: environment)
        }
        let registrations = try #require(outcome.document.requests["registration"])
        #expect(registrations.errors == registrations.count)
        #expect(outcome.document.viewers["registration_failed"] == 20)
        #expect(outcome.document.viewers["registered"] == 0)
        #expect(outcome.document.requests["pod_manifest"]?.count == 0)
        let lost = outcome.document.breaks.each.reduce(0) { $0 + ($1.failed["no_session"] ?? 0) }
        #expect(lost >= 20)
        #expect(outcome.finding("registration_failed")?.viewers == 20)
        #expect(!outcome.end.output.contains("guessed") && !outcome.end.errors.contains("guessed"))
    }
}
