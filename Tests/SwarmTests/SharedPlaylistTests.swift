import HLS
import LoadProfile
import TestSupport
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What is kept beside a playlist says what the playlist says.
@Suite struct SharedPlaylistTests {
    private func shared(_ version: Int, _ lines: String) throws -> SharedPlaylist {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + lines
        return SharedPlaylist(version: version, playlist: try .parsed(text), announced: [], url: "http://a/m")
    }

    private static let bodies = [
        "#EXTINF:2,\n0.m4s\n", "#EXTINF:2,\n1.m4s\n", "#EXTINF:3,\n0.m4s\n#EXTINF:3,\n1.m4s\n",
        "#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2,\n1.m4s\n", "#EXTINF:2,\n0.m4s\n#EXT-X-ENDLIST\n",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"\n#EXTINF:2,\n0.m4s\n",
        "#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:2,\n0.m4s\n", "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:0,\n0.m4s\n", "",
    ]

    @Test func newsIsWhatUpdatesThePlaylist() throws {
        for (first, before) in Self.bodies.enumerated() {
            for (second, after) in Self.bodies.enumerated() {
                let old = try shared(1, before)
                let new = try shared(2, after)
                #expect(new.isNews(after: old) == new.playlist.isUpdate(of: old.playlist), "\(first), \(second)")
            }
        }
    }

    @Test func theSameVersionIsNoNews() throws {
        let one = try shared(1, Self.bodies[0])
        #expect(!one.isNews(after: one))
        #expect(!one.based(on: "http://b/m").isNews(after: one))
    }

    @Test(arguments: bodies, ReloadRule.Basis.allCases)
    func itIsLoadedAgainByTheRule(body: String, basis: ReloadRule.Basis) throws {
        let shared = try self.shared(1, body)
        for isNews in [false, true] {
            let delay = ReloadRule(basis: basis).delay(after: shared.playlist, changed: isNews).nanosecondsHeld
            let wanted = ReloadRule.isReloaded(shared.playlist) ? delay : nil
            #expect(shared.reloadDelay(basis, isNews: isNews) == wanted)
        }
    }

    /// Each variant with a group of its own.
    @Test func groupsOfRenditionsAreChosenFromInLinearTime() throws {
        let shared = try LinearTime.expect(
            of: 4_000,
            make: { count in
                let groups = (0..<count).map { number in
                    """
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a\(number)",NAME="n",URI="a\(number).m3u8"
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a\(number)",NAME="d",DEFAULT=YES,URI="d\(number).m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a\(number)"
                    v\(number).m3u8

                    """
                }
                return try MultivariantPlaylist.parsed("#EXTM3U\n" + groups.joined())
            },
            work: { SharedMultivariant($0, url: "http://h/all.m3u8") }
        )
        #expect(shared.url(of: .audio, variant: 7) == "http://h/d7.m3u8")
    }

    @Test func variantsAreResolvedAgainstWhatAnswered() throws {
        let playlist = try MultivariantPlaylist.parsed(AnswerBody.multivariant)
        let shared = SharedMultivariant(playlist, url: "http://edge/live/all.m3u8")
        #expect(shared.variantURLs == ["http://edge/live/v0/media.m3u8", "http://edge/live/v1/media.m3u8"])
        #expect(SharedMultivariant(playlist, url: "file:///x").variantURLs == [nil, nil])
    }
}
