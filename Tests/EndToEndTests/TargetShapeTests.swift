import Foundation
import Rulebook
import RunResult
import TestSupport
import Testing

/// The embedded origin in the shapes of targets other than Google's: sessions, channels and counts, client against origin.
@Suite struct TargetShapeTests {
    private static func yaml(_ shape: String, breaks: String, more: String = "") -> String {
        """
        name: shape
        duration: 12s
        seed: 7
        target: {embedded: {shape: \(shape), segmentDuration: 1s, adDuration: 1s, metadataPolling: 1s\(more)}}
        audience: {viewers: 20, ramp: 1s, personas: [hlsjs]}
        playback: {metadata: false, verificationPings: false}
        breaks: \(breaks)
        allowFindings: {"*": 0}
        """
    }

    private static let scheduled = "{interstitials: true, podDuration: 2s}"

    private func count(_ kind: String, _ outcome: Rehearsal.Outcome) -> Int {
        outcome.document.requests[kind].map { Int($0.count) } ?? 0
    }

    @Test(
        arguments: [
            ("media-tailor-explicit", scheduled, 20), ("media-tailor-implicit", scheduled, 0),
            ("eyevinn-proxy", scheduled, 0),
            ("url-templates", "{source: {every: 5s}, podDuration: 2s, grace: 3s}", 20),
        ]
    )
    func everyViewerComesByItsChannel(_ shape: String, breaks: String, sessions: Int) async throws {
        let outcome = try await Rehearsal(Self.yaml(shape, breaks: breaks)).inVirtualTime()
        #expect(outcome.findings == [], "\(outcome.end.output)")
        #expect(count("registration", outcome) == sessions)
        #expect(count("multivariant", outcome) == 20)
        #expect(count("playlist", outcome) > 100)
        for kind in ["registration", "multivariant", "playlist", "pod_manifest"] {
            #expect(outcome.document.requests[kind]?.errors ?? 0 == 0, "\(kind)")
        }
        #expect(outcome.document.reconciliation?.agrees == true)
        if shape == "url-templates" {
            #expect(count("pod_manifest", outcome) >= 20)
        }
        if shape.hasPrefix("media-tailor") {
            // Its pre-roll meets every viewer.
            #expect(count("asset_list", outcome) >= 20)
            #expect(outcome.document.requests["asset_list"]?.errors == 0)
            #expect(outcome.document.events.map { $0.started >= 20 } == true)
        }
    }

    /// What such sessions are told to send is sent, whatever their player.
    @Test(arguments: ["media-tailor-explicit", "media-tailor-implicit"])
    func sessionsThatReportThemselvesSendTheirBeacons(_ shape: String) async throws {
        let yaml = Self.yaml(shape, breaks: Self.scheduled, more: ", reporting: client")
        let outcome = try await Rehearsal(yaml).inVirtualTime()
        #expect(outcome.findings == [], "\(outcome.end.output)")
        // Its pre-roll meets every viewer, and has six events.
        #expect(count("beacon", outcome) >= 20 * 6)
        #expect(outcome.document.viewers["beacons_sent"].map(Int.init) == count("beacon", outcome))
        #expect(outcome.document.requests["beacon"]?.errors == 0)
        #expect(outcome.document.reconciliation?.agrees == true)
    }

    /// Each asset list that the origin broke is found, and none besides.
    @Test(arguments: ["explicit", "implicit"])
    func aBeaconThatIsListedTwiceIsFoundWhereItIs(_ session: String) async throws {
        let yaml = Self.yaml(
            "media-tailor-\(session)",
            breaks: Self.scheduled,
            more: ", reporting: client, faults: faults.yaml"
        )
        let faults = "[{fault: ping_doubled, share: 50%, kinds: [asset_list]}]"
        let (outcome, truth) = try await Rehearsal(yaml, faults: faults).inVirtualTimeWithTruth()
        #expect(outcome.findings == ["ping_doubled"], "\(outcome.end.output)")
        let finding = try #require(outcome.finding("ping_doubled"))
        #expect((truth["faults"] as? [String: Int])?["ping_doubled"] == Int(finding.count))
        #expect(finding.count < count("asset_list", outcome))
    }

    /// The origin ends a session after ten seconds and answers 400 from then on, as MediaTailor does.
    @Test func aSessionThatExpiresIsFollowedByAnother() async throws {
        let yaml = Self.yaml("media-tailor-explicit", breaks: Self.scheduled, more: ", sessionValidity: 10s")
            .replacing("duration: 12s", with: "duration: 16s")
        let outcome = try await Rehearsal(yaml).inVirtualTime()
        #expect(count("registration", outcome) == 40)
        #expect(outcome.document.viewers["registration_renewed"] == 20)
        #expect(count("multivariant", outcome) == 40)
        #expect(outcome.document.reconciliation?.agrees == true)
    }

    @Test func thePersonasAreShownSideBySideAndWithTheirSources() async throws {
        let all = try await PodswarmExecutable.run(["profile", "personas"])
        #expect(all.status == 0)
        #expect(all.output.contains("assetList.firstByte"))
        #expect(all.output.contains("ima-guide"))
        let one = try await PodswarmExecutable.run(["profile", "personas", "media3"])
        #expect(one.output.hasPrefix("media3: "))
        #expect(one.output.contains("DONT_RETRY"))
        let none = try await PodswarmExecutable.run(["profile", "personas", "netscape"])
        #expect(none.status == 2)
        #expect(none.errors.contains("there is no persona netscape; there are strict, hlsjs"))
    }
}
