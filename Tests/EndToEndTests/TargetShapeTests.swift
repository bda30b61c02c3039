import Foundation
import Rulebook
import RunResult
import TestSupport
import Testing

/// The embedded origin in the shapes of targets other than Google's: sessions, channels and counts, client against origin.
@Suite(.serialized) struct TargetShapeTests {
    private static func yaml(_ shape: String, breaks: String, more: String = "") -> String {
        """
        name: shape
        duration: 12s
        seed: 7
        target: {embedded: {shape: \(shape), segmentDuration: 1s, adDuration: 1s, metadataPolling: 1s\(more)}}
        audience: {viewers: 20, ramp: 1s, personas: [hlsjs]}
        playback: {metadata: false, verificationPings: false}
        breaks: \(breaks)
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
        \(StarvedMachine.allowedFindings)
        thresholds: [breaks.on_time >= 0%]
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
        let outcome = try await Rehearsal(Self.yaml(shape, breaks: breaks)).run(limit: .seconds(240))
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
        let outcome = try await Rehearsal(yaml).run(limit: .seconds(240))
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
        let folder = try TemporaryFolder()
        let faults = try folder.write("[{fault: ping_doubled, share: 50%, kinds: [asset_list]}]", to: "faults.yaml")
        let settings = ["--segment-seconds", "1", "--ad-milliseconds", "1000", "--faults", faults]
        let breaks = ["--break-interval-milliseconds", "6000", "--break-milliseconds", "2000"]
        try await RunningOrigin.serving(settings + breaks) { origin in
            let target = """
                {mediaTailor: {server: '\(origin.url)', asset: podswarm/live/index.m3u8, session: \(session), \
                reporting: client}}
                """
            let yaml = Self.yaml("pod-serving", breaks: Self.scheduled).split(separator: "\n").map { line in
                line.hasPrefix("target:") ? "target: \(target)" : String(line)
            }
            let outcome = try await Rehearsal(yaml.joined(separator: "\n") + "\n").run(limit: .seconds(240))
            #expect(outcome.findings == ["ping_doubled"], "\(outcome.end.output)")
            let broken = try await origin.truth()["faults"] as? [String: Int] ?? [:]
            let finding = try #require(outcome.finding("ping_doubled"))
            #expect(broken["ping_doubled"] == Int(finding.count))
            #expect(finding.count < count("asset_list", outcome))
            #expect(outcome.document.viewers["beacons_sent"] == 0 && count("beacon", outcome) == 0)
        }
    }

    /// The origin ends a session after ten seconds and answers 400 from then on, as MediaTailor does.
    @Test func aSessionThatExpiresIsFollowedByAnother() async throws {
        let yaml = Self.yaml("media-tailor-explicit", breaks: Self.scheduled, more: ", sessionValidity: 10s")
            .replacing("duration: 12s", with: "duration: 16s")
        // Who is late by a second comes with a session that is over.
        let outcome = try await Patience.agreeing {
            try await Rehearsal(yaml).run(limit: .seconds(240))
        } on: {
            count("registration", $0) == 40 && count("multivariant", $0) == 40
        }
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
