import ExampleRuns
import Foundation
import TestSupport
import Testing
import Values

@testable import Results

/// The state is written now and then, so that a reader need not fold everything; nothing else changes by that.
@Suite struct CheckpointPaceTests {
    private typealias PoorDisk = JournalWritingTests.PoorDisk

    private static let often = CheckpointPace(leastBytes: 300, perByte: 1)

    /// The records of a journal, and where each ends.
    private static func records(_ file: URL) throws -> [(record: JournalRecord, end: Int64)] {
        var lines = try JournalLines.opened(file)
        var records: [(record: JournalRecord, end: Int64)] = []
        while let record = lines.nextRecord() { records.append((record, lines.wholeBytes)) }
        return records
    }

    private static func kinds(_ file: URL) throws -> [JournalRecord.Kind] { try records(file).map(\.record.kind) }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func everyRecordOfAJournalWithCheckpointsGivesWhatCameBefore(seed: UInt64) async throws {
        var bench = try JournalBench(pace: Self.often)
        let intervals = TinyRun.intervals(30, seed: seed)
        await bench.append(intervals)
        #expect(await bench.finish().intervalsKept == 30)
        let file = try bench.copy()
        let records = try Self.records(file)
        #expect(records.count { $0.record.kind == .checkpoint } > 3)
        #expect(records.count { $0.record.kind == .interval } == 30)
        let bytes = try Data(contentsOf: file)
        var folded = 0
        for (record, end) in records.dropFirst(2) {
            if record.kind == .interval { folded += 1 }
            let cut = try Self.recovered(bytes.prefix(Int(end)))
            #expect(cut.whole.checkpoint == TinyRun.State().folding(intervals.prefix(folded)), "seed \(seed), \(end)")
            #expect(cut.brief.checkpoint == cut.whole.checkpoint, "seed \(seed), \(end)")
            #expect(cut.brief.ending == .complete && cut.brief.droppedBytes == 0)
        }
        #expect(folded == 30)
    }

    private static func recovered(_ bytes: Data) throws -> (whole: TinyRun.Recovered, brief: TinyRun.Recovered) {
        (try TinyRun.recover(bytes), try TinyRun.recover(bytes, isBrief: true))
    }

    @Test func aCheckpointThatIsTornOrDamagedCostsNoInterval() async throws {
        var bench = try JournalBench(pace: Self.often)
        let intervals = TinyRun.intervals(40, seed: 1)
        await bench.append(intervals)
        await bench.finish()
        let file = try bench.copy()
        let records = try Self.records(file)
        let last = try #require(records.lastIndex { $0.record.kind == .checkpoint })
        let before = TinyRun.State().folding(intervals.prefix(records[..<last].count { $0.record.kind == .interval }))
        let bytes = try Data(contentsOf: file).prefix(Int(records[last].end))
        for place in Int(records[last - 1].end)..<bytes.count {
            let torn = try Self.recovered(bytes.prefix(place))
            #expect(torn.whole.checkpoint == before && torn.brief.checkpoint == before, "\(place)")
            var damaged = bytes
            damaged[place] ^= 0x04
            let read = try Self.recovered(damaged)
            #expect(read.whole.checkpoint == before && read.brief.checkpoint == before, "\(place)")
            #expect(read.brief.droppedBytes > 0 && read.brief.ending != .complete, "\(place)")
        }
    }

