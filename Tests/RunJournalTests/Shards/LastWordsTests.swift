import AdServing
import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing

/// What shards say at their end is held against each other and against the origin.
@Suite struct LastWordsTests {
    private typealias Entry = SessionSample.Entry

    /// Three shards that did nothing wrong, with the sessions that each was given.
    private static func run(seed: UInt64 = 1) -> ShardedRun {
        var generator = SeededGenerator(seed: seed)
        var run = ShardedRun(shards: 3)
        for _ in 0..<4 {
            run.act(40, using: &generator)
            run.close()
        }
        return run
    }

    private static func words(
        _ sessions: [(UInt64, Int32)],
        given: Int? = nil,
        besides: [String: Int]? = ["multivariant": 1],
        strays: [String: StraySightings] = [:]
    ) -> LastWords {
        let kept = sessions.map { Entry(digest: $0.0, viewer: $0.1) }
        let sample = SessionSample(given: given ?? kept.count, kept: kept)
        return LastWords(
            resends: ["playlist": 2],
            besides: besides,
            sessions: SessionKnowledge(given: sample, strays: strays)
        )
    }

    /// The run with the last words of each shard; one without them was cut off.
    private static func merged(_ run: ShardedRun, _ words: [LastWords?]) throws -> MergedRun {
        let folder = try ShardFolder()
        let files = try words.enumerated().map { index, words in
            var ending = run.ending
            ending.lastWords = words
            return try folder.write(run.journal(of: index, ending: words.map { _ in ending }), "s-\(index).journal")
        }
        let journals = try ShardJournals(among: files.map { ShardJournals.Source(files: [$0]) })
        return try MergedRun(reading: journals)
    }

    private static let silent = Array(repeating: words([]), count: 3)

    private static func shared(_ document: ResultDocument) -> FindingResult? {
        document.findings.first { $0.code == "foreign_stream_id" }
    }

    /// The result of shards that say this, and how many more shared sessions there are in it than without.
    private static func judged(_ words: [LastWords?]) throws -> (document: ResultDocument, found: UInt64) {
        let run = run()
        let before = try #require(try merged(run, silent).document())
        let document = try #require(try merged(run, words).document())
        return (document, (shared(document)?.count ?? 0) - (shared(before)?.count ?? 0))
    }

    @Test func aSessionOfTwoShardsIsFoundOnceForEachViewerButTheFirst() throws {
        let (document, found) = try Self.judged([
            Self.words([(10, 3), (20, 6), (30, 9)]), Self.words([(10, 1), (25, 4)]),
            Self.words([(10, 5), (20, 2), (99, 8)]),
        ])
        #expect(found == 3)
        let occurrence = try #require(Self.shared(document)?.occurrences.first { $0.breakKey == nil })
        #expect(occurrence.viewers >= 3)
        #expect(document.notes?.contains { $0.contains("not known") || $0.contains("no memory") } != true)
    }

    @Test func aPartOfTheSessionsIsHeldAgainstTheSamePartAndThatIsSaid() throws {
        // The second one had room for digests up to 25 only: whether it was given 30 as well nobody knows.
        let (document, found) = try Self.judged([
            Self.words([(10, 3), (30, 9)]), Self.words([(10, 1), (25, 4)], given: 40), Self.words([(30, 5)]),
        ])
        #expect(found == 1)
        #expect(document.notes?.contains { $0.contains("3 of 43 sessions of all shards") } == true)
    }

    @Test func aShardThatWasCutOffSaysNothingOfItsSessions() throws {
        let run = Self.run()
        let merged = try Self.merged(run, [Self.words([(10, 3)]), nil, Self.words([(10, 1)])])
        let document = try #require(merged.document())
        #expect(Self.shared(document) != nil)
        #expect(document.notes?.contains { $0.contains("sessions of shard 1") && $0.contains("not known") } == true)
        let counted = try #require(merged.document(origin: (received: [:], connections: nil)))
        #expect(counted.reconciliation == nil)
        #expect(counted.notes?.contains { $0.contains("compared with nothing") } == true)
    }

