import AdServing
import Recording
import Rulebook
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What goes wrong with sessions, tokens and redirects, and beside each what is in order.
@Suite struct SessionFindingTests {
    @Test func registrationWithoutStreamId() async throws {
        try await ScriptedCrowd.onLoop { loop in
            for registration in [#"{"valid_for":"8h"}"#, "<html>"] {
                let probe = try SessionProbe(registration: registration, loop: loop)
                #expect(probe.findings == ["registration_without_stream_id"], "\(registration)")
            }
            let probe = try SessionProbe(loop: loop)
            #expect(probe.findings == [])
        }
    }

    @Test func registrationFailed() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let refused = try SessionProbe(joinedOn: loop)
            refused.transport.answer(.registration, status: 403)
            #expect(refused.findings == ["registration_failed"])
            #expect(refused.evidence.map(\.observed) == ["status 403"])

            let limited = try SessionProbe(joinedOn: loop)
            for _ in 0..<3 {
                limited.transport.answer(.registration, status: 429, headers: ["retry-after": "30"])
                limited.scripted.fire(.registrationRetry)
            }
            #expect(limited.findings == ["registration_failed"])
            #expect(limited.evidence.map(\.observed) == ["status 429, Retry-After 30"])

            let hanging = try SessionProbe(joinedOn: loop)
            hanging.scripted.leave(after: .seconds(12))
            #expect(hanging.findings.contains("registration_failed"))
            #expect(hanging.evidence.map(\.observed).contains("no answer in 12 s"))

