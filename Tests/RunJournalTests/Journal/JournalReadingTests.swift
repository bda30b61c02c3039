import Foundation
import TestSupport
import Testing

@testable import Results

/// Whatever happened to its end, a journal gives back everything before.
@Suite struct JournalReadingTests {
    /// A journal of some intervals as bytes, the place where its last record begins, and what it holds there and at its end.
    private struct Sample {
        let bytes: Data
        let lastRecord: Int
        let before: TinyRun.State
        let whole: TinyRun.State
    }

    private static func sample(_ count: Int = 5, seed: UInt64 = 11) async throws -> Sample {
        var bench = try JournalBench()
        let intervals = TinyRun.intervals(count, seed: seed)
        await bench.append(intervals.dropLast())
        let lastRecord = try bench.bytes.count
        let before = bench.state
        await bench.append(intervals.suffix(1))
        return Sample(bytes: try bench.bytes, lastRecord: lastRecord, before: before, whole: bench.state)
    }

    @Test(arguments: [0, 1, 2, 3, 17, 100]) func asManyIntervalsAreReadAsWereWritten(count: Int) async throws {
        var bench = try JournalBench()
        await bench.append(TinyRun.intervals(count, seed: UInt64(count)))
        await bench.finish()
        let recovered = try TinyRun.recover(bench.copy())
        #expect(recovered.checkpoint == bench.state)
        #expect(bench.state.count == count && recovered.droppedBytes == 0 && recovered.ending == .complete)
        #expect(recovered.header.podswarmVersion == PodswarmVersion.current)
    }

    @Test func cutAtAnyByteOfItsLastRecordEverythingBeforeIsThere() async throws {
        let sample = try await Self.sample()
        for length in sample.lastRecord..<sample.bytes.count {
            let recovered = try TinyRun.recover(sample.bytes.prefix(length))
            #expect(recovered.checkpoint == sample.before, "\(length) bytes")
            #expect(recovered.droppedBytes == Int64(length - sample.lastRecord))
            #expect(recovered.ending == (length == sample.lastRecord ? .complete : .torn), "\(length) bytes")
        }
        #expect(try TinyRun.recover(sample.bytes).checkpoint == sample.whole)
    }

    @Test func aFlippedBitAnywhereInTheLastRecordCostsThatRecordOnly() async throws {
        let sample = try await Self.sample()
        for index in sample.lastRecord..<sample.bytes.count {
            for bit in 0..<8 {
                var bytes = sample.bytes
                bytes[index] ^= 1 << UInt8(bit)
                let recovered = try TinyRun.recover(bytes)
                #expect(recovered.checkpoint == sample.before, "byte \(index), bit \(bit)")
                #expect(recovered.droppedBytes == Int64(sample.bytes.count - sample.lastRecord))
                #expect(recovered.ending != .complete)
            }
        }
    }

    @Test func aFlippedBitAnywhereBeforeNeverGivesWhatWasNotWritten() async throws {
        let states = (0..<5).map { TinyRun.State().folding(TinyRun.intervals(5, seed: 11).prefix($0)) }
        let sample = try await Self.sample()
        for index in 0..<sample.lastRecord {
            var bytes = sample.bytes
            bytes[index] ^= 0x10
            guard let recovered = try Self.unlessRefused(bytes) else { continue }
            #expect(states.contains(recovered.checkpoint) && recovered.droppedBytes > 0, "byte \(index)")
        }
    }

    /// Nil where it is no journal.
    private static func unlessRefused(_ bytes: Data) throws -> TinyRun.Recovered? {
        do { return try TinyRun.recover(bytes) } catch is JournalReadingError { return nil }
    }

    @Test func zeroesAfterTheLastRecordAreDropped() async throws {
        let sample = try await Self.sample()
        let recovered = try TinyRun.recover(sample.bytes + Data(repeating: 0, count: 4_096))
        #expect((recovered.checkpoint, recovered.droppedBytes) == (sample.whole, 4_096))
        #expect(recovered.ending == .damaged("bytes that are not a record"))
    }

    /// Blocks of an older file can appear in a newer one after a loss of power.
    @Test func aWholeRecordOfAnotherPlaceIsNotTakenForTheNext() async throws {
        let sample = try await Self.sample()
        let last = sample.bytes[sample.lastRecord...]
        let recovered = try TinyRun.recover(sample.bytes + last)
        #expect(recovered.checkpoint == sample.whole)
        #expect(recovered.ending == .damaged("bytes that are not the next record"))
        let other = try await Self.sample(5, seed: 12)
        #expect(try TinyRun.recover(other.bytes.prefix(other.lastRecord) + last).checkpoint == other.before)
    }

