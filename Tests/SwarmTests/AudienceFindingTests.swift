import AdServing
import HLS
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing
import Time
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// What shows only when viewers are held against each other: for each code the case that is found beside the nearest one
/// that is not.
@Suite struct AudienceFindingTests {}

/// Viewers of one loop that are given playlists as a test says.
struct AudienceScript {
    static let base = ScriptedViewer.wallStart.microseconds / 1_000_000 / 2 * 2 + 2

    /// What a viewer's next poll is answered with.
    struct Answer {
        var first: Int
        var count = 8
        /// Attributes of the break's date range; nil for none.
        var range: String?
        var extra = ""
        var uri: (Int) -> String = { "\($0).m4s" }

        var text: String {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(extra)"
            if let range { text += "#EXT-X-DATERANGE:\(range)\n" }
            for number in first..<first + count {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(AudienceScript.date(of: number).iso8601)\n#EXTINF:2,\n"
                text += "\(uri(number))\n"
            }
            return text
        }
    }

    static func date(of number: Int) -> WallTime {
        WallTime(microseconds: (Self.base + Int64(number) * 2) * 1_000_000)
    }

    /// The break begins with segment 20.
    static func range(_ id: String = "break", start: WallTime? = nil, _ more: String = "") -> String {
        let date = (start ?? Self.date(of: 20)).iso8601
        return "ID=\"\(id)\",START-DATE=\"\(date)\",PLANNED-DURATION=8,SCTE35-OUT=0xFC00\(more)"
    }

    /// Gives each viewer one answer after the other, and says what was found; the viewer and the poll are its arguments.
    ///
    /// A viewer that has no answer does not poll, such as one that has not joined yet.
    static func findings(
        viewers: Int = 5,
        polls: Range<Int>,
        sentAt: @escaping @Sendable (Int, Int) -> Int64 = { _, poll in Int64(poll) * 2_000_000_000 },
        _ answer: @escaping @Sendable (Int, Int) -> Answer?
    ) async throws -> [Finding] {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
        }
        let found = Collected()
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, viewers: viewers, identifiesViewers: true, loop: loop)
            scripted.join()
            for poll in polls {
                for index in 0..<viewers {
                    guard let answer = answer(index, poll) else { continue }
                    let viewer = scripted.crowd.viewers[index]
                    Self.give(
                        answer.text,
                        at: scripted.start.later(by: sentAt(index, poll)),
                        viewer,
                        index: index,
                        scripted.crowd
                    )
                }
            }
            // The scripted playlists keep few of the rules that other suites look at.
            found.findings = RunTotals(merging: [scripted.crowd.recorder.finish()]).findings
                .filter { $0.code.group.isOfAds }
        }
        return found.findings
    }

    private final class Collected: @unchecked Sendable {
        var findings: [Finding] = []
    }

    /// An answer to the viewer's poll, as it comes from the transport.
    private static func give(_ text: String, at sentAt: Instant, _ viewer: ViewerSlot, index: Int, _ crowd: Crowd) {
        let request = viewer.machine.requestIndex(of: .video)
        let token = CrowdToken(index: index, detail: ViewerRole.playlist.rawValue, request: request).rawValue
        Array(text.utf8).withUnsafeBytes { bytes in
            crowd.transferFinished(
                token: token,
                TransferResult(
                    failure: nil,
                    status: 200,
                    body: bytes,
                    plannedAt: sentAt,
                    sentAt: sentAt,
                    firstByteAt: sentAt.later(by: .milliseconds(1)),
                    doneAt: sentAt.later(by: .milliseconds(1)),
                    effectiveURL: viewer.machine.playlistURL
                )
            )
        }
    }
}

extension AudienceFindingTests {
    private func codes(_ findings: [Finding]) -> [String] { findings.map(\.code.code).sorted() }

    /// One playlist for everybody, with the break in it from segment 14 on.
    private static func common(_ poll: Int) -> AudienceScript.Answer {
        .init(first: poll, range: (6..<26).contains(poll) ? AudienceScript.range() : nil)
    }

    @Test func viewersThatAreGivenTheSameFindNothing() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { _, poll in Self.common(poll) }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func edgesOneUpdateApartFindNothing() async throws {
        let findings = try await AudienceScript.findings(polls: 2..<30) { viewer, poll in
            Self.common(poll - (viewer + poll) % 2)
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func breakStartDiffers() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            let late = AudienceScript.date(of: 20) + .milliseconds(500)
            if viewer < 2, answer.range != nil { answer.range = AudienceScript.range(start: late) }
            return answer
        }
        #expect(codes(findings) == ["break_start_differs"], "\(findings)")
        let finding = try #require(findings.first)
        #expect(finding.viewers.count == 2 && finding.viewersAsked == 5 && finding.breakKey == "break")
        #expect(finding.first?.evidence.expected.contains("as 3 viewers were told") == true)
        #expect(finding.first?.evidence.observed.contains("START-DATE=") == true)
    }

