import HLS
import LoadProfile
import Measurement
import Testing

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
}
