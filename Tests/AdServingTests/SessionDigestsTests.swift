import AdServing
import Testing

/// What two runs say of their sessions tells whether they were given the same, and nothing else.
@Suite struct SessionDigestsTests {
    private static func sessions(_ ids: [String], firstViewer: Int = 0) -> GivenSessions {
        let sessions = GivenSessions()
        for (place, id) in ids.enumerated() { sessions.add(id, viewer: firstViewer + place) }
        return sessions
    }

    @Test func oneSessionHasOneDigestUnderOneKey() {
        let one = Self.sessions(["session-a", "session-b"]).digests(keyedBy: "r1", most: 9)
        let other = Self.sessions(["session-b", "session-c"], firstViewer: 7).digests(keyedBy: "r1", most: 9)
        let shared = Set(one.kept.map(\.digest)).intersection(other.kept.map(\.digest))
        #expect(shared.count == 1)
        #expect(one.kept.first { shared.contains($0.digest) }?.viewer == 1)
        #expect(other.kept.first { shared.contains($0.digest) }?.viewer == 7)
        let elsewhere = Self.sessions(["session-a", "session-b"]).digests(keyedBy: "r2", most: 9)
        #expect(Set(one.kept.map(\.digest)).isDisjoint(with: elsewhere.kept.map(\.digest)))
    }

    @Test func whatIsKeptOfManyIsTheSamePartOfAll() {
        let ids = (0..<500).map { "session-\($0)" }
        let all = Self.sessions(ids).digests(keyedBy: "r", most: 1_000)
        let some = Self.sessions(ids.reversed()).digests(keyedBy: "r", most: 100)
        #expect(all.given == 500 && all.kept.count == 500 && some.given == 500)
        #expect(all.kept.map(\.digest) == all.kept.map(\.digest).sorted())
        #expect(some.kept.map(\.digest) == Array(all.kept.map(\.digest).prefix(100)))
        let none = Self.sessions([]).digests(keyedBy: "r", most: 10)
        #expect(none.given == 0 && none.kept.isEmpty)
    }
}
