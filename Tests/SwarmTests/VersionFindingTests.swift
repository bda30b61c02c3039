import EventLoop
import HLS
import LoadProfile
import Measurement
import Testing
import Transport

@testable import Swarm

/// What shows in successive versions only to who knows how each was asked for.
@Suite struct PlaylistVersionFindingTests {
    private static let url = "http://127.0.0.1:8080/live/main/v0/media.m3u8"

    private static func playlist(
        end: Int,
        parts: Int? = nil,
        control: String = "CAN-BLOCK-RELOAD=YES"
    ) throws -> SharedPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:\(control),PART-HOLD-BACK=3\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(end - 4)\n"
        if parts != nil { text += "#EXT-X-PART-INF:PART-TARGET=1\n" }
        for number in (end - 4)..<end { text += "#EXTINF:4,\n\(number).m4s\n" }
        for part in 0..<(parts ?? 0) { text += "#EXT-X-PART:DURATION=1,URI=\"\(end).\(part).m4s\"\n" }
        return SharedPlaylist(version: end * 10 + (parts ?? 0), playlist: try .parsed(text), announced: [], url: url)
    }

    private static func found(_ viewer: ScriptedViewer) -> [String] {
        viewer.notes.compactMap { note in
            guard case .finding(.blockingReloadIgnored, let expected, _) = note else { return nil }
            return expected
        }
    }

    @Test(arguments: [
        (nil, "held until segment 10 is there, or an error"),
        (0, "held until part 0 of segment 10 is there, or an error"),
        (2, "held until part 2 of segment 10 is there, or an error"),
    ])
    func blockingReloadIgnored(parts: Int?, expected: String) throws {
        let facts = LowLatencyFacts(blocking: .always, skip: .never)
        var viewer = try ScriptedViewer.joined(.watching(.forTests { $0.lowLatency = facts }))
        try viewer.answer(try Self.playlist(end: 10, parts: parts))
        #expect(Self.found(viewer) == [], "the first request was a plain one")
        try viewer.answer(try Self.playlist(end: 10, parts: parts), after: 1)
        #expect(Self.found(viewer) == [expected])
        viewer.advance(seconds: 2)
        try viewer.answer(try Self.playlist(end: 11, parts: parts), after: 1)
        #expect(Self.found(viewer) == [expected], "the next answer has what was asked for")
        try viewer.answer(try Self.playlist(end: 11, parts: parts, control: "CAN-BLOCK-RELOAD=NO"), after: 1)
        #expect(Self.found(viewer) == [expected], "it is not offered any more")
    }

    @Test func aPollThatBringsNothingNewIsNoBlockingReload() throws {
        let facts = LowLatencyFacts(blocking: .never, skip: .never)
        var viewer = try ScriptedViewer.joined(.watching(.forTests { $0.lowLatency = facts }))
        for _ in 0..<3 {
            try viewer.answer(try Self.playlist(end: 10, parts: 1))
            viewer.advance(seconds: 4)
        }
        #expect(Self.found(viewer) == [])
    }

    private static let steered = """
        #EXTM3U
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer"
        #EXT-X-STREAM-INF:BANDWIDTH=800000
        v0/media.m3u8

        """
    private static let manifest = #"{"VERSION":1,"PATHWAY-PRIORITY":["."]}"#

    /// What has a meaning of its own, and what this machine brought about, is no fault of the steering server.
    @Test(
        arguments: [
            (200, nil, manifest, nil), (410, nil, "", nil), (429, nil, "", nil), (503, nil, "", "status 503"),
            (404, nil, "", "status 404"), (0, .reset, "", "no answer: connection_reset"),
            (0, .localResources, "", nil), (0, .abandoned, "", nil),
            (200, nil, "<html>", "no steering manifest"), (200, nil, #"{"VERSION":1}"#, "no steering manifest"),
        ] as [(Int, TransferFailure?, String, String?)]
    )
    func steeringUnavailable(status: Int, failure: TransferFailure?, body: String, observed: String?) async throws {
        try await ScriptedShard.onLoop { loop in
            let scripted = try ScriptedShard(.watching(.forTests { _ in }), viewers: 1, loop: loop)
            let token = ShardToken(place: 0, detail: ShardToken.join)
            scripted.shard.timerFired(token: token.rawValue, deadline: scripted.start)
            #expect(scripted.transport.answer(.multivariant, body: Self.steered))
            #expect(scripted.transport.answer(.steering, status: status, failure: failure, body: body))
            let findings = RunTotals(merging: [scripted.shard.recorder.finish()]).findings
            let found = findings.filter { $0.code == .steeringUnavailable }
            #expect(found.map(\.count) == (observed == nil ? [] : [1]))
            guard let observed else { return }
            let evidence = try #require(found.first?.first?.evidence)
            #expect(evidence.observed.hasPrefix(observed))
            #expect(evidence.url.contains("/steer?"))
        }
    }
}
