import ExampleRuns
import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Results

/// One run done twice: by one process, and by several shards that share its loops.
struct ShardedRun {
    let settings: CollectorSettings
    /// Of each shard, the numbers of its loops among all.
    let loops: [[Int]]
    /// What would have been one process.
    private(set) var whole: RunCollector
    private(set) var shards: [RunCollector]
    private(set) var intervals: [[RunInterval]]
    private let wholeRecorders: [LoopRecorder]
    private let shardRecorders: [LoopRecorder]

    init(shards count: Int, loops loopCount: Int = 4, settings: CollectorSettings = .example()) {
        self.settings = settings
        loops = (0..<count).map { shard in (0..<loopCount).filter { $0 % count == shard } }
        whole = RunCollector(settings)
        shards = (0..<count).map { RunCollector(settings.of(shard: $0, count: count)) }
        intervals = Array(repeating: [], count: count)
        let warmUp = settings.warmUpMilliseconds
        let measuredFrom = warmUp > 0 ? settings.run.startedAtMicroseconds + warmUp * 1_000 : .min
        wholeRecorders = (0..<loopCount).map { _ in LoopRecorder(measuredFromMicroseconds: measuredFrom) }
        shardRecorders = (0..<loopCount).map { _ in LoopRecorder(measuredFromMicroseconds: measuredFrom) }
    }

    /// The recorders of one loop, of the one process and of the shard that has it.
    func recorders(of loop: Int) -> [LoopRecorder] { [wholeRecorders[loop], shardRecorders[loop]] }

    /// Lets viewers do what chance wants.
    func act(_ deeds: Int, using generator: inout SeededGenerator) {
        for _ in 0..<deeds {
            let loop = Int.random(in: 0..<wholeRecorders.count, using: &generator)
            LoopScript.act(on: recorders(of: loop), loop: loop, using: &generator)
        }
    }

    /// Ends the interval that goes on; shards that are gone hear nothing of it, and nor does the one process.
    mutating func close(after milliseconds: Int64 = 1_000, gone: Set<Int> = []) {
        let there = loops.indices.filter { !gone.contains($0) }
        let number = whole.intervals
        whole.fold(
            interval(number, milliseconds, there.map(Self.health).reduce(HealthSample(wallMicroseconds: 0), +)) { sum in
                sum.take(from: wholeRecorders, of: there.flatMap { loops[$0] }.sorted())
            }
        )
        for shard in there {
            let interval = interval(number, milliseconds, Self.health(shard), start: shards[shard].endMicroseconds) {
                $0.take(from: loops[shard].map { shardRecorders[$0] })
            }
            shards[shard].fold(interval)
            intervals[shard].append(interval)
        }
    }

    private static func health(_ shard: Int) -> HealthSample {
        HealthSample(
            wallMicroseconds: 0,
            loopDelayMicroseconds: 100 * Int64(shard + 1),
            cpuCores: 0.125 * Double(shard + 1),
            residentBytes: 1_000_000 * Int64(shard + 1),
            openDescriptors: 10 + shard,
            lateStarts: shard,
            loadAverage: Double(shard)
        )
    }

    private func interval(
        _ number: Int,
        _ milliseconds: Int64,
        _ health: HealthSample,
        start: Int64? = nil,
        fill: (inout RunInterval) -> Void
    ) -> RunInterval {
        let start = start ?? whole.endMicroseconds
        let end = start + milliseconds * 1_000
        var interval = RunInterval(number: number)
        (interval.startMicroseconds, interval.endMicroseconds) = (start, end)
        interval.wallMicroseconds = settings.run.startedAtMicroseconds + end
        interval.health = health
        fill(&interval)
        return interval
    }

    var ending: RunEnding { RunEnding(endedAtMicroseconds: whole.endedAtMicroseconds) }

    func merged() throws -> ResultDocument {
        let folder = try ShardFolder()
        return try #require(try ShardFolder.merged(folder.write(self)))
    }

    /// A journal as a shard leaves it.
    func journal(of shard: Int, ending: RunEnding?, version: String? = nil) throws -> Data {
        try JournalBytes.make(
            shards[shard].settings,
            intervals[shard],
            last: ending.map { shards[shard].ended($0) },
            version: version
        )
    }
}

extension HealthSample {
    /// Two machines at the same time.
    static func + (lhs: HealthSample, rhs: HealthSample) -> HealthSample {
        HealthSample(
            wallMicroseconds: 0,
            loopDelayMicroseconds: max(lhs.loopDelayMicroseconds, rhs.loopDelayMicroseconds),
            cpuCores: lhs.cpuCores + rhs.cpuCores,
            residentBytes: lhs.residentBytes + rhs.residentBytes,
            openDescriptors: lhs.openDescriptors + rhs.openDescriptors,
            lateStarts: lhs.lateStarts + rhs.lateStarts,
            droppedStarts: lhs.droppedStarts + rhs.droppedStarts,
            loadAverage: max(lhs.loadAverage, rhs.loadAverage)
        )
    }
}

extension CollectorSettings {
    /// The same for one shard, on a host of its own.
    func of(shard index: Int, count: Int, runID: String = "r1") -> CollectorSettings {
        var settings = self
        settings.run.shard = ShardMark(runID: runID, index: index, count: count)
        settings.run.host.name = "host-\(index)"
        settings.run.labels = ["release": "1.4.2", "shard": "\(index)"]
        return settings
    }
}

enum JournalBytes {
    static func make(
        _ settings: CollectorSettings,
        _ intervals: [RunInterval],
        last: RunCollector? = nil,
        version: String? = nil
    ) throws -> Data {
        var header = JournalHeader()
        if let version { header.podswarmVersion = version }
        var records = [try JournalRecord(.header, header), try JournalRecord(.checkpoint, RunCollector(settings))]
        records += try intervals.map { try JournalRecord(.interval, $0) }
        if let last { records.append(try JournalRecord(.checkpoint, last)) }
        return of(records)
    }

    /// Records one after the other, each with its checksum; of a journal's rest, that of the record before it is given.
    static func of(_ records: [JournalRecord], after last: UInt32 = 0) -> Data {
        var checksum = last
        return Data(records.flatMap { $0.line(continuing: &checksum) })
    }
}

/// Journals of shards in a folder of their own.
struct ShardFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func write(_ bytes: Data, _ name: String) throws -> URL {
        try folder.write(bytes, to: name)
        return folder.file(name)
    }

    /// The journals of all shards but some, as they leave them.
    func write(_ run: ShardedRun, without missing: Set<Int> = []) throws -> [URL] {
        try run.shards.indices.filter { !missing.contains($0) }.map { shard in
            try write(run.journal(of: shard, ending: run.ending), "s-\(shard).journal")
        }
    }

    static func merged(_ files: [URL], tolerating share: Double = 0) throws -> ResultDocument? {
        try merged(files.map { ShardJournals.Source(files: [$0]) }, tolerating: share)
    }

    static func merged(_ sources: [ShardJournals.Source], tolerating share: Double = 0) throws -> ResultDocument? {
        try MergedRun(reading: ShardJournals(among: sources)).document(toleratedLimitedShare: share)
    }
}