    /// The other packager of a pair rounds to frames of its own; another start is one that no rounding makes.
    @Test(arguments: [(33, []), (60, ["break_start_differs"])] as [(Int64, [String])])
    func startsThatAreRoundedAreOne(milliseconds: Int64, expected: [String]) async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            let rounded = AudienceScript.date(of: 20) + .milliseconds(milliseconds)
            if viewer < 2, answer.range != nil { answer.range = AudienceScript.range(start: rounded) }
            return answer
        }
        #expect(codes(findings) == expected, "\(findings)")
    }

    @Test func breakAnnouncementDiffers() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer == 4, answer.range != nil { answer.range = AudienceScript.range("other") }
            return answer
        }
        #expect(codes(findings) == ["break_announcement_differs"], "\(findings)")
        #expect(findings.first?.viewers.count == 1 && findings.first?.breakKey == "break")
    }

    @Test func attributesThatDifferAreFoundAndThoseThatComeLaterAreNot() async throws {
        let differing = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer < 2, answer.range != nil { answer.range = AudienceScript.range("break", ",X-COLOUR=\"b\"") }
            if viewer > 2, answer.range != nil { answer.range = AudienceScript.range("break", ",X-COLOUR=\"a\"") }
            return answer
        }
        #expect(codes(differing) == ["break_announcement_differs"], "\(differing)")
        let augmented = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer < 2, poll > 10, answer.range != nil {
                answer.range = AudienceScript.range("break", ",X-COLOUR=\"b\"")
            }
            return answer
        }
        #expect(augmented.isEmpty, "\(augmented)")
    }

    @Test func breakAnnouncementMissing() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer == 1 { answer.range = nil }
            return answer
        }
        #expect(codes(findings) == ["break_announcement_missing"], "\(findings)")
        #expect(findings.first?.viewers.count == 1 && findings.first?.breakKey == "break")
        let late = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer == 1, poll < 17 { answer.range = nil }
            return answer
        }
        #expect(late.isEmpty, "a late announcement is told of versions, not of the audience: \(late)")
    }

    @Test(
        arguments: [
            (joins: 21, isTold: false, codes: ["break_announcement_missing"]),
            (joins: 21, isTold: true, codes: []),
            // Less than one and a half target durations of the break are left: what is listed may be what follows it.
            (joins: 23, isTold: false, codes: []),
        ]
    )
    func whoJoinsInTheMiddleOfABreakIsToldOfItLikeTheOthers(
        joins: Int,
        isTold: Bool,
        codes expected: [String]
    ) async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            // An edge that is an update behind.
            if viewer == 4 { answer.first -= 1 }
            guard viewer == 4 else { return answer }
            guard poll > joins else { return nil }
            if !isTold { answer.range = nil }
            return answer
        }
        #expect(codes(findings) == expected, "\(findings)")
        #expect(findings.allSatisfy { $0.viewers.count == 1 && $0.viewersAsked == 5 && $0.breakKey == "break" })
    }

    @Test func whoJoinsWhenNobodyIsToldAnyMoreNeedNotBeTold() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            // The date range goes with the segment that the break begins with.
            if poll > 20 { answer.range = nil }
            return viewer == 4 && poll < 21 ? nil : answer
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func whoJoinsAfterAnEarlyReturnNeedNotBeTold() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if poll >= 18, answer.range != nil {
                answer.range = AudienceScript.range("break", ",X-PLAYOUT-LIMIT=2")
            }
            guard viewer == 4 else { return answer }
            guard poll >= 21 else { return nil }
            answer.range = nil
            return answer
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func earlyReturnMissed() async throws {
        @Sendable func cut(_ viewer: Int, _ poll: Int, at first: Int) -> AudienceScript.Answer {
            var answer = Self.common(poll)
            if poll >= first, answer.range != nil {
                answer.range = AudienceScript.range("break", ",X-PLAYOUT-LIMIT=4")
            }
            return answer
        }
        // Three seconds after the first: the answer to a request that left then must know.
        let missed = try await AudienceScript.findings(polls: 1..<24) { viewer, poll in
            cut(viewer, poll, at: viewer == 3 ? 18 : 15)
        }
        #expect(codes(missed) == ["early_return_missed"], "\(missed)")
        #expect(missed.first?.viewers.count == 1 && missed.first?.breakKey == "break")
        let inTime = try await AudienceScript.findings(polls: 1..<24) { viewer, poll in
            cut(viewer, poll, at: viewer == 3 ? 17 : 15)
        }
        #expect(inTime.isEmpty, "\(inTime)")
        let announced = try await AudienceScript.findings(polls: 1..<24) { viewer, poll in
            cut(viewer, poll, at: viewer == 3 ? 20 : 0)
        }
        #expect(announced.isEmpty, "a limit that was there from the start is no early return: \(announced)")
    }

    @Test func edgeTimeTravel() async throws {
        let findings = try await AudienceScript.findings(polls: 4..<16) { viewer, poll in
            Self.common(viewer == 2 && poll == 9 ? 6 : poll)
        }
        #expect(codes(findings) == ["edge_time_travel"], "\(findings)")
        #expect(findings.first?.viewers.count == 1 && findings.first?.count == 1)
    }

    @Test func edgeContentDiffers() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer > 2 { answer.uri = { $0 == 20 || $0 == 21 ? "other/\($0).m4s" : "\($0).m4s" } }
            return answer
        }
        #expect(codes(findings) == ["edge_content_differs"], "\(findings)")
        let finding = try #require(findings.first)
        #expect(finding.viewers.count == 2 && finding.breakKey == "break")
        #expect(finding.first?.evidence.expected.contains("20.m4s") == true)
    }

    @Test func segmentsThatChangeForAViewerAreNotTheEdges() async throws {
        let findings = try await AudienceScript.findings(polls: 1..<30) { viewer, poll in
            var answer = Self.common(poll)
            if viewer > 2, poll > 16 { answer.uri = { $0 == 20 ? "other/\($0).m4s" : "\($0).m4s" } }
            return answer
        }
        #expect(!codes(findings).contains("edge_content_differs"), "\(findings)")
    }

    @Test func foreignStreamId() async throws {
        let findings = try await AudienceScript.findings(viewers: 3, polls: 1..<12) { viewer, poll in
            var answer = Self.common(poll)
            answer.uri = { "\($0).m4s?stream_id=00000000-0000-4000-8000-00000000000\(viewer == 2 ? 1 : viewer)%3ATUL" }
            return answer
        }
        #expect(codes(findings) == ["foreign_stream_id"], "\(findings)")
        #expect(findings.first?.viewers.count == 1)
    }
}

