import AdServing
import HLS
import Testing

@Suite struct PodContentTests {
    private func content(_ segments: [MediaPlaylistWriter.Segment]) throws -> PodContent {
        var writer = MediaPlaylistWriter(targetDurationSeconds: 6)
        writer.segments = segments
        guard case .media(let playlist) = try Playlist(parsing: writer.render()) else {
            throw PlaylistError(code: .mixedKinds, line: 0, detail: "")
        }
        return PodContent(playlist)
    }

    @Test func adsAreCountedByTheirDiscontinuities() throws {
        let flags = [true, false, true, false, false, true]
        let content = try content(
            flags.map { .init(uri: "a", durationMicroseconds: 5_000_000, isDiscontinuity: $0) }
        )
        #expect(content.adCount == 3)
        #expect(content.segmentCount == 6)
        #expect(content.durationMicroseconds == 30_000_000)
        #expect(!content.isEmpty)
        #expect(content.excess(over: .seconds(31)) == .seconds(-1))
        #expect(content.excess(over: .seconds(30)) == .zero)
    }

    @Test func oneAdNeedsNoDiscontinuity() throws {
        #expect(try content([.init(uri: "a", durationMicroseconds: 1)]).adCount == 1)
    }

    @Test func aPodWithoutSegmentsOrDurationIsEmpty() throws {
        let none = try content([])
        #expect(none.isEmpty)
        #expect(none.adCount == 0)
        #expect(try content([.init(uri: "a", durationMicroseconds: 0)]).isEmpty)
    }
}
