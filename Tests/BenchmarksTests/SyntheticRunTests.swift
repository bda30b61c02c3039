import Foundation
import Recording
import Rulebook
import RunJournal
import RunResult
import TestSupport
import Testing

@testable import Benchmarks

/// What is merged to be timed is like what shards leave.
@Suite struct SyntheticRunTests {
    private static let run = SyntheticRun(shards: 3, viewers: 200, seconds: 60, breaks: 2, seed: 7)

    private static func collectors(of run: SyntheticRun) -> [RunCollector] {
        let polls = SyntheticShard.Polls(of: run)
        return (0..<run.shards).map { index in
            var shard = SyntheticShard(index, of: run, polls: polls)
            for _ in 0..<run.seconds { _ = shard.next() }
            return shard.collector
        }
    }

    @Test func everyViewerJoinsAndIsDueForEveryBreak() {
        let shards = Self.collectors(of: Self.run)
        #expect(shards.map { $0.totals.count(of: .joined) } == [67, 67, 66])
        for shard in shards {
            #expect(shard.counts.activeViewers == Int64(shard.totals.count(of: .joined)))
            #expect(shard.totals.breaks.map(\.due) == Array(repeating: shard.totals.count(of: .joined), count: 2))
            #expect(shard.totals.breaks.allSatisfy { $0.unresolved == 0 && $0.discovery.viewers == $0.due })
            // Each asks every six seconds.
            let polls = shard.totals.requestCount(of: .playlist)
            #expect((60 / 6 - 2) * shard.totals.count(of: .joined) <= polls)
            #expect(polls <= (60 / 6 + 1) * shard.totals.count(of: .joined))
        }
    }

    @Test func theSameSeedIsTheSameRun() {
        let (one, other) = (Self.collectors(of: Self.run), Self.collectors(of: Self.run))
        #expect(one == other)
        let another = SyntheticRun(shards: 3, viewers: 200, seconds: 60, breaks: 2, seed: 8)
        #expect(Self.collectors(of: another) != one)
    }

    @Test func itsJournalsAreMergedAndCutOff() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("journals")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let journals = try SyntheticJournals(of: Self.run, in: place)
        #expect(journals.bytes > 0)
        func merged() throws -> ResultDocument? {
            let sources = try #require(ShardJournals.Source.all(at: place.path))
            return try MergedRun(reading: ShardJournals(among: sources)).document()
        }
        let whole = try #require(try merged())
        #expect(whole.verdict.exitCode == 0 && whole.viewers["joined"] == 200 && whole.breaks.due == 400)
        try journals.cutOff()
        let cut = try #require(try merged())
        #expect(cut.verdict.exitCode == 3 && cut.viewers["joined"] == 200)
        #expect(cut.shards?.map(\.state) == [.cutOff, .cutOff, .cutOff])
    }
}