    @Test(arguments: [Array(0...255 as ClosedRange<UInt8>), Array("0123456789abcdef HCI{}\n".utf8)])
    func randomBytesAreNoJournal(alphabet: [UInt8]) {
        var generator = SeededGenerator(seed: 1)
        for round in 0..<100 {
            let bytes = (0..<Int.random(in: 1..<600, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            #expect(throws: JournalReadingError.self, "round \(round)") { try TinyRun.recover(Data(bytes)) }
        }
    }

    @Test func randomDamageNeverGivesWhatWasNotWritten() async throws {
        let intervals = TinyRun.intervals(20, seed: 8)
        var bench = try JournalBench()
        await bench.append(intervals)
        let whole = try bench.bytes
        for seed in 0..<200 as Range<UInt64> { try expectNoInvention(in: whole, of: intervals, seed: seed) }
    }

    private func expectNoInvention(in whole: Data, of intervals: [TinyRun.Interval], seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = whole
        for _ in 0..<Int.random(in: 1..<4, using: &generator) {
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(start + Int.random(in: 1..<50, using: &generator), bytes.count)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.replaceSubrange(start..<end, with: Data(repeating: UInt8(seed & 0xff), count: end - start))
            }
        }
        guard let recovered = try Self.unlessRefused(bytes) else { return }
        let written = TinyRun.State().folding(intervals.prefix(recovered.checkpoint.count))
        #expect(recovered.checkpoint == written, "seed \(seed)")
    }

    /// A checksum says that a record is what somebody wrote, not that it makes sense.
    @Test(arguments: [
        (JournalRecord.Kind.interval, #"{"amount":"x"}"#), (.interval, ""), (.checkpoint, "[]"), (.header, "{}"),
        (.interval, String(repeating: "[", count: 100_000)),
    ]) func aWholeRecordWithoutMeaningIsDropped(kind: JournalRecord.Kind, payload: String) async throws {
        let sample = try await Self.sample()
        let last = String(decoding: sample.bytes[sample.lastRecord...].prefix(8), as: UTF8.self)
        let record = JournalRecord(kind: kind, payload: Data(payload.utf8))
        let bytes = sample.bytes + JournalBytes.of([record], after: try #require(UInt32(last, radix: 16)))
        let recovered = try TinyRun.recover(bytes)
        #expect(recovered.checkpoint == sample.whole)
        #expect(recovered.droppedBytes == Int64(bytes.count - sample.bytes.count))
    }

    @Test func theFormIsPinned() {
        let bytes = JournalBytes.of([
            JournalRecord(kind: .header, payload: Data("{}".utf8)),
            JournalRecord(kind: .interval, payload: Data(#"{"a":1}"#.utf8)),
        ])
        // python3 -c 'import zlib; a = zlib.crc32(b"H {}\n"); print("%08x %08x" % (a, zlib.crc32(b"I {\"a\":1}\n", a)))'
        let text = "2c7322bf H {}\neb26059a I {\"a\":1}\n"
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    /// A line of version 4 had its length as well.
    @Test(arguments: [false, true]) func aJournalOfAnotherVersionIsRefusedByName(isOfThisForm: Bool) throws {
        let header = #"{"schema":"podswarm.journal","schema_version":4,"podswarm_version":"9.9.9","settings":{}}"#
        let own = JournalBytes.of([JournalRecord(kind: .header, payload: Data(header.utf8))])
        let bytes = isOfThisForm ? own : Data("5f0c2a91 00000056 H \(header)\n".utf8)
        let error = #expect(throws: JournalReadingError.self) { try TinyRun.recover(bytes) }
        #expect(error == .otherVersion(podswarm: "9.9.9"))
    }

    @Test func whatIsNoFileIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory
        #expect(throws: JournalReadingError.notAFile) { try TinyRun.recover(folder) }
        #expect(throws: JournalReadingError.notAFile) { try TinyRun.recover(URL(filePath: "/dev/zero")) }
        #expect(throws: JournalReadingError.self) { try TinyRun.recover(folder.appending(path: UUID().uuidString)) }
    }

    @Test func aJournalWithoutItsFirstCheckpointIsEmpty() async throws {
        let sample = try await Self.sample()
        let newline = try #require(sample.bytes.firstIndex(of: 0x0a))
        #expect(throws: JournalReadingError.empty(.complete)) { try TinyRun.recover(Data()) }
        #expect(throws: JournalReadingError.empty(.complete)) { try TinyRun.recover(sample.bytes[...newline]) }
        #expect(throws: JournalReadingError.empty(.torn)) { try TinyRun.recover(sample.bytes[...(newline + 9)]) }
        #expect(throws: JournalReadingError.empty(.torn)) { try TinyRun.recover(sample.bytes[..<newline]) }
    }
}