            let short = try SessionProbe(joinedOn: loop)
            short.scripted.leave(after: .seconds(3))
            #expect(short.findings == [], "it had only just asked")
            let own = try SessionProbe(joinedOn: loop)
            for _ in 0..<3 {
                own.transport.answer(.registration, failure: .localResources)
                own.scripted.fire(.registrationRetry)
            }
            #expect(own.findings == [], "this machine's own failure")
        }
    }

    @Test func channelUnavailable() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let refused = try SessionProbe(joinedOn: loop)
            refused.transport.answer(.registration, body: SessionProbe.registration(validity: nil))
            refused.transport.answer(.multivariant, status: 503)
            refused.scripted.leave(after: .seconds(2))
            #expect(refused.findings == ["channel_unavailable"])
            #expect(refused.evidence.map(\.observed) == ["status 503"])

            let hanging = try SessionProbe(joinedOn: loop)
            hanging.transport.answer(.registration, body: SessionProbe.registration(validity: nil))
            hanging.scripted.leave(after: .seconds(9))
            #expect(hanging.findings == ["channel_unavailable"])
            #expect(hanging.evidence.map(\.observed) == ["no playlist in 9 s"])
        }
    }

    @Test func sessionExpired() async throws {
        try await ScriptedCrowd.onLoop { loop in
            for status in [400, 404, 410] {
                let lost = try SessionProbe(loop: loop)
                lost.pollMetadata()
                lost.transport.answer(.metadata, status: status)
                #expect(lost.findings == ["session_expired"], "\(status)")
            }
            let over = try SessionProbe(validity: "11s", loop: loop)
            over.pollMetadata()
            over.transport.answer(.metadata, status: 410)
            #expect(over.findings == [], "within the room for clocks that differ")
            let silent = try SessionProbe(validity: nil, loop: loop)
            silent.pollMetadata()
            silent.transport.answer(.metadata, status: 410)
            #expect(silent.findings == [], "the registration does not say how long it holds")
        }
    }

    @Test func whatTheFormerSessionAskedForSaysNothingOfTheNewOne() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(validity: "11s", loop: loop)
            probe.scripted.fire(.renewal)
            probe.pollMetadata()
            #expect(
                probe.transport.answer(
                    .registration,
                    later: 5_000_000_000,
                    body: SessionProbe.registration(validity: "8h0m0s")
                )
            )
            #expect(probe.transport.answer(.metadata, status: 410, after: .seconds(6)))
            #expect(probe.findings == [])
            probe.pollMetadata()
            #expect(probe.transport.answer(.metadata, status: 410))
            #expect(probe.findings == ["session_expired in \(probe.breakKey)"])
        }
    }

    @Test func aPodIsRefusedToAnExpiredSessionUnderItsBreak() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(loop: loop)
            let key = probe.breakKey
            probe.askForPod()
            probe.transport.answer(.podManifest, status: 410)
            #expect(probe.findings == ["session_expired in \(key)"])
            let missing = try SessionProbe(loop: loop)
            missing.askForPod()
            missing.transport.answer(.podManifest, status: 404)
            #expect(!missing.findings.contains { $0.hasPrefix("session_expired") }, "it may not be there yet")
        }
    }

    @Test func accessRefused() async throws {
        try await ScriptedCrowd.onLoop { loop in
            for status in [401, 403] {
                let probe = try SessionProbe(loop: loop)
                probe.pollMetadata()
                probe.transport.answer(.metadata, status: status)
                #expect(probe.findings == ["access_refused"], "\(status)")
            }
            let pod = try SessionProbe(loop: loop)
            let key = pod.breakKey
            pod.askForPod()
            pod.transport.answer(.podManifest, status: 403)
            #expect(pod.findings == ["access_refused in \(key)"])
            let ping = try SessionProbe(loop: loop)
            ping.play()
            ping.pollMetadata()
            ping.transport.answer(.metadata, body: SessionProbe.metadata([("m", "start")]))
            #expect(ping.transport.answer(.verification, status: 403))
            #expect(ping.findings == ["ping_lost in \(ping.breakKey)"], "a ping is no answer that a viewer needs")
        }
    }

    // MARK: Tokens

    /// What is found where a pod leads to an address that is signed so.
    private func findings(_ fields: [String: String]) async throws -> [String] {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(loop: loop)
            let key = probe.breakKey
            probe.askForPod()
            let address = SessionProbe.address(fields)
            probe.transport.answer(.podManifest, body: SessionProbe.manifest(leadingTo: address))
            #expect(probe.transport.open.contains { $0.request.url == address })
            #expect(probe.evidence.allSatisfy { !"\($0)".contains("hmac") })
            return probe.findings.map { $0.replacing(" in \(key)", with: " in the break") }
        }
    }

    @Test func tokenExpired() async throws {
        let now = SessionProbe.epochSeconds
        #expect(try await findings(["exp": String(now - 60)]) == ["token_expired in the break"])
        #expect(try await findings(["exp": String(now + 60)]) == [])
        #expect(try await findings(["pd": "10000"]) == [], "a token may hold for ever")
    }

    @Test func tokenExpiryInMilliseconds() async throws {
        let now = SessionProbe.epochSeconds
        let found = try await findings(["exp": String((now + 10) * 1_000)])
        #expect(found == ["token_expiry_in_milliseconds in the break"])
        #expect(
            try await findings(["exp": String(now + 86_400 * 365 * 10)]) == [],
            "ten years are seconds all the same"
        )
    }

    @Test func tokenOfAnotherBreak() async throws {
        let exp = String(SessionProbe.epochSeconds + 60)
        let found = try await findings(["exp": exp, "ad_break_id": "break-1795291200"])
        #expect(found == ["token_of_another_break in the break"])
        #expect(try await findings(["exp": exp, "ad_break_id": SessionProbe.breakID]) == [])
    }

    // MARK: Redirects

    private func findings(afterRedirects redirects: Int, failure: TransportFailure? = nil, leftHost: Bool = false)
        async throws -> [String]
    {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(loop: loop)
            let key = probe.breakKey
            probe.askForPod()
            probe.transport.answer(
                .podManifest,
                status: failure == nil ? 200 : 302,
                failure: failure,
                body: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.m4s\n#EXT-X-ENDLIST\n",
                redirects: redirects,
                leftHost: leftHost
            )
            return probe.findings.map { $0.replacing(" in \(key)", with: " in the break") }
        }
    }

    @Test func redirectChain() async throws {
        #expect(try await findings(afterRedirects: 3) == ["redirect_chain in the break"])
        #expect(try await findings(afterRedirects: 2) == [])
    }

    @Test func redirectLoop() async throws {
        let found = try await findings(afterRedirects: 5, failure: .redirectLimit)
        #expect(found == ["redirect_loop in the break"])
        let lost = try await findings(afterRedirects: 1, failure: .reset)
        #expect(lost == ["pod_unavailable in the break"], "the last host broke off")
    }

    @Test func redirectToOtherHost() async throws {
        let found = try await findings(afterRedirects: 1, leftHost: true)
        #expect(found == ["redirect_to_other_host in the break"])
        #expect(try await findings(afterRedirects: 1) == [])
        let refused = try await findings(afterRedirects: 0, failure: .unauthorisedHost)
        #expect(refused == [], "nothing was answered by a host that may not be asked")
    }
}