// What viewers were given of a break's ads.
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
                viewer: viewer,
                wallMicroseconds: 0,
                evidence: Evidence(url: "http://a/", expected: "", observed: "\(fingerprint)")
            )
        }
        return RunTotals(merging: [recorder.finish()]).findings
    }

    @Test func podMismatch() throws {
        let own = StreamID("11111111-0000-4000-8000-000000000001:TUL")
        let other = StreamID("11111111-0000-4000-8000-000000000002:TUL")
        func hash(_ viewer: StreamID, _ ad: String) throws -> UInt64 {
            let body = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n\(ad).m4s?stream_id=\(viewer.percentEncoded)\n"
            let played = PlayedContent(address: PlayedAddress(), own: [viewer.rawValue])
            return GivenPod(try Playlist(parsing: Array(body.utf8)), played, own: viewer).fingerprint
        }
        #expect(findings(of: .pod("pod/1"), [try hash(own, "a"), try hash(other, "a")]).isEmpty)
        let found = findings(of: .pod("pod/1"), [try hash(own, "a"), try hash(own, "a"), try hash(other, "b")])
        #expect(found.map(\.code) == [.podMismatch] && found.first?.viewers.count == 1)
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
        #expect(findings(of: .ladder(ofPod: "pod/1"), same).isEmpty)
        let found = findings(of: .ladder(ofPod: "pod/1"), same + [try hash([1], bandwidth: 700)])
        #expect(found.map(\.code) == [.podLadderDiffers] && found.first?.viewers.count == 1)
    }

    @Test func stitchedMismatch() {
        #expect(findings(of: .stitchedAds(rendition: nil), [7, 7, 7]).isEmpty)
        let found = findings(of: .stitchedAds(rendition: nil), [7, 7, 8])
        #expect(found.map(\.code) == [.stitchedMismatch] && found.first?.viewers.count == 1)
    }

    @Test func assetListMismatch() {
        func hash(_ viewer: String, _ ad: String) -> UInt64 {
            let uri = "http://ads/session/\(viewer)/\(ad).m3u8?ad=\(ad)&token=\(viewer)x&_HLS_primary_id=\(viewer)"
            let list = AssetList(assets: [.init(uri: uri, duration: .seconds(10))])
            return PlayedContent(address: PlayedAddress(), own: [viewer]).fingerprint(of: list)
        }
        let list = ComparedContent.assetList("break")
        #expect(findings(of: list, [hash("one", "a"), hash("two", "a")]).isEmpty)
        let found = findings(of: list, [hash("one", "a"), hash("one", "a"), hash("two", "b")])
        #expect(found.map(\.code) == [.assetListMismatch] && found.first?.viewers.count == 1)
        let shorter = AssetList(assets: [.init(uri: "http://ads/a", duration: .seconds(9))])
        let longer = AssetList(assets: [.init(uri: "http://ads/a", duration: .seconds(10))])
        let played = PlayedContent(address: PlayedAddress(), own: [])
        #expect(played.fingerprint(of: shorter) != played.fingerprint(of: longer))
    }
}
