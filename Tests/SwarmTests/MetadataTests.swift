import AdServing
import Profile
import Rules
import Testing
import Transport
import Values

@testable import Audit
@testable import Swarm
@testable import Viewer

/// Pings whose session is renewed meanwhile; metadata polls and the pings that wait for them are cases of `metadata`.
@Suite struct MetadataTests {
    @Test func pingsGoToTheSessionThatThePodWasAskedForWith() {
        let viewer = ScriptedCrowd.inAds()
        let steps = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        let tags = [0, 1].flatMap { ad in steps.map { ("m\(ad)-\($0)", ad, $0) } }
        viewer.answer(.metadata, AnswerBody.metadata(tags))
        viewer.fireNow(.renewal)
        let json = #"{"stream_id":"b","media_verification_url":"http://127.0.0.1:8080/other/","metadata_url":"/m"}"#
        viewer.answer(.registration, json)
        viewer.advance(seconds: 12)
        #expect(viewer.machine.streamID == StreamID("b"))
        #expect(!viewer.machine.session.isPing("http://127.0.0.1:8080/verify/0/a"))
        #expect(viewer.machine.session.isPing("http://127.0.0.1:8080/other/a"))
        #expect(viewer.pings().count == 10)
        let urls = viewer.urls(.verification)
        #expect(urls.allSatisfy { $0.hasPrefix("http://127.0.0.1:8080/verify/0/") }, "\(urls)")
    }
}

/// Pings whose ids come from the ads themselves, each at its own time.
@Suite struct MediaIDCueTests {
    private static func plan(_ share: Double) -> LoadPlan {
        .forTests {
            $0.playback.segments = .ads
            $0.playback.timedMetadataShare = share
        }
    }

    /// A viewer at the start of a pod of two ads of five seconds, whose segments carry ids at seconds of them.
    ///
    /// Nil says that nobody has read the segment; `elsewhere` that other ads carry ids.
    private static func viewer(_ segments: [[(String, Double)]?], share: Double = 1, elsewhere: Bool = false)
        -> ScriptedCrowd
    {
        let viewer = ScriptedCrowd.inAds(plan(share))
        for cues in segments {
            let ids = viewer.slot().record.adSegment?.mediaIDs
            if elsewhere { ids?.tell([MediaIDCue("google_z", offsetMicroseconds: 0)]) }
            if let cues = cues ?? (elsewhere ? [] : nil) {
                ids?.tell(cues.map { MediaIDCue($0.0, offsetMicroseconds: Int64($0.1 * 1_000_000)) })
            }
            viewer.answer(.podSegment)
        }
        return viewer
    }

    private static func findings(_ viewer: ScriptedCrowd) -> [FindingCode] {
        viewer.notes.compactMap { if case .finding(let code, _, _) = $0 { code } else { nil } }
    }

    @Test func aPingGoesOutAtItsCueWhetherMetadataHaveComeOrNot() {
        let first = [("google_a", 0), ("google_b", 1.3), ("google_c", 4.9)]
        let viewer = Self.viewer([first, [("google_d", 0), ("google_e", 4.9)]])
        let pings = viewer.pings(seconds: 11)
        #expect(pings == ["google_a 0.0", "google_b 1.3", "google_c 4.9", "google_d 5.0", "google_e 9.9"])
        #expect(viewer.counted(.pingsSent) == 5)
        #expect(Self.findings(viewer).isEmpty)
    }

    @Test func progressIsNotPinged() {
        let viewer = Self.viewer([[("google_start_1", 0), ("google_progress_1", 1), ("google_mid_1", 2.5)], nil])
        #expect(viewer.machine.wantsMetadata)
        let tags = [("google_start", 0, "start"), ("google_progress", 0, "progress"), ("google_mid", 0, "midpoint")]
        viewer.answer(.metadata, AnswerBody.metadata(tags))
        #expect(viewer.pings(seconds: 4) == ["google_start_1 0.0", "google_mid_1 2.5"])
        #expect(Self.findings(viewer).isEmpty)
    }

    @Test(arguments: [true, false])
    func anIDOfAListedAdThatBeginsWithNoPrefixIsFoundOnceAndPinged(isMetadataFirst: Bool) {
        let viewer = Self.viewer([[("google_a", 1), ("google_b", 2)], [("google_c", 0)]])
        let metadata = AnswerBody.metadata([("google_x", 0, "start")])
        if isMetadataFirst { viewer.answer(.metadata, metadata) }
        #expect(Self.findings(viewer).isEmpty, "the playhead is not there yet")
        var pings = viewer.pings(seconds: 3)
        if !isMetadataFirst {
            #expect(Self.findings(viewer).isEmpty, "nothing is known of the ad")
            viewer.answer(.metadata, metadata)
        }
        #expect(Self.findings(viewer).map(\.code) == ["media_id_unlisted"])
        pings += viewer.pings(seconds: 4)
        #expect(pings == ["google_a 1.0", "google_b 2.0", "google_c 2.0"], "the second ad is not listed")
        #expect(Self.findings(viewer).count == 1)
    }

