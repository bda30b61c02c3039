import ExampleRuns
import Results
import TestSupport
import Testing

/// What may be another process's sessions is kept within bounds, and of what is kept everything is known.
@Suite struct StraySightingsTests {
    private struct Seen {
        let words: [UInt64]
        let viewer: Int
        let breakKey: String
    }

    private static func evidence(_ viewer: Int) -> Evidence {
        Evidence(url: "https://a.example/\(viewer)", expected: "own", observed: "in the body")
    }

    private static func sightings(_ all: [Seen], room: Int = 1 << 20) -> StraySightings {
        var sightings = StraySightings(room: room)
        for (place, seen) in all.enumerated() {
            sightings.record(
                seen.words,
                reach: .max,
                breakKey: seen.breakKey,
                at: ViewerMoment(viewer: seen.viewer, wallMicroseconds: Int64(place)),
                evidence: { evidence(seen.viewer) }
            )
        }
        return sightings
    }

    private static func random(_ count: Int, words: Int, using generator: inout SeededGenerator) -> [Seen] {
        let known = (0..<words).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
        return (0..<count).map { _ in
            let some = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                known.randomElement(using: &generator) ?? 0
            }
            return Seen(
                words: Set(some).sorted(),
                viewer: Int.random(in: 0...300, using: &generator),
                breakKey: ["", "b1", "b2"].randomElement(using: &generator) ?? ""
            )
        }
    }

    /// How often each digest was seen, and by how many.
    private static func figures(_ sightings: StraySightings, of words: Set<UInt64>) -> [UInt64: [Int]] {
        var figures: [UInt64: [Int]] = [:]
        for word in words {
            var (count, viewers) = (0, ViewerSet())
            for found in sightings.known({ $0 == word ? word : nil }) {
                count += Int(found.entry.count)
                viewers.formUnion(found.entry.viewers.all)
            }
            figures[word] = [count, viewers.count]
        }
        return figures
    }

    private static func figures(_ all: [Seen], of words: Set<UInt64>) -> [UInt64: [Int]] {
        var figures: [UInt64: [Int]] = [:]
        for word in words {
            let seen = all.filter { $0.words.contains(word) }
            figures[word] = [seen.count, Set(seen.map(\.viewer)).count]
        }
        return figures
    }

    @Test func anAnswerWithTwoKnownWordsCountsOnce() {
        let sightings = Self.sightings([
            Seen(words: [3, 7], viewer: 1, breakKey: "b"), Seen(words: [3, 7], viewer: 2, breakKey: "b"),
            Seen(words: [7], viewer: 2, breakKey: "b"), Seen(words: [9], viewer: 4, breakKey: "b"),
        ])
        let found = sightings.known { $0 == 3 || $0 == 7 ? $0 : nil }
        #expect(found.reduce(0) { $0 + $1.entry.count } == 3)
        #expect(found.map(\.owner).sorted() == [3, 7] && found.allSatisfy { $0.key.breakKey == "b" })
        let pair = found.first { $0.owner == 3 }
        #expect(pair?.entry.first.viewer == 1 && pair?.entry.last.viewer == 2)
        #expect(pair?.entry.first.evidence == Self.evidence(1))
        #expect(sightings.reach == .max)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func whatIsKeptIsKeptExactlyHoweverItIsPutTogether(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let all = Self.random(2_000, words: 400, using: &generator)
        var sum = StraySightings(room: 40_000)
        for part in 0..<3 {
            let share = all.enumerated().filter { $0.offset % 3 == part }.map(\.element)
            sum.add(Self.sightings(share, room: part == 0 ? 20_000 : 60_000))
        }
        #expect(sum.reach < .max && !sum.words.isEmpty)
        #expect(sum.words == Set(all.flatMap(\.words).filter { $0 <= sum.reach }))
        #expect(Self.figures(sum, of: sum.words) == Self.figures(all, of: sum.words))
    }

    @Test func ofVeryManyWordsAPartIsKeptThatFits() {
        var generator = SeededGenerator(seed: 4)
        let all = Self.random(20_000, words: 20_000, using: &generator)
        let sightings = Self.sightings(all, room: 1 << 16)
        #expect((200...900).contains(sightings.words.count))
        let expected = Double(sightings.reach) / Double(UInt64.max) * 20_000
        #expect((0.5...1.5).contains(Double(sightings.words.count) / expected))
    }

    @Test func ofAWordThatEverybodySeesAllViewersAreKnown() {
        let all = (0..<5_000).map { Seen(words: [1], viewer: $0 * 4, breakKey: "") }
        let sightings = Self.sightings(all, room: 1 << 13)
        #expect(Self.figures(sightings, of: [1]) == [1: [5_000, 5_000]])
        #expect(sightings.reach == .max)
    }

    @Test func whatTurnsOutToBeOwnIsLeftOut() {
        var sightings = Self.sightings([
            Seen(words: [3, 7], viewer: 1, breakKey: ""), Seen(words: [7], viewer: 2, breakKey: ""),
            Seen(words: [3], viewer: 5, breakKey: ""),
        ])
        sightings.leaveOut([3])
        #expect(sightings.words == [7])
        #expect(sightings.known { $0 }.map(\.entry.count) == [2])
    }

    @Test func itIsReadAsItWasWritten() throws {
        var generator = SeededGenerator(seed: 2)
        var sightings = StraySightings(room: StraySightings.roomOfProcess)
        sightings.add(Self.sightings(Self.random(900, words: 30, using: &generator)))
        #expect(try reread(sightings) == sightings)
    }
}