    private static func strays(
        _ sightings: [(words: [UInt64], viewer: Int)],
        of kind: String = "pod_manifest",
        room: Int = StraySightings.roomOfProcess
    ) -> [String: StraySightings] {
        let evidence = Evidence(url: "https://a.example/pod", expected: "its own, 4ccb…", observed: "in the body")
        var strays = StraySightings(room: room)
        for (place, seen) in sightings.enumerated() {
            strays.record(
                seen.words,
                reach: .max,
                breakKey: "",
                at: ViewerMoment(viewer: seen.viewer, wallMicroseconds: Int64(place)),
                evidence: { evidence }
            )
        }
        return [kind: strays]
    }

    @Test func anAnswerWithASessionOfAnotherShardIsFound() throws {
        let (document, found) = try Self.judged([
            Self.words([(10, 3), (20, 6)]),
            // Nobody was given 77, and one answer had two sessions of others in it.
            Self.words([(25, 4)], strays: Self.strays([([10, 77], 1), ([10, 20], 1), ([20], 4), ([77], 7)])),
            Self.words([(99, 8)], strays: Self.strays([([25], 2)])),
        ])
        #expect(found == 4)
        let seen = try #require(Self.shared(document)?.occurrences.first { $0.breakKey == nil }?.first)
        #expect(seen.url == "https://a.example/pod" && seen.expected == "its own, 4ccb…")
        #expect(
            [3, 6].map { "in the body a session that viewer \($0) of shard 0 was given, seen by its digest" }
                .contains(seen.observed)
        )
        #expect(document.notes?.contains { $0.contains("no memory") } != true)
    }

    @Test func whereThereWasNoRoomForAllAnswersThatIsSaid() throws {
        let strays = Self.strays((1...40).map { ([UInt64($0) << 58], 1) }, of: "playlist", room: 200)
        let words = [Self.words([]), Self.words([], strays: strays), Self.words([])]
        let document = try #require(try Self.merged(Self.run(), words).document())
        let note = document.notes?.first { $0.contains("answers of kind playlist") }
        #expect(note?.contains("one in \(UInt64.max / (strays["playlist"]?.reach ?? 1)) ") == true)
    }

    @Test func allShardsTogetherAreComparedWithTheOrigin() throws {
        let run = Self.run()
        let merged = try Self.merged(run, Self.silent)
        let document = try #require(merged.document())
        var received = document.requests.mapValues { Int($0.count) }
        received["multivariant", default: 0] += 3
        #expect(document.reconciliation == nil && document.notes?.contains { $0.contains("--origin-truth") } == true)
        let counted = try #require(merged.document(origin: (received: received, connections: nil)))
        let agreed = try #require(counted.reconciliation)
        let row = try #require(agreed.rows.first { $0.kind == "multivariant" })
        #expect(row.clientAnswered >= 3 && row.originReceived == received["multivariant"].map(UInt64.init))
        #expect(agreed.rows.first { $0.kind == "playlist" }?.clientUnanswered ?? 0 >= 6)
        #expect(agreed.agrees, "\(agreed.rows.filter { !$0.agrees })")
        received["playlist", default: 0] += 1_000
        let judged = try #require(merged.document(origin: (received: received, connections: nil)))
        #expect((judged.reconciliation?.agrees, judged.verdict.exitCode) == (false, 70))
    }

    @Test func whereTheKindOfARequestIsNotKnownNothingIsCompared() throws {
        let words = [Self.words([]), Self.words([], besides: nil), Self.words([])]
        let merged = try Self.merged(Self.run(), words)
        let document = try #require(merged.document(origin: (received: [:], connections: nil)))
        #expect(document.reconciliation == nil)
    }

    @Test func aSampleIsReadAsItWasWritten() throws {
        let sample = SessionSample(given: 9, kept: [Entry(digest: 1, viewer: 7), Entry(digest: .max, viewer: .max)])
        #expect(try reread(sample) == sample)
    }
}
