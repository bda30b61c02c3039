import ExampleRuns
import Foundation
import Rules
import TestSupport
import Testing

@testable import Results

/// What is missing undoes no failure and lets nothing pass.
@Suite struct LostShardTests {
    /// A run in which every viewer has its pod, but for `late` of the second shard.
    private static func run(late: Int = 0, unresolved: Int = 0) -> ShardedRun {
        var run = ShardedRun(shards: 3, loops: 3)
        for loop in 0..<3 {
            for recorder in run.recorders(of: loop) {
                let slot = recorder.breakSlot(for: "b", start: ExampleRun.start + 500_000, durationMilliseconds: 1)
                let (slow, silent) = loop == 1 ? (late, unresolved) : (0, 0)
                recorder.count(.joined, by: 100)
                recorder.serve(slot, due: 100 - silent, onTime: 100 - silent - slow, late: slow, persona: 1)
                for _ in 0..<silent { recorder.viewerDue(slot, of: Cohort(persona: 1)) }
            }
        }
        for _ in 0..<4 { run.close() }
        return run
    }

    struct Loss: Sendable {
        var late = 0
        var missing: Set<Int> = []
        let outcome: RunVerdict.Outcome
        let reasons: [String]
    }

    @Test(arguments: [
        Loss(outcome: .passed, reasons: []),
        Loss(missing: [1], outcome: .incomplete, reasons: ["shard 1 of 3 left nothing"]),
        Loss(
            late: 90,
            missing: [2],
            outcome: .failed,
            reasons: ["breaks.on_time >= 99% (default): observed 55%", "shard 2 of 3 left nothing"]
        ),
    ]) func whatIsMissingForbidsAPassAndUndoesNoFailure(loss: Loss) throws {
        let folder = try ShardFolder()
        let files = try folder.write(Self.run(late: loss.late), without: loss.missing)
        let merged = try #require(try ShardFolder.merged(files))
        #expect(merged.verdict.outcome == loss.outcome && merged.verdict.exitCode == loss.outcome.exitCode)
        #expect((merged.verdict.reasons, merged.run.interrupted) == (loss.reasons, !loss.missing.isEmpty))
        #expect(merged.breaks.due == UInt64(100 * (3 - loss.missing.count)))
        #expect(merged.shards?.map(\.state) == (0..<3).map { loss.missing.contains($0) ? .missing : .ended })
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aTornJournalNeverPasses(seed: UInt64) throws {
        let run = Self.run()
        let folder = try ShardFolder()
        let whole = try folder.write(run)
        let bytes = try run.journal(of: 1, ending: run.ending)
        let lines = bytes.indices.filter { bytes[$0] == 0x0a }.map { $0 + 1 }
        var generator = SeededGenerator(seed: seed)
        let lengths = lines.dropLast() + (0..<12).map { _ in Int.random(in: 0..<bytes.count, using: &generator) }
        for length in lengths {
            let torn = try folder.write(bytes.prefix(length), "torn.journal")
            do {
                let merged = try #require(try ShardFolder.merged([whole[0], torn, whole[2]]))
                #expect(merged.verdict.outcome == .incomplete, "\(length) bytes")
                #expect(merged.shards?[1].state == .cutOff, "\(length) bytes")
                let recovered = try #require(merged.shards?[1].recovered)
                #expect(recovered.intervals <= 4)
            } catch let error as Problems {
                // Not even the first checkpoint is whole.
                #expect(length < lines[1], "\(length) bytes: \(error)")
            }
        }
    }

    @Test func bytesThatWereChangedNeverPass() throws {
        let run = Self.run()
        let folder = try ShardFolder()
        let whole = try folder.write(run)
        let bytes = try run.journal(of: 1, ending: run.ending)
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<30 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                1 << UInt8.random(in: 0...7, using: &generator)
            let file = try folder.write(changed, "changed.journal")
            let merged = try? ShardFolder.merged([whole[0], file, whole[2]])
            #expect(merged?.verdict.outcome != .passed)
        }
    }

