import AdServing
import Breaks
import Foundation
import LoadProfile
import Recording
import Rulebook
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

// What goes wrong with metadata and tracking pings.
extension SessionFindingTests {
    private static let tags = [("m-start", "start"), ("m-first", "firstquartile"), ("m-progress", "progress")]

    /// A viewer whose first ping is on its way.
    private static func pinging(_ probe: SessionProbe) {
        probe.play()
        probe.pollMetadata()
        probe.transport.answer(.metadata, body: SessionProbe.metadata(Self.tags))
    }

    /// What is found where the first ping, of what metadata lists, is answered so.
    private func findings(
        ofPing status: Int,
        failure: TransportFailure? = nil,
        after time: Duration = .zero,
        plan: LoadPlan = .forTests { $0.listWholeMediaIDs() }
    ) async throws -> [String] {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(plan: plan, loop: loop)
            let key = probe.breakKey
            Self.pinging(probe)
            #expect(probe.transport.answer(.verification, status: status, failure: failure, after: time))
            return probe.findings.map { $0.replacing(" in \(key)", with: " in the break") }
        }
    }

    @Test func verificationNotFound() async throws {
        #expect(try await findings(ofPing: 404) == ["verification_not_found in the break"])
        #expect(try await findings(ofPing: 204) == [])
        #expect(try await findings(ofPing: 404, plan: .forTests()) == [], "what is listed may be a prefix")
    }

    /// Nobody knows whether what is listed is an id, until it was recorded for somebody.
    @Test(arguments: [404, 204])
    func aListedIDIsWholeWhereItWasRecordedForSomebody(first status: Int) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests { $0.audience.viewers = 2 }, viewers: 2, loop: loop)
            for index in 0..<2 {
                let join = CrowdToken(index: index, detail: CrowdToken.join)
                scripted.crowd.timerFired(token: join.rawValue, deadline: scripted.start)
                scripted.answer()
                for timer in [ViewerTimer.metadata, .breakFetch, .breakStart] {
                    scripted.fire(timer, index: index)
                    scripted.answer()
                }
                scripted.fire(.metadata, index: index)
                scripted.transport.answer(.metadata, body: SessionProbe.metadata(Self.tags))
                #expect(scripted.transport.answer(.verification, status: index == 0 ? status : 404))
            }
            let totals = scripted.crowd.recorder.finish()
            #expect(totals.findings.count(of: "verification_not_found") == (status == 204 ? 1 : 0))
            #expect(totals.counters[Int(ViewerCounter.pingsOfPrefixes.rawValue)] == (status == 204 ? 0 : 2))
        }
    }

    @Test func verificationDeferred() async throws {
        #expect(try await findings(ofPing: 202) == ["verification_deferred in the break"])
        #expect(try await findings(ofPing: 200) == [])
    }

    @Test func pingLost() async throws {
        #expect(try await findings(ofPing: 503) == ["ping_lost in the break"])
        #expect(try await findings(ofPing: 0, failure: .firstByteTimeout) == ["ping_lost in the break"])
        let stalled = try await findings(ofPing: 0, failure: .firstByteTimeout, after: .seconds(3_600))
        #expect(stalled == [], "the answer may have been there while this machine stood still")
        #expect(try await findings(ofPing: 0, failure: .abandoned) == [], "the viewer left")
        #expect(try await findings(ofPing: 0, failure: .localResources) == [], "this machine ran out")
        for refusal in [400, 401, 403, 429] {
            #expect(try await findings(ofPing: refusal) == ["ping_lost in the break"], "\(refusal)")
        }
        #expect(try await findings(ofPing: 410) == [], "the session is over")
        #expect(try await findings(ofPing: 409) == [], "somebody else has sent it")
        #expect(try await findings(ofPing: 204) == [])
    }

    @Test func verificationNotFoundSaysWhereTheIDCameFrom() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let listed = try SessionProbe(plan: .forTests { $0.listWholeMediaIDs() }, loop: loop)
            Self.pinging(listed)
            listed.transport.answer(.verification, status: 404)
            let observed = "status 404 to what metadata lists, which the profile calls whole"
            let named = "204 to a media id that metadata lists"
            #expect(listed.evidence.contains { $0.observed == observed && $0.expected == named })
            let carried = try SessionProbe(plan: .forTests { $0.playback.segments = .ads }, loop: loop)
            Self.playCarrying("google_m-1", carried)
            carried.transport.answer(.verification, status: 404)
            let own = "status 404 to the id in the ad's own timed metadata"
            let borne = "204 to a media id that the ad itself carries"
            #expect(carried.evidence.contains { $0.observed == own && $0.expected == borne })
        }
    }

    /// Brings a viewer that loads ads to the first of them, which carries an id.
    private static func playCarrying(_ id: String, _ probe: SessionProbe) {
        probe.askForPod()
        probe.transport.answer(
            .podManifest,
            body: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.ts\n#EXT-X-ENDLIST\n"
        )
        probe.transport.answer(.podSegment, body: MediaIDCueTests.tag(id))
        probe.scripted.fire(.breakStart)
    }

    @Test func mediaIDUnlisted() async throws {
        try await ScriptedCrowd.onLoop { loop in
            for (prefix, isFound) in [("google_m", false), ("google_other", true)] {
                let probe = try SessionProbe(plan: .forTests { $0.playback.segments = .ads }, loop: loop)
                let key = probe.breakKey
                Self.playCarrying("google_m-1", probe)
                let pinged = probe.transport.requests(.verification).map(\.url)
                #expect(pinged == ["http://127.0.0.1:8080/verify/google_m-1"])
                probe.pollMetadata()
                probe.transport.answer(.metadata, body: SessionProbe.metadata([(prefix, "start")]))
                #expect(probe.findings == (isFound ? ["media_id_unlisted in \(key)"] : []))
                #expect(probe.count(.mediaIDUnlisted) == (isFound ? 1 : 0))
            }
        }
    }

    @Test func metadataLag() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let lagging = try SessionProbe(loop: loop)
            let key = lagging.breakKey
            lagging.play()
            for _ in 0..<2 {
                lagging.pollMetadata()
                lagging.transport.answer(.metadata, body: #"{"tags":{}}"#)
            }
            #expect(lagging.findings == ["metadata_lag in \(key)"])
            #expect(lagging.count(.metadataLag) == 1)

            let knowing = try SessionProbe(loop: loop)
            Self.pinging(knowing)
            #expect(knowing.findings == [])

            let early = try SessionProbe(loop: loop)
            early.askForPod()
            early.scripted.answer()
            early.pollMetadata()
            early.scripted.fire(.breakStart)
            early.transport.answer(.metadata, body: #"{"tags":{}}"#)
            #expect(early.findings == [], "it was asked before the first ad began")
        }
    }

    @Test(arguments: [1, 2])
    func pingDoubledInADateRange(times: Int) throws {
        let tracking = Array(repeating: #"{"type":"start","urls":["http://127.0.0.1/p"]}"#, count: times)
        let item = #"{"duration":5,"tracking":[\#(tracking.joined(separator: ","))]}"#
        let signaling = Data(#"{"version":2,"type":"slot","payload":[\#(item)]}"#.utf8).base64EncodedString()
        let listed = InterstitialChannel.list("a", at: 20, "X-AD-CREATIVE-SIGNALING=\"\(signaling)\"")
        var channel = try InterstitialChannel([listed])
        try channel.run(seconds: 12)
        let found = channel.viewer.eventNotes.filter {
            if case .finding(.pingDoubled, _, _) = $0.1 { true } else { false }
        }
        #expect(found.map(\.0) == (times == 2 ? ["a"] : []))
        let offer = try #require(channel.viewer.machine.breaks.breaks.list.first?.offer as? ScheduledInterstitial)
        #expect(offer.doubledEvent == (times == 2 ? "start" : nil))
    }

    @Test func pingDoubled() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let doubled = try SessionProbe(loop: loop)
            let key = doubled.breakKey
            doubled.play()
            doubled.pollMetadata()
            let again = Self.tags + [("m-start-again", "start")]
            doubled.transport.answer(.metadata, body: SessionProbe.metadata(again))
            #expect(doubled.findings == ["ping_doubled in \(key)"])

            let once = try SessionProbe(loop: loop)
            once.play()
            once.pollMetadata()
            once.transport.answer(.metadata, body: SessionProbe.metadata(Self.tags + [("m-progress-2", "progress")]))
            #expect(once.findings == [], "progress may have any number of media ids")
        }
    }
}
