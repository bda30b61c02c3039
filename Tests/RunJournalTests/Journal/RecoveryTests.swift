import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Results

@Suite struct RecoveryTests {
    private static func ended(_ collector: RunCollector) -> ResultDocument {
        let ending = RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds, interrupted: true)
        return collector.document(ending, isOver: false)
    }

    @Test func aWholeJournalGivesTheResultOfTheRun() async throws {
        var run = try JournalBench(ExampleIntervals.settings)
        await run.append(ExampleIntervals.make(24))
        let recovered = try RecoveredRun(of: run.copy())
        #expect(recovered.checkpoint == run.state)
        var document = recovered.document()
        #expect(document.run.recovered == RecoveredMark(intervals: 24, droppedBytes: 0, reason: "the journal is whole"))
        #expect(document.verdict.outcome == .interrupted)
        #expect(!document.findings.isEmpty && document.breaks.each.count == 4 && (document.windows?.count ?? 0) > 3)
        document.run.recovered = nil
        #expect(try document.json() == Self.ended(run.state).json())
    }

    @Test func aRotatedFileGivesEverythingUpToItsEnd() async throws {
        var run = try JournalBench(ExampleIntervals.settings)
        let intervals = ExampleIntervals.make(20, seed: 3)
        await run.append(intervals[..<12])
        run.writer.rotate()
        await run.append(intervals[12...])
        let first = try RecoveredRun(of: run.copy("first.journal", of: "run.journal.1"))
        #expect(first.checkpoint == ExampleIntervals.folded(intervals[..<12]))
        let second = try RecoveredRun(of: run.copy())
        #expect(second.checkpoint == run.state)
        #expect(second.document().run.recovered?.intervals == 20)
    }

    /// Another version may have had metrics that this one has not: what nobody can judge must not pass.
    @Test func aThresholdThatCannotBeReadIsToldAndKeepsTheRunFromPassing() async throws {
        var settings = ExampleIntervals.settings
        settings.thresholds = [.rule(.mostBreaksOnTime), WrittenThreshold("breaks.on_tyme >= 99%")]
        let complaint =
            "the threshold 'breaks.on_tyme >= 99%' cannot be judged: no metric is named 'breaks.on_tyme';"
            + " did you mean 'breaks.on_time'?"
        var run = try JournalBench(settings)
        await run.append(ExampleIntervals.make(4, seed: 6))
        let recovered = try RecoveredRun(of: run.copy())
        #expect((recovered.checkpoint, recovered.checkpoint.settings.thresholds) == (run.state, settings.thresholds))
        #expect(recovered.complaints == [complaint])
        let document = recovered.document()
        #expect(document.verdict.outcome != .passed && document.verdict.reasons.contains(complaint))
        #expect(document.thresholds.map(\.text) == ["breaks.on_time >= 99%"])
        let ended = recovered.checkpoint.document(RunEnding(endedAtMicroseconds: 1, interrupted: false))
        #expect(ended.verdict.outcome != .passed && ended.verdict.reasons.contains(complaint))
    }

    @Test func figuresThatAreNoNumbersDoNotCostTheirInterval() async throws {
        var run = try JournalBench(ExampleIntervals.settings)
        var intervals = ExampleIntervals.make(3, seed: 4)
        intervals[1].health = HealthSample(wallMicroseconds: 1, cpuCores: .nan, loadAverage: .infinity)
        await run.append(intervals)
        #expect(try RecoveredRun(of: run.copy()).checkpoint.intervals == 3)
    }

    /// JSON with the places of its figures, to be spoilt many times.
    private struct Figures: Sendable {
        private let text: [UInt8]
        private let places: [Range<Int>]

        init(_ value: some Encodable) throws {
            text = [UInt8](try DocumentEncoding.journal.encode(value))
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
            "1e308", "4294967296", "0.5",
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
        let header = try Figures(JournalHeader())
        let checkpoint = try Figures(ExampleIntervals.folded(ExampleIntervals.make(7, deeds: 20, seed: 5)))
        let interval = try Figures(#require(ExampleIntervals.make(8, deeds: 20, seed: 5).last))
        let folder = try TemporaryFolder()
        var recovered = 0
        for seed in 0..<80 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let spoilsCheckpoint = seed % 2 == 0
            let bytes = JournalBytes.of([
                JournalRecord(kind: .header, payload: header.whole),
                JournalRecord(
                    kind: .checkpoint,
                    payload: spoilsCheckpoint ? checkpoint.spoilt(using: &generator) : checkpoint.whole
                ),
                JournalRecord(
                    kind: .interval,
                    payload: spoilsCheckpoint ? interval.whole : interval.spoilt(using: &generator)
                ),
                JournalRecord(kind: .interval, payload: interval.whole),
            ])
            try folder.write(bytes, to: "run.journal")
            do {
                let document = try RecoveredRun(of: folder.file("run.journal")).document()
                #expect(document.verdict.outcome != .passed, "seed \(seed)")
                recovered += 1
            } catch { continue }
        }
        #expect(recovered > 0 && recovered < 80)
    }
}
