import ExampleRuns
import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Results

/// What shards left comes to what one process would have come to.
@Suite struct MergeTests {
    private static func random(seed: UInt64, shards: Int, warmUp: Int64) -> ShardedRun {
        var generator = SeededGenerator(seed: seed)
        var run = ShardedRun(
            shards: shards,
            loops: Int.random(in: shards...5, using: &generator),
            settings: .example(warmUpMilliseconds: warmUp)
        )
        for _ in 0..<Int.random(in: 4...8, using: &generator) {
            run.act(Int.random(in: 0...90, using: &generator), using: &generator)
            run.close(after: Int64.random(in: 900...1_100, using: &generator))
        }
        return run
    }

    /// Without what is a process's own: its description, its budget, its notes, and the last bits of means.
    private static func comparable(_ document: ResultDocument, like other: ResultDocument) throws -> String {
        var document = document
        (document.run, document.health) = (other.run, other.health)
        // A shard's own limit is named with the shard.
        document.verdict.reasons.removeAll { $0.contains("was read too late by podswarm") }
        (document.shards, document.notes) = (nil, nil)
        document.windows = document.windows?.map { window in
            var window = window
            window.cpuCoresMean = (window.cpuCoresMean * 1e6).rounded() / 1e6
            return window
        }
        return String(decoding: try document.json(), as: UTF8.self)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func mergedShardsAreOneRunToTheLastBit(seed: UInt64) throws {
        let run = Self.random(seed: seed, shards: 1 + Int(seed % 4), warmUp: seed % 3 == 0 ? 3_000 : 0)
        let merged = try run.merged()
        let whole = run.whole.document(run.ending)
        let lines = try [merged, whole].map { try Self.comparable($0, like: whole).split(separator: "\n") }
        let difference = zip(lines[0], lines[1]).first { $0 != $1 }
        #expect(difference == nil && lines[0].count == lines[1].count, "\(String(describing: difference))")
        #expect((merged.run.shard, merged.run.loops) == (nil, run.shards.count * 2))
        let shard = run.shards.count == 1 ? ["shard": "0"] : [:]
        #expect(merged.run.labels == shard.merging(["release": "1.4.2"]) { $1 })
        #expect(merged.run.endedAtMicroseconds == whole.run.endedAtMicroseconds)
        let asked = merged.run.asked.first { $0.name == RunDescription.Asked.viewers }
        #expect(asked?.requested == Double(100 * run.shards.count))
        #expect(asked?.observed == whole.run.asked.first { $0.name == RunDescription.Asked.viewers }?.observed)
    }

    @Test func curvesAreAddedStepByStep() throws {
        var settings = CollectorSettings.example()
        settings.run.audienceCurve = PlannedAudience(shape: "steps", stepMilliseconds: 500, viewers: [1, 5, 9])
        var run = ShardedRun(shards: 3, loops: 3, settings: settings)
        run.close(after: 1_000)
        let merged = try run.merged()
        let expected = PlannedAudience(shape: "steps", stepMilliseconds: 500, viewers: [3, 15, 27])
        #expect(merged.run.audienceCurve == expected)
        #expect(expected.joined(with: PlannedAudience(shape: nil, stepMilliseconds: 250, viewers: [1, 2, 3])) == nil)
    }

    @Test func healthIsAddedAndEachShardStandsForItself() throws {
        let run = Self.random(seed: 3, shards: 3, warmUp: 0)
        let merged = try run.merged()
        #expect(merged.health.seconds == run.whole.health.seconds)
        #expect(merged.health.cpuCoresMaximum == 0.125 + 0.25 + 0.375)
        #expect((merged.health.residentBytesMaximum, merged.health.openDescriptorsMaximum) == (6_000_000, 33))
        #expect(merged.health.loopDelayMaximumMicroseconds == 300)
        #expect(merged.health.lateStarts == run.whole.health.lateStarts)
        #expect(merged.health.loopCores == 6 && merged.health.descriptorLimit == 3_000)
        let shards = try #require(merged.shards)
        #expect((shards.map(\.index), shards.map(\.state)) == ([0, 1, 2], [.ended, .ended, .ended]))
        #expect(shards.map(\.host?.name) == ["host-0", "host-1", "host-2"])
        #expect(shards.reduce(0) { $0 + ($1.requests ?? 0) } == merged.requests.values.reduce(0) { $0 + $1.count })
        #expect(shards.reduce(0) { $0 + ($1.due ?? 0) } == merged.breaks.due)
        #expect(shards.reduce(0) { $0 + ($1.viewers ?? 0) } == merged.viewers["joined"])
        #expect(merged.run.host.name == nil && merged.run.host.cpuCount == 3 * ExampleRun.host.cpuCount)
    }

    /// Nobody sees it alone: each shard's viewers agree among themselves.
    @Test func aPodThatDiffersBetweenShardsIsFoundWithExactCounts() throws {
        var run = ShardedRun(shards: 2, loops: 2)
        for (loop, viewers) in [(0, 0..<30), (1, 30..<50)] {
            for recorder in run.recorders(of: loop) {
                let slot = recorder.breakSlot(for: "b", start: ExampleRun.start + 500_000, durationMilliseconds: 1)
                recorder.count(.joined, by: UInt64(viewers.count))
                recorder.serve(slot, due: viewers.count, onTime: viewers.count)
                for viewer in viewers {
                    recorder.podRequested(slot, identifier: "pod/1", viewer: viewer, wallMicroseconds: Int64(viewer))
                    let pod: UInt64 = loop == 0 ? 1 : 2
                    recorder.give(.pod("pod/1"), pod, to: viewer, in: slot, at: Int64(viewer), observed: "ad \(pod)")
                }
            }
        }
        run.close()
        #expect(run.shards.allSatisfy { $0.totals.findings.isEmpty })
        let merged = try run.merged()
        let finding = try #require(merged.findings.first)
        #expect(merged.findings.map(\.code) == ["pod_mismatch"])
        #expect(finding.count == 20)
        #expect(merged.verdict.outcome == .failed && merged.verdict.exitCode == 1)
        #expect(merged.shards?.map(\.findings) == [0, 0])
    }

    @Test func howManyJournalsAreReadAtOnceChangesNothing() throws {
        let run = Self.random(seed: 1, shards: 5, warmUp: 0)
        let folder = try ShardFolder()
        let journals = try ShardJournals(among: folder.write(run, without: [2]).map { .init(files: [$0]) })
        let documents = try [1, 2, 3, 16].map { workers in
            try MergedRun(reading: journals, workers: workers).document()?.json()
        }
        #expect(documents[0] != nil && Set(documents).count == 1)
    }

    @Test(arguments: [1, 2, 16]) func theFirstJournalThatCannotBeReadIsNamed(workers: Int) throws {
        var run = ShardedRun(shards: 5, loops: 5)
        run.close()
        let folder = try ShardFolder()
        let files = try folder.write(run)
        let journals = try ShardJournals(among: files.map { .init(files: [$0]) })
        for file in files[2...] { try FileManager.default.removeItem(at: file) }
        let refusal = #expect(throws: Problems.self) { try MergedRun(reading: journals, workers: workers) }
        #expect(refusal?.all.count == 1 && refusal?.description.contains("s-2.journal") == true)
    }

    @Test func shardsMayBeAddedInAnyOrder() throws {
        let run = Self.random(seed: 9, shards: 4, warmUp: 2_000)
        let orders = [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]]
        let documents = try orders.map { order in
            var merged = MergedRun(count: 4)
            for index in order { merged.add(DoneShard(run.shards[index].ended(run.ending), index: index)) }
            let document = try #require(merged.document())
            return try Self.comparable(document, like: run.whole.document(run.ending))
        }
        #expect(Set(documents).count == 1)
    }

