import HLS
import Profile
import Results
import Rules
import Testing
import Values

@testable import AdServing
@testable import Audit
@testable import Swarm
@testable import Viewer

/// Faults that show only when viewers are compared: for each code the case that is found beside the nearest one that is
/// not.
@Suite struct AudienceFindingTests {
    /// Answer to a viewer's poll: eight segments of two seconds, with a break that begins with segment 20.
    struct Answer {
        struct Tag {
            var id = "break"
            var delay = Duration.zero
            var more = ""
        }

        var first: Int
        /// The break's date range; nil for none.
        var tag: Tag?
        var name: (Int) -> String = { "\($0).m4s" }

        /// Answer that all are given at a poll: the break is listed from segment 14 on.
        init(_ poll: Int) {
            first = poll
            tag = (6..<26).contains(poll) ? Tag() : nil
        }

        var text: String {
            let header = tag.map { tag in
                let start = (ScriptedCrowd.wallStart + .seconds(42) + tag.delay).iso8601
                return
                    "#EXT-X-DATERANGE:ID=\"\(tag.id)\",START-DATE=\"\(start)\",PLANNED-DURATION=8,SCTE35-OUT=0xFC00\(tag.more)\n"
            }
            return AnswerBody.media(first, 8, header: header ?? "", date: Double(first) * 2 + 2, name: name)
        }
    }

    /// Gives each viewer one answer after the other, two seconds apart, and changes what all are given by viewer and poll.
    ///
    /// A viewer joins at the poll `joins` says of it.
    ///
    /// - Returns: What was found, but for rules of playlists alone, of which the scripted ones keep few.
    private func found(
        viewers: Int = 5,
        polls: Range<Int> = 1..<30,
        joins: [Int: Int] = [:],
        _ change: (Int, Int, inout Answer) -> Void
    ) -> [Finding] {
        let plan = LoadPlan.forTests { $0.breaks.source = .dateRange(classAttribute: nil) }
        let crowd = ScriptedCrowd(plan, viewers: viewers, identifiesViewers: true)
        crowd.advance(seconds: Double(polls.lowerBound) * 2)
        for poll in polls {
            for index in 0..<viewers where poll >= joins[index, default: polls.lowerBound] {
                var answer = Answer(poll)
                change(index, poll, &answer)
                if crowd.slot(index).machine.phase == .waiting {
                    crowd.join(index)
                    crowd.answer(.registration, of: index)
                    crowd.answer(.multivariant, of: index)
                }
                crowd.answer(.playlist, answer.text, of: index)
            }
            crowd.advance(seconds: 2)
        }
        return crowd.findings
    }

    /// Expects one code, of viewers and of the break; nil: nothing is found.
    private func expect(_ code: String?, of viewers: Int = 1, in breakKey: String? = "break", _ findings: [Finding]) {
        #expect(findings.map(\.code.code) == (code.map { [$0] } ?? []), "\(findings)")
        #expect(findings.allSatisfy { $0.viewers.count == viewers && $0.breakKey == breakKey })
    }

    @Test func viewersThatAreGivenTheSameFindNothing() {
        expect(nil, found { _, _, _ in })
        // Edges that are one update apart.
        expect(nil, found(polls: 2..<30) { viewer, poll, answer in answer = Answer(poll - (viewer + poll) % 2) })
    }

    @Test func breakStartDiffers() throws {
        let found = found { viewer, _, answer in if viewer < 2 { answer.tag?.delay = .milliseconds(500) } }
        expect("break_start_differs", of: 2, found)
        let evidence = try #require(found.first?.first?.evidence)
        #expect(found.first?.viewersAsked == 5)
        #expect(evidence.expected.contains("as 3 viewers were told") && evidence.observed.contains("START-DATE="))
    }

