import HLS
import Rulebook
import Testing

@testable import Conformance

@Suite struct EdgeCheckTests {
    /// A channel of two-second segments, from one media sequence number on.
    private func playlist(
        from first: Int,
        count: Int = 5,
        date: Int = 1_800_000_000,
        uri: (Int) -> String = { "\($0).m4s" }
    ) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for number in first..<first + count {
            let start = WallTime(microseconds: Int64(date + number * 2) * 1_000_000)
            text += "#EXT-X-PROGRAM-DATE-TIME:\(start.iso8601)\n#EXTINF:2,\n\(uri(number))\n"
        }
        guard case .media(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "")
        }
        return playlist
    }

    @Test(arguments: [10, 11, 12, 40])
    func whatGoesOnIsForward(next: Int) throws {
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: next)) == .forward)
    }

    @Test func oneUpdateApartIsHowEdgesAre() throws {
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: 9)) == .slightlyOlder)
    }

    @Test(arguments: [6, 7, 8])
    func moreThanOneUpdateBackIsTimeTravel(next: Int) throws {
        guard case .older(let violation) = EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: next))
        else {
            Issue.record("no time travel")
            return
        }
        #expect(violation.code == .edgeTimeTravel)
        #expect(violation.observed.contains("\(10 - next) updates earlier, up to media sequence \(next + 4)"))
    }

    @Test func lowerNumbersForOtherSegmentsAreNoOlderVersion() throws {
        let restarted = try playlist(from: 7) { "\($0 + 3).m4s" }
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: restarted) == .forward)
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: 1)) == .forward)
    }

    @Test func endsThatWereTakenBackAreNoOlderVersionWhereTheFrontWentOn() throws {
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: 11, count: 2)) == .forward)
    }

    @Test func aSegmentHasOneNameAndDate() throws {
        let known = try playlist(from: 10)
        #expect(EdgeChecks.disagreement(known, try playlist(from: 12)) == nil)
        #expect(EdgeChecks.disagreement(known, try playlist(from: 30) { _ in "x" }) == nil)
        let renamed = try playlist(from: 12) { $0 == 13 ? "other.m4s" : "\($0).m4s" }
        let found = try #require(EdgeChecks.disagreement(known, renamed))
        #expect(found.mediaSequence == 13)
        #expect(found.first.path == "13.m4s" && found.second.path == "other.m4s")
        #expect(found.first.fingerprint != found.second.fingerprint)
        #expect(EdgeChecks.disagreement(known, renamed, except: [13]) == nil)
        #expect(EdgeChecks.disagreement(known, try playlist(from: 10, date: 1_800_000_001))?.mediaSequence == 10)
    }

    @Test func hostsAndQueriesMayBeAnEdgesOwn() throws {
        let one = try playlist(from: 10) { "http://edge1.example/live/\($0).m4s?token=a" }
        let two = try playlist(from: 10) { "http://edge2.example/live/\($0).m4s?token=b" }
        #expect(EdgeChecks.disagreement(one, two) == nil)
    }
}
