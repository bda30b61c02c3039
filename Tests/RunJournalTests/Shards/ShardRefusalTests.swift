import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing

/// Journals that make no result together are refused, each mistake in words.
@Suite struct ShardRefusalTests {
    private struct Bench {
        let folder: ShardFolder

        init() throws { folder = try ShardFolder() }

        func journal(
            _ index: Int,
            of count: Int = 2,
            runID: String = "r1",
            name: String? = nil,
            version: String? = nil,
            change: (inout CollectorSettings) -> Void = { _ in }
        ) throws -> URL {
            var settings = CollectorSettings.example().of(shard: index, count: count, runID: runID)
            change(&settings)
            let bytes = try JournalBytes.make(settings, [], version: version)
            return try folder.write(bytes, name ?? "s-\(index).journal")
        }

        func problems(_ files: [URL], runID: String? = nil, expected: Int? = nil, isNamed: Bool = true) -> [String] {
            do {
                let sources = files.map { ShardJournals.Source(files: [$0], isNamed: isNamed) }
                _ = try ShardJournals(among: sources, runID: runID, expected: expected)
                return []
            } catch { return error.all }
        }
    }

    @Test func shardsOfOneRunAreAccepted() throws {
        let bench = try Bench()
        let files = [try bench.journal(0), try bench.journal(1)]
        #expect(bench.problems(files) == [])
        #expect(bench.problems(files, runID: "r1", expected: 2) == [])
        // The same file by two names of it is one file.
        #expect(bench.problems(files + [files[0]]) == [])
    }

    @Test func whatDiffersIsNamedAllAtOnce() throws {
        let bench = try Bench()
        let files = [
            try bench.journal(0),
            try bench.journal(1, of: 3, version: "0.0.1") {
                let mark = $0.run.shard
                $0.run = ExampleRun.description(startingAt: ExampleRun.start + 7)
                ($0.run.shard, $0.run.seed, $0.run.profileDigest) = (mark, 99, "sha256:other")
                $0.warmUpMilliseconds = 77
            },
        ]
        let problems = bench.problems(files)
        for words in ["counts of shards", "profile digests", "seeds", "versions of podswarm", "starts", "judged alike"]
        { #expect(problems.count { $0.contains(words) } == 1, "\(words): \(problems)") }
        #expect(problems.count == 6)
        #expect(problems.allSatisfy { $0.contains("s-0.journal") && $0.contains("s-1.journal") })
    }

    @Test func aShardThatIsThereTwiceOrOfAnotherNumberIsRefused() throws {
        let bench = try Bench()
        let files = [try bench.journal(0), try bench.journal(1)]
        #expect(bench.problems(files, expected: 3) == ["--expect 3: the run had 2 shards, as its journals say"])
        let problems = bench.problems(files + [try bench.journal(1, name: "again.journal")])
        #expect(problems.count == 1 && problems[0].contains("shard 1 is there 2 times"))
        #expect(problems[0].contains("again.journal"))
    }

    @Test func journalsOfTwoRunsNeedAName() throws {
        let bench = try Bench()
        let files = [try bench.journal(0), try bench.journal(1, runID: "r2")]
        let problems = bench.problems(files)
        #expect(problems.count == 1 && problems[0].contains("--run-id"))
        #expect(bench.problems(files, runID: "r2") == [])
        #expect(bench.problems(files, runID: "r3").first?.contains("no journal of a shard of run 'r3'") == true)
    }

    @Test func whatIsNoShardIsRefusedWhereSomebodyNamedIt() throws {
        let bench = try Bench()
        let shard = try bench.journal(0, of: 1)
        let plain = try bench.journal(0, name: "plain.journal") { $0.run.shard = nil }
        let strange = try bench.folder.write(Data("hello\n".utf8), "strange.journal")
        let problems = bench.problems([shard, plain, strange])
        #expect(problems.contains { $0.contains("plain.journal: its run was not a shard") })
        #expect(problems.contains { $0.contains("strange.journal: this is not a journal") })
        #expect(bench.problems([shard, plain, strange], isNamed: false) == [])
        #expect(
            bench.problems([], isNamed: false) == [
                "no journal of a shard is there: name the files, or the folder of results"
            ]
        )
    }

    @Test(arguments: [(0, 0), (2, 2), (-1, 2), (0, Int.max), (Int.max, Int.max)])
    func aMarkThatMeansNothingIsRefused(index: Int, count: Int) throws {
        let bench = try Bench()
        let problems = bench.problems([try bench.journal(index, of: count, name: "odd.journal")])
        #expect(problems.count == 1 && problems[0].contains("is invalid"))
    }

    @Test func aRunThatGoesOnIsRefused() async throws {
        let bench = try Bench()
        let going = try JournalBench(CollectorSettings.example().of(shard: 1, count: 2))
        await going.finish()
        let problems = bench.problems([try bench.journal(0), going.journal])
        #expect(problems.count == 1 && problems[0].contains("its run is still going on: wait"))
    }

    @Test func shardsThatHoldNothingMakeNoResult() throws {
        let bench = try Bench()
        let files = [try bench.journal(0), try bench.journal(1)]
        let error = #expect(throws: Problems.self) { try ShardFolder.merged(files) }
        #expect(error?.all == ["no shard of run 'r1' left a whole interval"])
    }

    /// A journal of a run that ended says so, and one that was killed then does not.
    @Test func aJournalSaysThatItsRunEnded() async throws {
        let bench = try Bench()
        var running = ShardedRun(shards: 1, loops: 1)
        for _ in 0..<3 { running.close() }
        var journal = try JournalBench(running.shards[0].settings)
        await journal.append(running.intervals[0])
        let killed = try bench.folder.write(journal.bytes, "killed.journal")
        let kept = await journal.writer.finish(checkpoint: running.shards[0].ended(running.ending), saysItEnded: true)
        #expect(kept.intervalsKept == 3 && kept.intervalsLost == 0 && kept.error == nil)
        let ended = try bench.folder.write(journal.bytes, "ended.journal")
        #expect(try RecoveredRun(of: killed).checkpoint.ending == nil)
        #expect(try RecoveredRun(of: ended).checkpoint.ending == running.ending)
        #expect(try RecoveredRun(of: ended, isBrief: false).checkpoint == running.shards[0].ended(running.ending))
        #expect(try ShardFolder.merged([killed])?.shards?.map(\.state) == [.cutOff])
        #expect(try ShardFolder.merged([ended])?.shards?.map(\.state) == [.ended])
    }
}
