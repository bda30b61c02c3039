import Rules
import Testing

@testable import Profile
@testable import Results
@testable import Swarm
@testable import Viewer

/// Faults of the bodies of answers, and beside each the same answers without a flaw.
@Suite struct AnswerFindingTests {
    /// Codes of answers as such.
    private static func codes(_ viewer: ScriptedCrowd) -> [String] {
        viewer.totals.findings.filter { $0.code.group == .answers }.map(\.code.code).sorted()
    }

    /// Expects a code, or nothing, of an answer with flaws to each kind of request.
    private func expect(_ code: String?, _ flaws: AnswerFlaws, failure: TransportFailure? = nil) {
        for role in [ViewerRole.registration, .metadata, .podManifest, .playlist] {
            let viewer = ScriptedCrowd()
            viewer.join()
            if role != .registration {
                viewer.answerAll()
                viewer.fire(role == .metadata ? .metadata : role == .playlist ? .reload : .breakFetch)
            }
            let headers = ["content-length": "19", "content-encoding": "gzip"]
            viewer.answer(role, failure: failure, headers: headers, flaws: flaws)
            #expect(Self.codes(viewer) == (code.map { [$0] } ?? []), "\(role)")
        }
    }

    @Test func contentCodingInvalid() {
        expect("content_coding_invalid", .codingInvalid, failure: .truncated)
        // Its own framing says that it is cut off.
        expect(nil, [], failure: .truncated)
        expect(nil, [])
    }

    @Test func contentLengthInvalid() { expect("content_length_invalid", .lengthInvalid) }

    @Test func contentLengthWithTransferCoding() {
        expect("content_length_with_transfer_coding", .lengthWithTransferCoding)
    }

    @Test func partialContentUnasked() { expect("partial_content_unasked", .partialUnasked) }

    /// The same playlist each time, which is read no more once it is known.
    @Test func eachFlawIsAFindingOfItsOwnInEveryAnswerThatHasIt() {
        let viewer = ScriptedCrowd.allWatching()
        for _ in 0..<3 {
            viewer.fire(.reload)
            viewer.answer(.playlist, flaws: [.lengthInvalid, .lengthWithTransferCoding])
        }
        #expect(Self.codes(viewer) == ["content_length_invalid", "content_length_with_transfer_coding"])
        for code in [FindingCode.contentLengthInvalid, .contentLengthWithTransferCoding] {
            #expect(viewer.findings(code).first?.count == 3)
        }
    }
}

/// Faults of one playlist that show only to a viewer that loads what it lists.
@Suite struct PlaylistAnswerFindingTests {
    /// A viewer that is loading segment 2 of the three from 1 on.
    private static func loading() -> ScriptedCrowd {
        let viewer = ScriptedCrowd.joined(.forTests { $0.playback.segments = .content })
        viewer.answer(.playlist, AnswerBody.media(1, 3))
        viewer.answer(.segment)
        #expect(viewer.first(.segment)?.url == "http://127.0.0.1:8080/live/main/v0/2.m4s")
        return viewer
    }

    /// What this machine or the viewer brought about says nothing of the target.
    @Test(
        arguments: [
            (404, nil, true), (503, nil, true), (403, nil, true), (200, nil, false), (304, nil, false),
            (0, .reset, true), (0, .connectRefused, true), (0, .firstByteTimeout, true),
            (0, .localResources, false), (0, .abandoned, false), (0, .unauthorisedHost, false),
        ] as [(Int, TransportFailure?, Bool)]
    )
    func segmentUnreachable(status: Int, failure: TransportFailure?, isFound: Bool) {
        let viewer = Self.loading()
        viewer.answer(.segment, status: status, failure: failure)
        let found = viewer.findings(.segmentUnreachable)
        #expect(found.map(\.count) == (isFound ? [1] : []))
        #expect(found.allSatisfy { $0.viewers.contains(0) && $0.first?.evidence.url.hasSuffix("/2.m4s") == true })
    }

    /// Two segments of two seconds stay for four seconds at least; what comes later may not be listed any more.
    @Test(arguments: [(3.9, 1), (4.1, 0)])
    func anAnswerThatMayHaveComeAfterTheWindowMovedIsNoFinding(seconds: Double, count: Int) {
        let viewer = Self.loading()
        viewer.answer(.segment, status: 404, after: seconds)
        #expect(viewer.findings(.segmentUnreachable).count == count)
    }

    @Test(arguments: [(2, 1), (3, 0)])
    func aSegmentThatTheNewestVersionDoesNotListIsNoFinding(first: Int, count: Int) {
        let viewer = Self.loading()
        viewer.fire(.reload)
        viewer.answer(.playlist, AnswerBody.media(first, 3))
        viewer.answer(.segment, status: 404)
        #expect(viewer.findings(.segmentUnreachable).count == count)
    }
}

/// Faults of successive versions that show only to a client that knows how each was asked for.
@Suite struct PlaylistVersionFindingTests {
    /// Four segments of four seconds up to `end`, and parts of a second of the one after them.
    private static func playlist(end: Int, parts: Int? = 2, more: String = "", offers: String = "YES") -> String {
        let listed = (0..<(parts ?? 0)).map { "#EXT-X-PART:DURATION=1,URI=\"\(end).\($0).m4s\"\n" }.joined()
        let header =
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=\(offers),PART-HOLD-BACK=3\n"
            + (parts == nil ? "" : "#EXT-X-PART-INF:PART-TARGET=1\n") + more
        return AnswerBody.media(end - 4, 4, seconds: 4, target: 4, header: header) + listed
    }

    private static let dateRange = """
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T20:00:00Z"

        """

    private static func found(_ viewer: ScriptedCrowd) -> [Evidence] {
        viewer.findings(.blockingReloadIgnored).compactMap(\.first?.evidence)
    }

