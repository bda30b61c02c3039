import Foundation
import Synchronization
import Testing

@testable import Results

/// A disk that fails may cost intervals, never the run, and never what it took before.
@Suite struct JournalWritingTests {
    /// A disk with room for so many bytes, and calls that can be told to fail.
    final class PoorDisk: Sendable {
        struct Plan {
            var room = Int.max
            var syncError: Int32 = 0
            var truncateError: Int32 = 0
            var longestWrite = Int.max
            var interruptions = 0
        }

        let plan = Mutex(Plan())

        func set(_ change: @Sendable (inout Plan) -> Void) { plan.withLock { change(&$0) } }

        var disk: ResultDisk {
            let real = ResultDisk.withoutSync
            return ResultDisk(
                write: { [self] descriptor, bytes in
                    let allowed = plan.withLock { plan in
                        guard plan.interruptions == 0 else {
                            plan.interruptions -= 1
                            return -Int(EINTR)
                        }
                        let allowed = min(bytes.count, plan.room, plan.longestWrite)
                        plan.room -= allowed
                        return allowed
                    }
                    guard allowed != 0 else { return -Int(ENOSPC) }
                    return allowed < 0
                        ? allowed : real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<allowed]))
                },
                sync: { [self] descriptor in
                    let error = plan.withLock { $0.syncError }
                    return error == 0 ? real.sync(descriptor) : error
                },
                truncate: { [self] descriptor, length in
                    let error = plan.withLock { $0.truncateError }
                    return error == 0 ? real.truncate(descriptor, length) : error
                }
            )
        }
    }

    @Test func aFullDiskLeavesNoTornRecordAndACheckpointMakesUpForIt() async throws {
        let poor = PoorDisk()
        var bench = try JournalBench(disk: poor.disk)
        let intervals = TinyRun.intervals(40, seed: 3)
        await bench.append(intervals[..<10])
        let before = bench.state
        let bytes = try bench.bytes
        poor.set { $0.room = 15 }
        #expect(await !bench.append(intervals[10]))
        #expect(try bench.bytes == bytes)
        #expect(bench.told.count == 1 && bench.told[0].contains("No space left on device"))
        await bench.append(intervals[11..<25])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == before)
        poor.set { $0.room = .max }
        await bench.append(intervals[25...])
        let recovered = try TinyRun.recover(bench.copy())
        #expect(recovered.checkpoint == bench.state)
        let result = await bench.finish()
        #expect(result.intervalsKept + result.intervalsLost == 40)
        #expect(result.intervalsLost >= 15 && result.intervalsKept >= 12)
        #expect(result.error?.contains("No space left on device") == true)
        #expect(bench.told.count == 2 && bench.told[1].contains("written again"))
    }

    @Test func attemptsBecomeRarer() async throws {
        let poor = PoorDisk()
        var bench = try JournalBench(disk: poor.disk)
        await bench.finish()
        poor.set { $0.room = 0 }
        let intervals = TinyRun.intervals(200, seed: 5)
        var attempts: [Int] = []
        for (number, interval) in intervals.enumerated() {
            poor.set { $0.interruptions = 1 }
            await bench.append(interval)
            if poor.plan.withLock({ $0.interruptions }) == 0 { attempts.append(number) }
        }
        #expect(attempts == [0, 2, 5, 10, 19, 36, 69, 102, 135, 168])
    }

    @Test func aFailedSyncIsAFailedRecord() async throws {
        let poor = PoorDisk()
        var bench = try JournalBench(disk: poor.disk)
        let intervals = TinyRun.intervals(6, seed: 4)
        await bench.append(intervals[0])
        let before = bench.state
        poor.set { $0.syncError = EIO }
        #expect(await !bench.append(intervals[1]))
        #expect(try TinyRun.recover(bench.copy()).checkpoint == before)
        poor.set { $0.syncError = 0 }
        await bench.append(intervals[2...])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
        #expect(await bench.finish().error?.contains("sync") == true)
    }

    @Test func aTornTailThatCannotBeTakenBackIsNotWrittenAfter() async throws {
        let poor = PoorDisk()
        var bench = try JournalBench(disk: poor.disk)
        let intervals = TinyRun.intervals(12, seed: 6)
        await bench.append(intervals[0])
        let before = bench.state
        poor.set { ($0.room, $0.truncateError) = (9, EIO) }
        await bench.append(intervals[1])
        poor.set { $0.room = .max }
        await bench.append(intervals[2..<6])
        let torn = try TinyRun.recover(bench.copy())
        #expect(torn.checkpoint == before)
        #expect(torn.ending == .torn && torn.droppedBytes == 9)
        poor.set { $0.truncateError = 0 }
        await bench.append(intervals[6...])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func theDiskOfThisMachineKeepsAndSyncs() async throws {
        var bench = try JournalBench(disk: .ofThisMachine)
        await bench.append(TinyRun.intervals(3, seed: 12))
        let result = await bench.finish()
        #expect(result.path == bench.journal.path && result.intervalsKept == 3 && result.intervalsLost == 0)
        #expect(result.error == nil && result.cpuMicroseconds > 0)
        #expect(try bench.bytes.count == Int(result.bytes))
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func interruptedAndShortWritesAreGoneOnWith() async throws {
        let poor = PoorDisk()
        poor.set { ($0.longestWrite, $0.interruptions) = (7, 3) }
        var bench = try JournalBench(disk: poor.disk)
        await bench.append(TinyRun.intervals(10, seed: 7))
        let recovered = try TinyRun.recover(bench.copy())
        #expect(recovered.checkpoint == bench.state && bench.state.count == 10)
        #expect(await bench.finish().intervalsKept == 10)
    }

    @Test func aJournalThatCannotBeBegunIsBegunLater() async throws {
        let poor = PoorDisk()
        poor.set { $0.room = 20 }
        var bench = try JournalBench(disk: poor.disk)
        let intervals = TinyRun.intervals(10, seed: 8)
        #expect(await !bench.append(intervals[0]))
        #expect(bench.names == [])
        poor.set { $0.room = .max }
        await bench.append(intervals[1...])
        #expect(bench.names == ["run.journal"])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func aJournalThatSomebodyRemovedIsBegunAgain() async throws {
        var bench = try JournalBench()
        let intervals = TinyRun.intervals(10, seed: 9)
        await bench.append(intervals[..<5])
        try FileManager.default.removeItem(at: bench.journal)
        await bench.append(intervals[5...])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func aFullQueueLosesIntervalsAndNothingWaits() async throws {
        let gate = DispatchSemaphore(value: 0)
        let isGated = Mutex(false)
        let real = ResultDisk.withoutSync
        let disk = ResultDisk(
            write: real.write,
            sync: { descriptor in
                if isGated.withLock({ $0 }) { gate.wait() }
                return real.sync(descriptor)
            },
            truncate: real.truncate
        )
        var bench = try JournalBench(disk: disk, capacity: 3)
        await bench.finish()
        isGated.withLock { $0 = true }
        for interval in TinyRun.intervals(10, seed: 10) { bench.hand(over: interval) }
        #expect(bench.told.count == 1 && bench.told[0].contains("too slow"))
        isGated.withLock { $0 = false }
        for _ in 0..<10 { gate.signal() }
        let result = await bench.finish()
        #expect(result.intervalsKept == 3 && result.intervalsLost == 7)
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
        await bench.append(TinyRun.intervals(4, seed: 11))
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func rotatedFilesRecoverAlone() async throws {
        var bench = try JournalBench()
        var states: [TinyRun.State] = []
        for part in 0..<4 as Range<UInt64> {
            if part > 0 { bench.writer.rotate() }
            await bench.append(TinyRun.intervals(5, seed: part))
            states.append(bench.state)
        }
        #expect(bench.names == ["run.journal", "run.journal.1", "run.journal.2", "run.journal.3"])
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
        for part in 1...3 {
            // The interval with which the next file began is in that one only.
            let recovered = try TinyRun.recover(bench.folder.appending(path: "run.journal.\(part)"))
            #expect((recovered.checkpoint, recovered.ending) == (states[part - 1], .complete))
        }
        #expect(await bench.finish().intervalsKept == 20)
        await bench.writer.remove()
        #expect(bench.names == ["copy.journal"])
    }

    @Test func aRotationThatFailsKeepsTheOldFile() async throws {
        var bench = try JournalBench()
        await bench.append(TinyRun.intervals(5, seed: 1))
        // A folder of that name cannot be replaced by a file.
        let obstacle = bench.folder.appending(path: ".run.journal.\(getpid()).tmp")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        bench.writer.rotate()
        await bench.append(TinyRun.intervals(5, seed: 2))
        #expect(bench.told.count == 1 && bench.told[0].contains("goes on in the same file"))
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
        #expect(await bench.finish().intervalsLost == 0)
    }

    @Test func logrotateMayMoveTheFileFirst() async throws {
        var bench = try JournalBench()
        await bench.append(TinyRun.intervals(5, seed: 1))
        let before = bench.state
        let moved = bench.folder.appending(path: "moved")
        try FileManager.default.moveItem(at: bench.journal, to: moved)
        bench.writer.rotate()
        await bench.append(TinyRun.intervals(5, seed: 2))
        #expect(bench.names == ["moved", "run.journal"])
        #expect(try TinyRun.recover(moved).checkpoint == before)
        #expect(try TinyRun.recover(bench.copy()).checkpoint == bench.state)
    }

    @Test func aNameThatIsTakenIsNotTouched() async throws {
        var first = try JournalBench()
        await first.append(TinyRun.intervals(3, seed: 1))
        let other = JournalWriter<TinyRun.State>(
            at: first.journal,
            checkpoint: TinyRun.State()
        )
        _ = await other.finish(checkpoint: TinyRun.State())
        #expect(first.names == ["run-2.journal", "run.journal"])
        await other.remove()
        #expect(first.names == ["run.journal"])
        #expect(try TinyRun.recover(first.copy()).checkpoint == first.state)
    }

    @Test func aJournalThatIsBeingWrittenIsRefused() async throws {
        var bench = try JournalBench()
        await bench.append(TinyRun.intervals(2, seed: 1))
        #expect(throws: JournalReadingError.beingWritten) { try TinyRun.recover(bench.journal) }
        await bench.finish()
        #expect(throws: JournalReadingError.beingWritten) { try TinyRun.recover(bench.journal) }
    }
}