    /// Windows of a shard that was lost early are shorter than those of a long run, and so are its steps.
    @Test func aShardThatWasLostEarlyIsAddedWhereItWas() throws {
        var run = ShardedRun(shards: 2, loops: 2, settings: .example(windowMilliseconds: 1_000))
        var generator = SeededGenerator(seed: 5)
        for second in 0..<320 {
            if second < 40 || second % 10 == 0 { run.act(3, using: &generator) }
            run.close(gone: second < 40 ? [] : [1])
        }
        var merged = MergedRun(count: 2)
        merged.add(DoneShard(run.shards[0].ended(run.ending), index: 0))
        merged.add(DoneShard(run.shards[1], index: 1))
        let document = try #require(merged.document())
        let whole = run.whole.document(run.ending)
        #expect(document.windows?.map(\.startMilliseconds) == whole.windows?.map(\.startMilliseconds))
        #expect(document.windows?.map(\.endMilliseconds) == whole.windows?.map(\.endMilliseconds))
        #expect(document.windows?.map(\.requests) == whole.windows?.map(\.requests))
        #expect(document.windows?.map(\.viewers) == whole.windows?.map(\.viewers))
        #expect(document.windows?.map(\.residentBytesMaximum) == whole.windows?.map(\.residentBytesMaximum))
        // The target's course is judged where all shards were there.
        #expect(document.windows?.filter(\.isComplete).count == 20)
        #expect(document.series == whole.series)
        #expect(document.verdict.outcome != .passed)
    }

    @Test func aMachineThatStoodStillDoesNotLoseItsViewers() throws {
        let settings = CollectorSettings.example()
        func collector(_ ends: [Int64], viewers: Int64) -> RunCollector {
            var (collector, start) = (RunCollector(settings), Int64(0))
            for (number, end) in ends.enumerated() {
                var interval = RunInterval(second: number, health: HealthSample(wallMicroseconds: 0, residentBytes: 5))
                (interval.startMicroseconds, interval.endMicroseconds) = (start * 1_000, end * 1_000)
                (interval.counts.activeViewers, interval.counts.requests) = (viewers, 1)
                collector.fold(interval)
                start = end
            }
            return collector
        }
        var merged = MergedRun(count: 2)
        let ending = RunEnding(endedAtMicroseconds: ExampleRun.start + 5_000_000)
        merged.add(DoneShard(collector([1_000, 2_000, 3_001, 4_000, 5_000], viewers: 10).ended(ending), index: 0))
        merged.add(DoneShard(collector([1_002, 4_003, 5_001], viewers: 7).ended(ending), index: 1))
        let points = try #require(merged.document()).series.points
        #expect(points.map(\.activeViewers) == [17, 17, 17, 17, 17])
        #expect((points.map(\.residentBytes), points.map(\.requests)) == ([10, 10, 10, 10, 10], [2, 2, 1, 1, 2]))
    }

    @Test func clocksOfAllShardsAreTold() throws {
        var merged = MergedRun(count: 2)
        for index in 0..<2 {
            var loops = CollectedLoops(settings: CollectorSettings.example().of(shard: index, count: 2))
            loops.close()
            loops.wallOffset = index == 0 ? 200_000 : -900_000
            loops.close()
            merged.add(DoneShard(loops.collector.ended(RunEnding(endedAtMicroseconds: 0)), index: index))
        }
        let clock = try #require(merged.document()?.clock)
        #expect((clock.stepCount, clock.steps.map(\.shard)) == (2, [0, 1]))
        #expect((clock.steps.map(\.byMicroseconds), clock.driftMicroseconds) == ([200_000, -900_000], -900_000))
    }
}