    @Test func checkpointsTakeNoMoreRoomThanTheIntervalsTheyStandFor() async throws {
        var bench = try JournalBench(pace: CheckpointPace(leastBytes: 300, perByte: 2))
        await bench.append(TinyRun.intervals(300, seed: 2))
        await bench.finish()
        var (checkpoint, intervals, number) = (0, 0, 0)
        for (record, _) in try Self.records(bench.copy()).dropFirst() {
            guard record.kind == .checkpoint else {
                intervals += record.payload.count + JournalRecord.frameLength
                continue
            }
            number += 1
            // The first is written before any interval.
            if number > 1 { #expect(intervals >= max(300, 2 * checkpoint), "checkpoint \(number)") }
            (checkpoint, intervals) = (record.payload.count, 0)
        }
        #expect(number > 10)
    }

    @Test func aBusyMomentIsWaitedOutButNotForEver() async throws {
        var bench = try JournalBench(pace: Self.often)
        let busy = TinyRun.Interval(amount: 1, text: "busy")
        let quiet = TinyRun.Interval(amount: 1, text: "calm")
        let length = try JournalBytes.of([JournalRecord(.interval, busy)]).count
        let enough = (300 + length - 1) / length
        await bench.append(Array(repeating: busy, count: enough + 2))
        await bench.finish()
        #expect(try Self.kinds(bench.copy("a")).suffix(from: 2).allSatisfy { $0 == .interval })
        await bench.append(quiet)
        await bench.finish()
        #expect(try Self.kinds(bench.copy("b")).suffix(2) == [.interval, .checkpoint])
        await bench.append(Array(repeating: busy, count: 2 * enough + 1))
        await bench.finish()
        #expect(try Self.kinds(bench.copy("c")).suffix(2 * enough + 2).count { $0 == .checkpoint } == 1)
        #expect(try TinyRun.recover(bench.copy(), isBrief: true).checkpoint == bench.state)
    }

    /// A disk that has room for intervals and none for the state.
    @Test func aCheckpointThatCannotBeWrittenCostsNothing() async throws {
        let poor = PoorDisk()
        var bench = try JournalBench(disk: poor.disk, pace: CheckpointPace(leastBytes: 1, perByte: 0))
        await bench.append(TinyRun.intervals(2, seed: 3))
        await bench.finish()
        #expect(try Self.kinds(bench.copy()).last == .checkpoint)
        let kept = try bench.bytes
        let next = TinyRun.Interval(amount: 7, text: "next")
        let length = try JournalBytes.of([JournalRecord(.interval, next)]).count
        poor.set { $0.room = length + 5 }
        #expect(await bench.append(next))
        await bench.finish()
        #expect(try bench.bytes.count == kept.count + length)
        poor.set { $0.room = .max }
        await bench.append(TinyRun.intervals(3, seed: 4))
        let result = await bench.finish()
        #expect(result.intervalsKept == 6 && result.intervalsLost == 0 && result.error == nil && bench.told == [])
        #expect(Int64(try bench.bytes.count) == result.bytes)
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func theBriefWayToTheStateOfARunIsExact() async throws {
        let pace = CheckpointPace(leastBytes: 20_000, perByte: 0)
        var bench = try JournalBench(ExampleIntervals.settings, pace: pace)
        await bench.append(ExampleIntervals.make(24))
        await bench.finish()
        let file = try bench.copy()
        #expect(try Self.kinds(file).count { $0 == .checkpoint } > 1)
        let (brief, whole) = (try RecoveredRun(of: file), try RecoveredRun(of: file, isBrief: false))
        #expect(brief.checkpoint == bench.state && whole.checkpoint == bench.state)
        #expect(try brief.document().json() == whole.document().json())
    }

    @Test func anIntervalIsQuietWithoutPodsAndBreaks() {
        func interval(pods: UInt64 = 0, nextBreakIn microseconds: Int64? = nil) -> RunInterval {
            var interval = RunInterval(second: 0, runStart: 4_000_000)
            interval.counts.podRequests = pods
            interval.nextBreakMicroseconds = microseconds.map { 5_000_000 + $0 }
            return interval
        }
        #expect(interval().isQuiet && interval(nextBreakIn: 3_000_001).isQuiet)
        #expect(!interval(pods: 1).isQuiet && !interval(nextBreakIn: 3_000_000).isQuiet)
        #expect(!interval(nextBreakIn: -1).isQuiet)
    }
}
