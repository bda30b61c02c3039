import HLS
import Testing

@testable import Rules

@Suite struct EdgeCheckTests {
    private func playlist(from first: Int, count: Int = 5, shift: Double = 0, uri: (Int) -> String = { "\($0).m4s" })
        throws -> MediaPlaylist
    {
        let uris = Dictionary(uniqueKeysWithValues: (first..<first + count).map { ($0, uri($0)) })
        return try LiveVersion(first: first, count: count, uris: uris, shift: shift).playlist
    }

    @Test(arguments: [10, 11, 12, 40]) func whatGoesOnIsForward(next: Int) throws {
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: next)) == .forward)
    }

    @Test func oneUpdateApartIsHowEdgesAre() throws {
        #expect(EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: 9)) == .slightlyOlder)
    }

    @Test(arguments: [6, 7, 8]) func moreThanOneUpdateBackIsTimeTravel(next: Int) throws {
        guard case .older(let violation) = EdgeChecks.step(from: try playlist(from: 10), to: try playlist(from: next))
        else { return #expect(Bool(false), "no time travel") }
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
        #expect(EdgeChecks.disagreement(known, try playlist(from: 10, shift: 1))?.mediaSequence == 10)
    }

    @Test func hostsAndQueriesMayBeAnEdgesOwn() throws {
        let one = try playlist(from: 10) { "http://edge1.example/live/\($0).m4s?token=a" }
        let two = try playlist(from: 10) { "http://edge2.example/live/\($0).m4s?token=b" }
        #expect(EdgeChecks.disagreement(one, two) == nil)
    }
}