    @Test func breakAnnouncementDiffers() {
        expect("break_announcement_differs", found { viewer, _, answer in if viewer == 4 { answer.tag?.id = "other" } })
        let differing = found { viewer, _, answer in
            if viewer < 2 { answer.tag?.more = ",X-COLOUR=\"b\"" }
            if viewer > 2 { answer.tag?.more = ",X-COLOUR=\"a\"" }
        }
        #expect(differing.map(\.code) == [.breakAnnouncementDiffers], "\(differing)")
        // Attributes may come later.
        expect(nil, found { viewer, poll, answer in if viewer < 2, poll > 10 { answer.tag?.more = ",X-COLOUR=\"b\"" } })
    }

    @Test func breakAnnouncementMissing() {
        expect("break_announcement_missing", found { viewer, _, answer in if viewer == 1 { answer.tag = nil } })
        // A late announcement is told of versions, not of the audience.
        expect(nil, found { viewer, poll, answer in if viewer == 1, poll < 17 { answer.tag = nil } })
    }

    /// With less than one and a half target durations of the break left, what is listed may be what follows it.
    @Test(
        arguments: [
            (22, isTold: false, "break_announcement_missing"), (22, isTold: true, nil), (24, isTold: false, nil),
        ] as [(Int, isTold: Bool, String?)]
    )
    func whoJoinsInTheMiddleOfABreakIsToldOfItLikeTheOthers(poll: Int, isTold: Bool, code: String?) {
        let found = found(joins: [4: poll]) { viewer, _, answer in
            guard viewer == 4 else { return }
            // An edge that is an update behind.
            answer.first -= 1
            if !isTold { answer.tag = nil }
        }
        expect(code, found)
        #expect(found.allSatisfy { $0.viewersAsked == 5 })
    }

    @Test func whoJoinsWhenNobodyIsToldAnyMoreNeedNotBeTold() {
        // The date range goes with the segment that the break begins with.
        expect(nil, found(joins: [4: 21]) { _, poll, answer in if poll > 20 { answer.tag = nil } })
        // After an early return.
        let returned = found(joins: [4: 21]) { viewer, poll, answer in
            if poll >= 18 { answer.tag?.more = ",X-PLAYOUT-LIMIT=2" }
            if viewer == 4 { answer.tag = nil }
        }
        expect(nil, returned)
    }

    /// Three seconds after the first the answer to a request that left then must know; a limit that was there from the start
    /// is no early return.
    @Test(arguments: [(15, 18, "early_return_missed"), (15, 17, nil), (0, 20, nil)] as [(Int, Int, String?)])
    func earlyReturnMissed(first: Int, late: Int, code: String?) {
        let found = found(polls: 1..<24) { viewer, poll, answer in
            if poll >= (viewer == 3 ? late : first) { answer.tag?.more = ",X-PLAYOUT-LIMIT=4" }
        }
        expect(code, found)
    }

    @Test func edgeTimeTravel() {
        let found = found(polls: 4..<16) { viewer, poll, answer in if viewer == 2, poll == 9 { answer = Answer(6) } }
        #expect(found.map(\.code) == [.edgeTimeTravel] && found.first?.viewers.count == 1, "\(found)")
        #expect(found.first?.count == 1)
    }

    @Test func edgeContentDiffers() {
        func other(_ number: Int, _ last: Int) -> String {
            (20...last).contains(number) ? "other/\(number).m4s" : "\(number).m4s"
        }
        let differing = found { viewer, _, answer in if viewer > 2 { answer.name = { other($0, 21) } } }
        expect("edge_content_differs", of: 2, differing)
        #expect(differing.first?.first?.evidence.expected.contains("20.m4s") == true)
        // Segments that change for a viewer are not the edge's.
        let changing = found { viewer, poll, answer in if viewer > 2, poll > 16 { answer.name = { other($0, 20) } } }
        #expect(!changing.contains { $0.code == .edgeContentDiffers }, "\(changing)")
    }

