import AdServing
import Conformance
import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Audit
@testable import Viewer

/// A body that is known is not parsed again, and what nobody uses is forgotten.
@Suite struct PlaylistLibraryTests {
    private func text(_ number: Int) -> [UInt8] {
        Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(number)\n#EXTINF:2,\n\(number).m4s\n".utf8)
    }

    private let multivariant = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0.m3u8\n".utf8)

    private func media(_ library: PlaylistLibrary, _ body: [UInt8], at index: Int, base: String? = nil) throws
        -> SharedPlaylist
    {
        try body.withUnsafeBytes { try library.media($0, at: index, base: base) }
    }

    @Test func anEqualBodyIsNotParsedAgain() throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        let first = try media(library, text(1), at: index)
        let second = try media(library, text(1), at: index)
        #expect(first === second)
        #expect((library.parsed, library.recognised) == (1, 1))
    }

    @Test func versionsThatComeByTurnsAreAllKnown() throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        for round in 0..<10 {
            for number in 0..<4 {
                #expect(try media(library, text(number), at: index).version == number + 1, "round \(round)")
            }
        }
        #expect((library.parsed, library.recognised) == (4, 36))
    }

    @Test func theOldestOfFiveVersionsIsForgotten() throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        for number in 0..<5 {
            _ = try media(library, text(number), at: index)
        }
        _ = try media(library, text(4), at: index)
        #expect(library.parsed == 5)
        _ = try media(library, text(0), at: index)
        #expect(library.parsed == 6)
    }

    @Test(arguments: ["", "<html>", "#EXTM3U\n#EXTINF:x,\n"])
    func aBodyThatIsNoPlaylistIsAnErrorEachTimeAndKeepsWhatIsKnown(text: String) throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        _ = try media(library, self.text(1), at: index)
        for _ in 0..<2 {
            #expect(throws: PlaylistError.self) { try media(library, Array(text.utf8), at: index) }
        }
        _ = try media(library, self.text(1), at: index)
        #expect(library.recognised == 1)
    }

    @Test func aMultivariantPlaylistIsNoMediaPlaylist() throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        #expect(throws: PlaylistError.self) { try media(library, multivariant, at: index) }
    }

    @Test func theContentURLMayAnswerWithEitherAndIsParsedOnce() throws {
        let library = PlaylistLibrary(announcements: nil)
        for _ in 0..<3 {
            guard
                case .multivariant = try multivariant.withUnsafeBytes({
                    try library.content($0, url: "http://a/x")
                })
            else {
                Issue.record("not taken for a multivariant playlist")
                return
            }
        }
        #expect((library.parsed, library.recognised) == (1, 2))
        guard case .media(let shared) = try text(1).withUnsafeBytes({ try library.content($0, url: "http://a/m") })
        else {
            Issue.record("not taken for a media playlist")
            return
        }
        #expect(shared.url == "http://a/m")
        #expect(library.parsed == 2)
    }

    @Test func viewersThatJoinByAMediaPlaylistShareIt() throws {
        let library = PlaylistLibrary(announcements: nil)
        func joined(_ sequence: Int) throws -> SharedPlaylist? {
            let content = try text(sequence).withUnsafeBytes { try library.content($0, url: "http://a/m") }
            guard case .media(let shared) = content else { return nil }
            return shared
        }
        let first = try #require(try joined(1))
        #expect(try joined(1) === first)
        let index = library.use("http://a/m")
        #expect(try media(library, text(1), at: index) === first)
        #expect((library.parsed, library.recognised) == (1, 2))
        let second = try #require(try joined(2))
        #expect(try media(library, text(2), at: index) === second)
        #expect(try joined(2) === second)
        #expect(library.parsed == 2)
    }

    @Test func referencesResolveAgainstTheURLThatARedirectLedTo() throws {
        let library = PlaylistLibrary(announcements: nil)
        let index = library.use("http://a/m")
        let direct = try media(library, text(1), at: index)
        let redirected = try media(library, text(1), at: index, base: "http://edge/m")
        #expect(direct.url == "http://a/m")
        #expect(redirected.url == "http://edge/m")
        #expect(redirected.version == direct.version)
        #expect(library.parsed == 1)
    }

    /// Six segments of two seconds; the second version ends four seconds past the break that it is the first to announce.
    private func announcing(_ number: Int) -> [UInt8] {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        if number == 2 { text += "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:22Z\",SCTE35-OUT=0xFC\n" }
        text += "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:\(10 + 2 * number)Z\n"
        for segment in number..<number + 6 { text += "#EXTINF:2,\n\(segment).m4s\n" }
        return Array(text.utf8)
    }

    /// Those two target durations behind the edge may be at the start when they load the playlist next; those three behind
    /// it are not.
    @Test(
        arguments: [([], []), ([3], []), ([3, 2], ["break_announced_late"])] as [([Double], [String])]
    )
    func anAnnouncementIsLateForThePlayerNearestToTheEdge(targets: [Double], codes: [String]) throws {
        let usual = try #require(AuditBench().auditor.context.plan.personas.first).persona
        let players = targets.map { targets in
            var persona = usual
            persona.start.targets = targets
            return PlaybackFacts(persona)
        }
        let library = PlaylistLibrary(announcements: nil, players: players)
        let place = library.use("http://a/m")
        let first = try media(library, announcing(1), at: place)
        let second = try media(library, announcing(2), at: place)
        #expect(library.transition(from: first, to: second, at: place).violations.map(\.code.code) == codes)
    }

    @Test func whatNobodyUsesIsForgottenAndItsPlaceUsedAgain() throws {
        let library = PlaylistLibrary(announcements: nil)
        let kept = library.use("http://a/kept")
        for session in 0..<1000 {
            let index = library.use("http://a/\(session)")
            #expect(index == 1)
            _ = try media(library, text(1), at: index)
            library.release(index)
        }
        #expect(library.count == 1)
        #expect(library.use("http://a/kept") == kept)
        library.release(kept)
        #expect(library.count == 1)
        library.release(kept)
        #expect(library.count == 0)
    }
}
