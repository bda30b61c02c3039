import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Pings whose ids come from the ads themselves, each at its own time.
@Suite struct MediaIDCueTests {
    private static let breakID = "break-1795291220"

    /// What a segment carries, at seconds of it; nil: nobody has read it.
    private static func ids(
        _ cues: [(String, Double)]?,
        _ carried: CarriedMediaIDs = CarriedMediaIDs()
    ) -> SegmentMediaIDs {
        let ids = SegmentMediaIDs(carried)
        if let cues { ids.tell(cues.map { MediaIDCue($0.0, offsetMicroseconds: Int64($0.1 * 1_000_000)) }) }
        return ids
    }

    /// A viewer at the start of a pod of two ads of five seconds, whose segments carry this.
    private static func viewer(_ segments: [SegmentMediaIDs?]) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(.forTests { $0.playback.segments = .ads })
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod()
        for ids in segments {
            let url = viewer.take(.podSegment)
            #expect(url != nil)
            viewer.answer(.segment(ids))
        }
        return viewer
    }

    private static func metadata(_ tags: [(prefix: String, ad: Int, type: String)]) throws -> SessionMetadata {
        let tags = tags.map { #""\#($0.prefix)":{"ad":"a\#($0.ad)","ad_break_id":"\#(breakID)","type":"\#($0.type)"}"# }
        let ads = [0, 1].map { #""a\#($0)":{"ad_break_id":"\#(breakID)","seq":\#($0 + 1)}"# }
        let json = #"{"tags":{\#(tags.joined(separator: ","))},"ads":{\#(ads.joined(separator: ","))}}"#
        return try Array(json.utf8).withUnsafeBytes { try SessionMetadata(json: $0) }
    }

    /// What is pinged in a time, each with the seconds since its beginning.
    private static func pings(_ viewer: inout ScriptedViewer, seconds: Double) -> [String] {
        var pings: [String] = []
        for step in 0...Int(seconds * 10) {
            if step > 0 { viewer.advance(seconds: 0.1) }
            while let url = viewer.take(.verification) {
                pings.append("\(url.dropFirst("http://127.0.0.1:8080/verify/".count)) \(Double(step) / 10)")
                viewer.send(.pingAnswered)
            }
        }
        return pings
    }

    private static func findings(_ viewer: ScriptedViewer) -> [FindingCode] {
        viewer.notes.compactMap { if case .finding(let code, _, _) = $0 { code } else { nil } }
    }

    @Test func aPingGoesOutAtItsCueWhetherMetadataHaveComeOrNot() throws {
        let first = Self.ids([("google_a", 0), ("google_b", 1.3), ("google_c", 4.9)])
        var viewer = try Self.viewer([first, Self.ids([("google_d", 0), ("google_e", 4.9)])])
        let pings = Self.pings(&viewer, seconds: 11)
        #expect(pings == ["google_a 0.0", "google_b 1.3", "google_c 4.9", "google_d 5.0", "google_e 9.9"])
        #expect(viewer.counted(.pingsSent) == 5)
        #expect(Self.findings(viewer).isEmpty)
    }

    @Test func progressIsNotPinged() throws {
        let first = Self.ids([("google_start_1", 0), ("google_progress_1", 1), ("google_mid_1", 2.5)])
        var viewer = try Self.viewer([first, nil])
        #expect(viewer.machine.facts.wantsMetadata)
        let tags = [("google_start", 0, "start"), ("google_progress", 0, "progress"), ("google_mid", 0, "midpoint")]
        viewer.send(.metadata(try Self.metadata(tags)))
        #expect(Self.pings(&viewer, seconds: 4) == ["google_start_1 0.0", "google_mid_1 2.5"])
        #expect(Self.findings(viewer).isEmpty)
    }

    @Test(arguments: [true, false])
    func anIDOfAListedAdThatBeginsWithNoPrefixIsFoundOnceAndPinged(isMetadataFirst: Bool) throws {
        var viewer = try Self.viewer([Self.ids([("google_a", 1), ("google_b", 2)]), Self.ids([("google_c", 0)])])
        let metadata = try Self.metadata([("google_x", 0, "start")])
        if isMetadataFirst { viewer.send(.metadata(metadata)) }
        #expect(Self.findings(viewer).isEmpty, "the playhead is not there yet")
        var pings = Self.pings(&viewer, seconds: 3)
        if !isMetadataFirst {
            #expect(Self.findings(viewer).isEmpty, "nothing is known of the ad")
            viewer.send(.metadata(metadata))
        }
        #expect(Self.findings(viewer).map(\.code) == ["media_id_unlisted"])
        pings += Self.pings(&viewer, seconds: 4)
        #expect(pings == ["google_a 1.0", "google_b 2.0", "google_c 2.0"], "the second ad is not listed")
        #expect(Self.findings(viewer).count == 1)
    }

    @Test func whatSomebodyIsStillReadingIsWaitedFor() throws {
        let ids = Self.ids(nil)
        #expect(ids.claim() && !ids.claim())
        var viewer = try Self.viewer([ids, Self.ids(nil)])
        viewer.send(.metadata(try Self.metadata([("google_a", 0, "start"), ("google_b", 0, "firstquartile")])))
        #expect(Self.pings(&viewer, seconds: 1) == [])
        let late = MediaIDCue("google_b1", offsetMicroseconds: 2_000_000)
        ids.tell([MediaIDCue("google_a1", offsetMicroseconds: 0), late])
        #expect(Self.pings(&viewer, seconds: 4) == ["google_a1 0.3", "google_b1 1.0"], "with whatever is due next")
        #expect(viewer.counted(.pingsSent) == 2)
    }

    @Test func anAdThatCarriesNoneIsPingedByWhatMetadataLists() throws {
        for segment in [Self.ids([]), Self.ids(nil), nil] {
            var viewer = try Self.viewer([segment, segment])
            viewer.send(.metadata(try Self.metadata([("google_a", 0, "start"), ("google_b", 1, "start")])))
            #expect(Self.pings(&viewer, seconds: 6) == ["google_a 0.0", "google_b 5.0"])
        }
    }

    @Test func whereOtherAdsCarryIDsAPrefixAloneIsNotPinged() throws {
        let carried = CarriedMediaIDs()
        _ = Self.ids([("google_z", 0)], carried)
        for segment in [Self.ids([], carried), Self.ids(nil, carried)] {
            var viewer = try Self.viewer([segment, segment])
            viewer.send(.metadata(try Self.metadata([("google_a", 0, "start")])))
            #expect(Self.pings(&viewer, seconds: 6) == [])
            try viewer.watch(seconds: 20)
            #expect(viewer.counted(.pingsLost) > 0, "each event, when the next pod is asked for")
        }
    }

    @Test func aClockThatIsWrongMovesNoCueOutOfItsSegment() throws {
        var viewer = try Self.viewer([Self.ids([("google_a", -50), ("google_b", 1e9)]), nil])
        #expect(Self.pings(&viewer, seconds: 6) == ["google_a 0.0", "google_b 5.0"])
    }

    // MARK: Who reads

    @Test func nobodyReadsWhatMayNotBePinged() {
        func reads(_ change: (inout LoadPlan) -> Void) -> Bool {
            let plan = LoadPlan.forTests {
                $0.playback.segments = .all
                change(&$0)
            }
            return ScriptedViewer(plan).plan.readsTimedMetadata
        }
        #expect(reads { _ in })
        #expect(!reads { $0.impressions = .withheld })
        #expect(!reads { $0.impressions = .sink("http://127.0.0.1:9000") })
        #expect(!reads { $0.playback.sendsVerificationPings = false })
        #expect(!reads { $0.playback.timedMetadataShare = 0 })
        #expect(!reads { $0.playback.segments = .content })
    }

    /// A tag with one id, as text: every byte of it is one of ASCII.
    static func tag(_ id: String) -> String {
        let size = Character(Unicode.Scalar(UInt8(id.utf8.count + 2)))
        let whole = Character(Unicode.Scalar(UInt8(id.utf8.count + 12)))
        return "ID3\u{4}\0\0\0\0\0\(whole)TXXX\0\0\0\(size)\0\0\u{3}\0\(id)"
    }

    /// How many of a crowd's segments of ads have their bodies kept, and what is pinged at once.
    private static func rehearsal(share: Double, viewers: Int) async throws -> (kept: [Bool], pinged: [String]) {
        try await ScriptedCrowd.onLoop { loop in
            let plan = LoadPlan.forTests {
                $0.playback.segments = .ads
                $0.playback.timedMetadataShare = share
            }
            let scripted = try ScriptedCrowd(plan, viewers: viewers, loop: loop)
            let transport = scripted.transport
            scripted.join()
            for index in 0..<viewers { scripted.fire(.breakFetch, index: index) }
            let pod = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/ads/0.ts?token=1\n#EXT-X-ENDLIST\n"
            for _ in 0..<viewers { transport.answer(.podManifest, body: pod) }
            let asked = transport.sent.filter { transport.role($0) == .podSegment }
            // The last one first: who reads is who asked first.
            for _ in 0..<viewers { transport.answer(.podSegment, body: Self.tag("google_0-start-1")) }
            for index in 0..<viewers { scripted.fire(.breakStart, index: index) }
            return (asked.map(\.keepBody), transport.requests(.verification).map(\.url) + pings(transport, viewers))
        }
    }

    private static func pings(_ transport: ScriptedTransport, _ viewers: Int) -> [String] {
        (1..<max(viewers, 1)).flatMap { transport.requests(.verification, index: $0).map(\.url) }
    }

    @Test func oneViewerReadsForAllOfItsLoop() async throws {
        let (kept, pinged) = try await Self.rehearsal(share: 1, viewers: 3)
        #expect(kept == [true, false, false])
        #expect(pinged == (0..<3).map { "http://127.0.0.1:8080/verify/\($0)/google_0-start-1" })
    }

    @Test func nobodyReadsWhereNobodyIsTo() async throws {
        let (kept, pinged) = try await Self.rehearsal(share: 0, viewers: 2)
        #expect(kept == [false, false])
        #expect(pinged == [], "metadata has not come")
    }
}
