import Foundation
import JSON
import Recording
import RunJournal
import RunResult
import TestSupport
import Testing
import Thresholds

/// What is recovered is what the live run had.
@Suite struct RecoveryTests {
    /// A run against a journal in a folder of its own.
    private final class LiveRun: Sendable {
        let folder: URL
        let journal: RunJournalWriter

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            journal = RunJournalWriter(
                at: folder.appending(path: "run.journal"),
                settings: ExampleIntervals.settings,
                checkpoint: RunCollector(ExampleIntervals.settings)
            )
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func keep(_ intervals: some Sequence<RunInterval>, in collector: inout RunCollector) async {
            for interval in intervals {
                collector.fold(interval)
                let now = collector
                _ = await withCheckedContinuation { continuation in
                    journal.append(interval, checkpoint: now) { continuation.resume(returning: $0) }
                }
            }
        }

        /// What a crash now would leave.
        func copy(of name: String = "run.journal") throws -> URL {
            let copy = folder.appending(path: "copy-of-\(name)")
            try Data(contentsOf: folder.appending(path: name)).write(to: copy)
            return copy
        }
    }

    private static func ended(_ collector: RunCollector) -> ResultDocument {
        collector.document(RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds, interrupted: true))
    }

    @Test func aWholeJournalGivesTheResultOfTheRun() async throws {
        let run = try LiveRun()
        var collector = RunCollector(ExampleIntervals.settings)
        await run.keep(ExampleIntervals.make(24), in: &collector)
        let recovered = try RecoveredRun(of: run.copy())
        #expect(recovered.checkpoint == collector)
        var document = recovered.document()
        #expect(document.run.recovered == RecoveredMark(intervals: 24, droppedBytes: 0, reason: "the journal is whole"))
        #expect(document.verdict.outcome == .interrupted)
        #expect(!document.findings.isEmpty && document.breaks.each.count == 3 && (document.windows?.count ?? 0) > 3)
        document.run.recovered = nil
        #expect(try document.json() == Self.ended(collector).json())
    }

    @Test func aJournalCutAnywhereGivesTheResultUpToThere() async throws {
        let run = try LiveRun()
        let intervals = ExampleIntervals.make(8, requests: 4, seed: 2)
        var collector = RunCollector(ExampleIntervals.settings)
        await run.keep(intervals, in: &collector)
        let bytes = try Data(contentsOf: run.folder.appending(path: "run.journal"))
        let states = (0...8).map { ExampleIntervals.folded(intervals.prefix($0)) }
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }.map { $0 + 1 }.dropFirst()
        #expect(ends.count == 9)
        for (count, end) in ends.enumerated() {
            for length in [end, end + 1, end + 300] where length <= bytes.count {
                let file = run.folder.appending(path: "cut.journal")
                try bytes.prefix(length).write(to: file)
                guard count > 0 else {
                    #expect(throws: JournalReadingError.self) { try RecoveredRun(of: file) }
                    continue
                }
                let recovered = try RecoveredRun(of: file)
                #expect(recovered.checkpoint == states[count], "\(length) bytes")
                #expect(recovered.droppedBytes == Int64(length - end))
            }
        }
    }

    @Test func aRotatedFileGivesEverythingUpToItsEnd() async throws {
        let run = try LiveRun()
        let intervals = ExampleIntervals.make(20, seed: 3)
        var collector = RunCollector(ExampleIntervals.settings)
        await run.keep(intervals[..<12], in: &collector)
        run.journal.rotate()
        await run.keep(intervals[12...], in: &collector)
        let first = try RecoveredRun(of: run.copy(of: "run.journal.1"))
        #expect(first.checkpoint == ExampleIntervals.folded(intervals[..<12]))
        let second = try RecoveredRun(of: run.copy())
        #expect(second.checkpoint == collector)
        #expect(second.intervals == 7)
        #expect(second.document().run.recovered?.intervals == 20)
    }

    /// Another version may have had metrics that this one has not: what nobody can judge must not pass.
    @Test func aThresholdThatCannotBeReadIsToldAndKeepsTheRunFromPassing() async throws {
        var settings = ExampleIntervals.settings
        settings.thresholds = [.rule(.mostBreaksOnTime), WrittenThreshold("breaks.on_tyme >= 99%")]
        let complaint =
            "the threshold 'breaks.on_tyme >= 99%' cannot be judged: no metric is named 'breaks.on_tyme';"
            + " did you mean 'breaks.on_time'?"
        let folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "run.journal")
        let journal = RunJournalWriter(at: file, settings: settings, checkpoint: RunCollector(settings))
        var collector = RunCollector(settings)
        for interval in ExampleIntervals.make(4, seed: 6) {
            collector.fold(interval)
            let now = collector
            _ = await withCheckedContinuation { continuation in
                journal.append(interval, checkpoint: now) { continuation.resume(returning: $0) }
            }
        }
        // As after a kill: a journal that is being written is not read.
        let copy = folder.appending(path: "copy.journal")
        try FileManager.default.copyItem(at: file, to: copy)
        let recovered = try RecoveredRun(of: copy)
        #expect(recovered.checkpoint == collector)
        #expect(recovered.header.settings.thresholds == settings.thresholds)
        #expect(recovered.complaints == [complaint])
        let document = recovered.document()
        #expect(document.verdict.outcome != .passed && document.verdict.reasons.contains(complaint))
        #expect(document.thresholds.map(\.text) == ["breaks.on_time >= 99%"])
        let ended = recovered.checkpoint.document(RunEnding(endedAtMicroseconds: 1, interrupted: false))
        #expect(ended.verdict.outcome != .passed && ended.verdict.reasons.contains(complaint))
    }

    @Test func figuresThatAreNoNumbersDoNotCostTheirInterval() async throws {
        let run = try LiveRun()
        var collector = RunCollector(ExampleIntervals.settings)
        var intervals = ExampleIntervals.make(3, seed: 4)
        intervals[1].health = HealthSample(wallMicroseconds: 1, cpuCores: .nan, loadAverage: .infinity)
        await run.keep(intervals, in: &collector)
        #expect(try RecoveredRun(of: run.copy()).intervals == 3)
    }

    /// JSON with the places of its figures, to be spoilt many times.
    private struct Figures: Sendable {
        private let text: [UInt8]
        private let places: [Range<Int>]

        init(_ value: some Encodable) throws {
            text = [UInt8](try JSONEncoder().encode(value))
            var places: [Range<Int>] = []
            var start: Int?
            for (place, byte) in text.enumerated() {
                let isDigit = (0x30...0x39).contains(byte) || byte == 0x2e || byte == 0x2d
                if isDigit { start = start ?? place }
                if !isDigit, let from = start.take() { places.append(from..<place) }
            }
            self.places = places
        }

        static let hostile = [
            "-1", "0", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "281474976710655",
            "1e308",
            "4294967296", "0.5",
        ]

        func spoilt(using generator: inout SeededGenerator) -> Data {
            var text = self.text
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = places[Int.random(in: 0..<places.count, using: &generator)]
                guard place.upperBound < text.count else { continue }
                let number = Self.hostile[Int.random(in: 0..<Self.hostile.count, using: &generator)]
                text.replaceSubrange(place, with: number.utf8)
            }
            return Data(text)
        }

        var whole: Data { Data(text) }
    }

    /// The checksum of a record says that it was written so, not that its figures make sense.
    @Test func hostileFiguresNeverEndTheProcess() throws {
        let header = try Figures(JournalHeader(settings: ExampleIntervals.settings))
        let checkpoint = try Figures(ExampleIntervals.folded(ExampleIntervals.make(7, requests: 3, seed: 5)))
        let interval = try Figures(#require(ExampleIntervals.make(8, requests: 3, seed: 5).last))
        let url = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString).journal")
        defer { try? FileManager.default.removeItem(at: url) }
        var recovered = 0
        for seed in 0..<150 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let spoilsCheckpoint = seed % 2 == 0
            var file: [UInt8] = []
            var last: UInt32 = 0
            for (kind, payload) in [
                (JournalRecord.Kind.header, header.whole),
                (.checkpoint, spoilsCheckpoint ? checkpoint.spoilt(using: &generator) : checkpoint.whole),
                (.interval, spoilsCheckpoint ? interval.whole : interval.spoilt(using: &generator)),
                (.interval, interval.whole),
            ] {
                let line = JournalRecord(kind: kind, payload: payload).line(after: last)
                file += line.bytes
                last = line.checksum
            }
            try Data(file).write(to: url)
            do {
                let document = try RecoveredRun(of: url).document()
                #expect(document.verdict.outcome != .passed, "seed \(seed)")
                recovered += 1
            } catch {
                continue
            }
        }
        #expect(recovered > 0 && recovered < 150)
    }
}