    @Test func whatSomebodyIsStillReadingIsWaitedFor() throws {
        let viewer = ScriptedCrowd.inAds(.forTests { $0.playback.segments = .ads })
        let ids = try #require(viewer.slot().record.adSegment?.mediaIDs)
        viewer.answer(.podSegment)
        viewer.answer(.podSegment)
        // Its reader got no body; now another viewer reads.
        #expect(ids.claim() && !ids.claim())
        let tags = [("google_a", 0, "start"), ("google_b", 0, "firstquartile")]
        viewer.answer(.metadata, AnswerBody.metadata(tags))
        #expect(viewer.pings(seconds: 1) == [])
        let late = MediaIDCue("google_b1", offsetMicroseconds: 2_000_000)
        ids.tell([MediaIDCue("google_a1", offsetMicroseconds: 0), late])
        #expect(viewer.pings(seconds: 4) == ["google_a1 0.3", "google_b1 1.0"], "with whatever is due next")
        #expect(viewer.counted(.pingsSent) == 2)
    }

    @Test(arguments: [([], 1), (nil, 1), (nil, 0)] as [([(String, Double)]?, Double)])
    func anAdThatCarriesNoneIsPingedByWhatMetadataLists(cues: [(String, Double)]?, share: Double) {
        let viewer = Self.viewer([cues, cues], share: share)
        viewer.answer(.metadata, AnswerBody.metadata([("google_a", 0, "start"), ("google_b", 1, "start")]))
        #expect(viewer.pings(seconds: 6) == ["google_a 0.0", "google_b 5.0"])
    }

    @Test func whereOtherAdsCarryIDsAPrefixAloneIsNotPinged() {
        let viewer = Self.viewer([[], nil], elsewhere: true)
        viewer.answer(.metadata, AnswerBody.metadata([("google_a", 0, "start")]))
        #expect(viewer.pings(seconds: 6) == [])
        viewer.watch(seconds: 20)
        #expect(viewer.counted(.pingsLost) > 0, "each event, when the next pod is asked for")
    }

    @Test func aClockThatIsWrongMovesNoCueOutOfItsSegment() {
        let viewer = Self.viewer([[("google_a", -50), ("google_b", 1e9)], nil])
        #expect(viewer.pings(seconds: 6) == ["google_a 0.0", "google_b 5.0"])
    }

    // MARK: Who reads

    @Test func nobodyReadsWhatMayNotBePinged() {
        let changes: [(inout LoadPlan) -> Void] = [
            { _ in }, { $0.impressions = .withheld }, { $0.impressions = .sink("http://127.0.0.1:9000") },
            { $0.playback.sendsVerificationPings = false }, { $0.playback.timedMetadataShare = 0 },
            { $0.playback.segments = .content },
        ]
        let reads = changes.map { change in
            let plan = LoadPlan.forTests {
                $0.playback.segments = .all
                change(&$0)
            }
            return ScriptedCrowd(plan).plan.readsTimedMetadata
        }
        #expect(reads == [true, false, false, false, false, false])
    }

    /// A tag with one id, as text: every byte of it is one of ASCII.
    static func tag(_ id: String) -> String {
        let size = Character(Unicode.Scalar(UInt8(id.utf8.count + 2)))
        let whole = Character(Unicode.Scalar(UInt8(id.utf8.count + 12)))
        return "ID3\u{4}\0\0\0\0\0\(whole)TXXX\0\0\0\(size)\0\0\u{3}\0\(id)"
    }

    @Test(
        arguments: [(1, [true, false, false], pings: 3), (0, [false, false, false], 0)]
            as [(Double, [Bool], pings: Int)]
    )
    func oneViewerReadsForAllOfItsLoopWhereAnyIsTo(share: Double, kept: [Bool], pings: Int) {
        let crowd = ScriptedCrowd.allWatching(Self.plan(share), viewers: 3)
        crowd.advance(seconds: 20)
        for _ in 0..<3 { crowd.answer(.podManifest, AnswerBody.pod([10], segment: "ts?token=1")) }
        #expect(crowd.transport.sent.filter { $0.role == .podSegment }.map(\.transfer.keepBody) == kept)
        // The last one first: who reads is who asked first.
        for request in crowd.open.filter({ $0.role == .podSegment }).reversed() {
            crowd.answer(request, .init(body: Self.tag("google_0-start-1")))
        }
        crowd.advance(seconds: 3)
        let asked = (0..<3).flatMap { crowd.urls(.verification, of: $0) }
        #expect(asked == (0..<pings).map { "http://127.0.0.1:8080/verify/\($0)/google_0-start-1" })
    }
}