    @Test func nobodyKnowsWhatBecameOfViewersThatWereDueWhenAShardWasLost() throws {
        let run = Self.run(unresolved: 50)
        let folder = try ShardFolder()
        let files = try folder.write(run)
        let failed = try #require(try ShardFolder.merged(files))
        #expect(failed.verdict.outcome == .failed && failed.breaks.due == 300)
        let cut = try folder.write(run.journal(of: 1, ending: nil), "cut.journal")
        let merged = try #require(try ShardFolder.merged([files[0], cut, files[2]]))
        #expect(merged.verdict.outcome == .incomplete)
        #expect(merged.breaks.due == 250 && merged.breaks.onTime == 250)
        #expect((merged.breaks.each.first?.unresolved, merged.shards?[1].unresolvedLeftOut) == (0, 50))
        #expect(merged.windows?.reduce(0) { $0 + $1.due } == 250)
        #expect(merged.notes?.contains { $0.contains("50 viewers due") } == true)
    }

    @Test func whoEndedAShardIsTold() throws {
        let run = Self.run()
        let endings = [
            RunEnding(endedAtMicroseconds: 1),
            RunEnding(endedAtMicroseconds: 1, abortedBy: "errors > 5%"),
            RunEnding(endedAtMicroseconds: 1, interrupted: true),
        ]
        func document(_ endings: [RunEnding]) -> ResultDocument? {
            var merged = MergedRun(count: 3)
            for (index, ending) in endings.enumerated() {
                merged.add(DoneShard(run.shards[index].ended(ending), index: index))
            }
            return merged.document()
        }
        let aborted = try #require(document(endings))
        #expect((aborted.verdict.outcome, aborted.run.abortedBy) == (.failed, "shard 1 of 3: errors > 5%"))
        #expect(aborted.shards?.map(\.state) == [.ended, .aborted, .interrupted])
        let interrupted = try #require(document([endings[0], endings[0], endings[2]]))
        #expect(interrupted.verdict.outcome == .incomplete)
        #expect(interrupted.verdict.reasons == ["shard 2 of 3 (host-2) was interrupted"])
        let defect = RunEnding(endedAtMicroseconds: 1, abortedBy: "a defect of podswarm", defect: "a loop stood still")
        #expect(document([endings[0], defect, endings[0]])?.verdict.outcome == .defect)
    }

    private static func limited(_ limitedViewers: Int, of all: Int) -> MergedRun {
        var merged = MergedRun(count: 2)
        for (index, viewers) in [all - limitedViewers, limitedViewers].enumerated() {
            var loops = CollectedLoops(loops: 1, settings: CollectorSettings.example().of(shard: index, count: 2))
            let slot = loops.recorders[0].breakSlot(for: "b", start: ExampleRun.start, durationMilliseconds: 1)
            loops.recorders[0].count(.joined, by: UInt64(viewers))
            loops.recorders[0].serve(slot, due: 1, onTime: 1)
            loops.close(health: HealthSample(wallMicroseconds: 0, droppedStarts: index == 1 ? 3 : 0))
            merged.add(DoneShard(loops.collector.ended(RunEnding(endedAtMicroseconds: 0)), index: index))
        }
        return merged
    }

    @Test func aShardThatWasItsOwnLimitDecidesByItsShare() throws {
        let merged = Self.limited(5, of: 100)
        let strict = try #require(merged.document())
        #expect(strict.verdict.outcome == .clientLimited && strict.verdict.exitCode == 3)
        #expect(strict.verdict.reasons == ["shard 1 of 2 (host-1): 3 requests never sent or read (allowed 0)"])
        #expect(!strict.health.withinBudget && strict.health.reasons == strict.verdict.reasons)
        #expect(strict.shards?.map(\.health?.withinBudget) == [true, false])
        #expect(merged.document(toleratedLimitedShare: 0.04)?.verdict.outcome == .clientLimited)
        let tolerant = try #require(merged.document(toleratedLimitedShare: 0.05))
        #expect(tolerant.verdict.outcome == .passed && tolerant.health.withinBudget)
        #expect(tolerant.notes?.contains { $0.contains("shard 1 of 2 (host-1)") && $0.contains("5%") } == true)
    }
}
