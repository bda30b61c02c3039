import EventLoop
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What of one playlist shows only to a viewer that loads what it lists.
@Suite struct OnePlaylistFindingTests {
    private static func playlist(from first: Int) -> String {
        let segments = (first..<(first + 3)).map { "#EXTINF:2,\n\($0).m4s\n" }
        return "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments.joined()
    }

    /// A viewer that is loading segment 2 of the three from 1 on.
    private static func loading(_ loop: EventLoop) throws -> ScriptedCrowd {
        let scripted = try ScriptedCrowd(.forTests { $0.playback.segments = .content }, viewers: 1, loop: loop)
        scripted.join()
        #expect(scripted.fire(.reload))
        #expect(scripted.transport.answer(.playlist, body: Self.playlist(from: 1)))
        let open = scripted.transport.open.filter { scripted.transport.role($0) == .segment }.map(\.request.url)
        #expect(open == ["http://127.0.0.1:8080/live/main/v0/2.m4s"])
        return scripted
    }

    private static func found(_ scripted: ScriptedCrowd) -> [Finding] {
        let totals = RunTotals(merging: [scripted.crowd.recorder.finish()])
        return totals.findings.filter { $0.code == .segmentUnreachable }
    }

    /// What this machine or the viewer brought about says nothing of the target.
    @Test(
        arguments: [
            (404, nil, true), (503, nil, true), (403, nil, true), (200, nil, false), (304, nil, false),
            (0, .reset, true), (0, .connectRefused, true), (0, .firstByteTimeout, true),
            (0, .localResources, false), (0, .abandoned, false), (0, .unauthorisedHost, false),
        ] as [(Int, TransportFailure?, Bool)]
    )
    func segmentUnreachable(status: Int, failure: TransportFailure?, isFound: Bool) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.loading(loop)
            #expect(scripted.transport.answer(.segment, status: status, failure: failure))
            let found = Self.found(scripted)
            #expect(found.map(\.count) == (isFound ? [1] : []))
            #expect(found.allSatisfy { $0.viewers.contains(0) && $0.first?.evidence.url.hasSuffix("/2.m4s") == true })
        }
    }

    /// Two segments of two seconds stay for four seconds at least; what comes later may not be listed any more.
    @Test(arguments: [(Int64(3_900_000_000), 1), (4_100_000_000, 0)])
    func anAnswerThatMayHaveComeAfterTheWindowMovedIsNoFinding(later: Int64, count: Int) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.loading(loop)
            #expect(scripted.transport.answer(.segment, status: 404, later: later))
            #expect(Self.found(scripted).count == count)
        }
    }

    @Test(arguments: [(2, 1), (3, 0)])
    func aSegmentThatTheNewestVersionDoesNotListIsNoFinding(first: Int, count: Int) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.loading(loop)
            #expect(scripted.fire(.reload))
            #expect(scripted.transport.answer(.playlist, body: Self.playlist(from: first)))
            #expect(scripted.transport.answer(.segment, status: 404))
            #expect(Self.found(scripted).count == count)
        }
    }
}