    /// A viewer that waits for what comes after `first`.
    private static func waiting(after first: String) -> ScriptedCrowd {
        let facts = LowLatencyFacts(blocking: .always, skip: .never)
        let viewer = ScriptedCrowd.joined(.watching(.forTests { $0.lowLatency = facts }))
        viewer.answer(.playlist, first)
        return viewer
    }

    /// Advice is no breach, and told all the same.
    @Test func discontinuitySequenceMissing() {
        let viewer = ScriptedCrowd.joined()
        let first = AnswerBody.media(10, 4, header: "#EXT-X-DISCONTINUITY\n")
        for body in [first, AnswerBody.media(11, 4)] {
            viewer.answer(.playlist, body)
            viewer.fire(.reload)
        }
        let evidence = viewer.findings(.discontinuitySequenceMissing).first?.first?.evidence
        #expect(evidence?.observed == "no count after #EXT-X-MEDIA-SEQUENCE:11")
    }

    @Test(arguments: [
        (playlist(end: 10), "part 2 of segment 10"), (playlist(end: 9, parts: 3), "part 3 of segment 9"),
        (playlist(end: 10, more: dateRange), "part 2 of segment 10"), (playlist(end: 10, parts: 3), nil),
        (playlist(end: 11, parts: 0), nil), (playlist(end: 12, parts: 1), nil),
        (playlist(end: 10) + "#EXT-X-ENDLIST\n", nil), (playlist(end: 10, offers: "NO"), nil),
        (playlist(end: 10, parts: nil), nil),
    ])
    func blockingReloadIgnored(body: String, end: String?) {
        let viewer = Self.waiting(after: Self.playlist(end: 10))
        viewer.answer(.blockingPlaylist, body)
        let found = Self.found(viewer)
        #expect(found.count == (end == nil ? 0 : 1))
        guard let end, let evidence = found.first else { return }
        #expect(evidence.expected == "held until part 2 of segment 10 is there, or an error")
        #expect(evidence.observed == "after 0 ms a playlist that ends before \(end)")
        #expect(evidence.url.hasSuffix("?_HLS_msn=10&_HLS_part=2"))
    }

    @Test func whereThereAreNoPartsAWholeSegmentIsWaitedFor() {
        let viewer = Self.waiting(after: Self.playlist(end: 10, parts: nil))
        viewer.answer(.blockingPlaylist, Self.playlist(end: 11, parts: nil))
        viewer.answer(.blockingPlaylist, status: 503)
        #expect(Self.found(viewer).isEmpty)
        // Some players ask again at once.
        viewer.fire(.reload)
        viewer.answer(.playlist, Self.playlist(end: 11, parts: nil))
        #expect(Self.found(viewer).isEmpty, "a plain poll may bring nothing new")
        viewer.answer(.blockingPlaylist, Self.playlist(end: 11, parts: nil))
        #expect(Self.found(viewer).map(\.observed) == ["after 0 ms a playlist that ends before segment 11"])
    }

    private static let manifest = #"{"VERSION":1,"PATHWAY-PRIORITY":["."]}"#

    /// What has a meaning of its own, and what this machine brought about, is no fault of the steering server.
    @Test(
        arguments: [
            (200, nil, manifest, nil), (410, nil, "", nil), (429, nil, "", nil), (503, nil, "", "status 503"),
            (404, nil, "", "status 404"), (0, .reset, "", "no answer: connection_reset"),
            (0, .localResources, "", nil), (0, .abandoned, "", nil),
            (200, nil, "<html>", "no steering manifest"), (200, nil, #"{"VERSION":1}"#, "no steering manifest"),
        ] as [(Int, TransportFailure?, String, String?)]
    )
    func steeringUnavailable(status: Int, failure: TransportFailure?, body: String, observed: String?) throws {
        let tag = "#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer\"\n#EXT-X-STREAM"
        let steered = AnswerBody.oneVariant.replacing("#EXT-X-STREAM", with: tag)
        let viewer = ScriptedCrowd.joined(.watching(), multivariant: steered)
        viewer.answer(.steering, body, status: status, failure: failure)
        let found = viewer.findings(.steeringUnavailable)
        #expect(found.map(\.count) == (observed == nil ? [] : [1]))
        guard let observed else { return }
        let evidence = try #require(found.first?.first?.evidence)
        #expect(evidence.observed.hasPrefix(observed))
        #expect(evidence.url.contains("/steer?"))
    }

    /// What players can use with a loss is found beside what they make of it; the same manifest is found once for each answer.
    @Test(
        arguments: [
            (#"{"VERSION":1,"TTL":20,"PATHWAY-PRIORITY":["."]}"#, []),
            (#"{"VERSION":1,"TTL":"20","PATHWAY-PRIORITY":["."]}"#, ["steering_manifest_invalid"]),
            (#"{"VERSION":1,"TTL":20,"PATHWAY-PRIORITY":["a","."]}"#, ["steering_pathway_unknown"]),
            (#"{"VERSION":1,"TTL":20,"PATHWAY-PRIORITY":["a"]}"#, ["steering_manifest_invalid"]),
            (#"{"TTL":20,"PATHWAY-PRIORITY":["."]}"#, ["steering_unavailable"]),
        ] as [(String, [String])]
    )
    func steeringManifests(body: String, codes: [String]) {
        let tag = "#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer\"\n#EXT-X-STREAM"
        let viewer = ScriptedCrowd.joined(
            .watching(),
            multivariant: AnswerBody.oneVariant.replacing("#EXT-X-STREAM", with: tag)
        )
        viewer.answer(.steering, body)
        let found = viewer.totals.findings.map(\.code.code).filter { $0.hasPrefix("steering") }
        #expect(found == codes)
    }
}