    @Test func foreignStreamId() {
        let found = found(viewers: 3, polls: 1..<12) { viewer, _, answer in
            let id = AnswerBody.streamID(viewer == 2 ? 1 : viewer).replacing(":", with: "%3A")
            answer.name = { "\($0).m4s?stream_id=\(id)" }
        }
        #expect(found.map(\.code) == [.foreignStreamID] && found.first?.viewers.count == 1, "\(found)")
    }
}

extension AudienceFindingTests {
    /// The findings of a break in which each viewer observed a fingerprint.
    private func findings(of content: ComparedContent, _ fingerprints: [UInt64]) -> [Finding] {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "break", start: 1_000, durationMilliseconds: 1)
        for (viewer, fingerprint) in fingerprints.enumerated() {
            recorder.podObserved(
                slot,
                content,
                fingerprint: fingerprint,
                at: ViewerMoment(viewer: viewer, wallMicroseconds: 0),
                evidence: Evidence(url: "http://a/", observed: "\(fingerprint)")
            )
        }
        return RunTotals(merging: [recorder.whole()]).findings
    }

    /// Expects nothing of the first two fingerprints, and a code for the last viewer where there is a third.
    private func expect(_ code: String, of content: ComparedContent, _ fingerprints: [UInt64]) {
        #expect(findings(of: content, Array(fingerprints.prefix(2))).isEmpty)
        let found = findings(of: content, fingerprints)
        #expect(found.map(\.code.code) == [code] && found.first?.viewers.count == 1)
    }

    @Test func podMismatch() throws {
        let own = StreamID("11111111-0000-4000-8000-000000000001:TUL")
        let other = StreamID("11111111-0000-4000-8000-000000000002:TUL")
        func hash(_ viewer: StreamID, _ ad: String) throws -> UInt64 {
            let body = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n\(ad).m4s?stream_id=\(viewer.percentEncoded)\n"
            let played = PlayedContent(address: PlayedAddress(), own: [viewer.rawValue])
            return GivenPod(try Playlist(parsing: Array(body.utf8)), played, own: viewer).fingerprint
        }
        expect("pod_mismatch", of: .pod("pod/1"), [try hash(own, "a"), try hash(other, "a"), try hash(other, "b")])
    }

    @Test func podLadderDiffers() throws {
        func hash(_ rungs: [Int], bandwidth: Int) throws -> UInt64 {
            let variants = rungs.map {
                "#EXT-X-STREAM-INF:BANDWIDTH=\($0 * bandwidth),RESOLUTION=\($0 * 320)x\($0 * 180)\n/\(bandwidth)/\($0).m3u8\n"
            }
            let body = "#EXTM3U\n" + variants.joined()
            return Ladder(try MultivariantPlaylist.parsed(body)).fingerprint
        }
        let same = [try hash([1, 2], bandwidth: 700), try hash([2, 1], bandwidth: 900)]
        expect("pod_ladder_differs", of: .ladder(ofPod: "pod/1"), same + [try hash([1], bandwidth: 700)])
    }

    @Test func stitchedMismatch() { expect("stitched_mismatch", of: .stitchedAds(rendition: nil), [7, 7, 8]) }

    @Test func assetListMismatch() {
        func hash(_ viewer: String, _ ad: String) -> UInt64 {
            let uri = "http://ads/session/\(viewer)/\(ad).m3u8?ad=\(ad)&token=\(viewer)x&_HLS_primary_id=\(viewer)"
            let list = AssetList(assets: [.init(uri: uri, duration: .seconds(10))])
            return PlayedContent(address: PlayedAddress(), own: [viewer]).fingerprint(of: list)
        }
        expect("asset_list_mismatch", of: .assetList("break"), [hash("one", "a"), hash("two", "a"), hash("two", "b")])
        let lists = [9, 10].map { AssetList(assets: [.init(uri: "http://ads/a", duration: .seconds($0))]) }
        #expect(Set(lists.map(PlayedContent(address: PlayedAddress(), own: []).fingerprint)).count == 2)
    }
}
