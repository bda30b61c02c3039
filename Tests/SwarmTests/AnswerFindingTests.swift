import LoadProfile
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Recording
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
@Suite struct OnePlaylistFindingTests {
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
