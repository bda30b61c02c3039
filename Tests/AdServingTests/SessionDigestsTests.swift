import AdServing
import Testing

/// What two runs say of their sessions tells whether they were given the same, and nothing else.
@Suite struct SessionDigestsTests {
    private static func sessions(_ ids: [String], key: String? = "r", firstViewer: Int = 0) -> GivenSessions {
        let sessions = GivenSessions(sharedAs: key)
        for (place, id) in ids.enumerated() { sessions.add(id, viewer: firstViewer + place) }
        return sessions
    }

    @Test func oneSessionHasOneDigestUnderOneKey() {
        let one = Self.sessions(["session-a", "session-b"]).digests(most: 9)
        let other = Self.sessions(["session-b", "session-c"], firstViewer: 7).digests(most: 9)
        let shared = Set(one.kept.map(\.digest)).intersection(other.kept.map(\.digest))
        #expect(shared.count == 1)
        #expect(one.kept.first { shared.contains($0.digest) }?.viewer == 1)
        #expect(other.kept.first { shared.contains($0.digest) }?.viewer == 7)
        let elsewhere = Self.sessions(["session-a", "session-b"], key: "r2").digests(most: 9)
        #expect(Set(one.kept.map(\.digest)).isDisjoint(with: elsewhere.kept.map(\.digest)))
    }

    @Test func whatIsKeptOfManyIsTheSamePartOfAll() {
        let ids = (0..<500).map { "session-\($0)" }
        let all = Self.sessions(ids).digests(most: 1_000)
        let some = Self.sessions(ids.reversed()).digests(most: 100)
        #expect(all.given == 500 && all.kept.count == 500 && some.given == 500)
        #expect(all.kept.map(\.digest) == all.kept.map(\.digest).sorted())
        #expect(some.kept.map(\.digest) == Array(all.kept.map(\.digest).prefix(100)))
        let none = Self.sessions([]).digests(most: 10)
        #expect(none.given == 0 && none.kept.isEmpty)
    }

    private static func strangers(in text: String, _ sessions: GivenSessions) -> StrangeWords {
        Array(text.utf8).withUnsafeBytes { sessions.strangers(in: $0) }
    }

    @Test func wordsAsLongAsIDsThatNobodyWasGivenAreStrangers() throws {
        let own = Self.sessions(["0a1b2c3d-0001:TUL", "0a1b2c3d-0002:TUL"])
        let text = """
            #EXTM3U
            /pods/a.m3u8?stream_id=0a1b2c3d-0002%3ATUL&x=1
            /pods/b.m3u8?stream_id=0a1b2c3d-0003:TUL
            /pods/b.m3u8?stream_id=0a1b2c3d-0003%3ATUL
            /s/0a1b2c3d-0004%253ATUL/short/0123456789abcde
            """
        let found = Self.strangers(in: text, own)
        let elsewhere = Self.sessions(["0a1b2c3d-0003:TUL", "0a1b2c3d-0004:TUL", "0a1b2c3d-0005:TUL"])
        let theirs = elsewhere.digests(most: 9, among: Set(found.digests))
        #expect(found.digests.count == 2 && theirs.met == Set(found.digests) && found.reach == .max)
        #expect(Self.strangers(in: text, Self.sessions(["0a1b2c3d-0001:TUL"], key: nil)) == .none)
        #expect(Self.strangers(in: text, Self.sessions([])) == .none)
    }

    @Test func ofATextFullOfStrangersThoseWithTheSmallestDigestsAreKept() {
        let own = Self.sessions(["segment-00000"])
        let all = (10_000..<10_900).map { "segment-\($0)" }
        let found = Self.strangers(in: all.joined(separator: "\n"), own)
        let digests = Self.sessions(all).digests(most: 900).kept.map(\.digest)
        #expect(found.digests == Array(digests.prefix(256)) && found.reach == digests[255])
        var halves = Self.strangers(in: all.prefix(450).joined(separator: "\n"), own)
        halves.formUnion(Self.strangers(in: all.suffix(450).joined(separator: "\n"), own))
        #expect(halves == found)
    }
}
