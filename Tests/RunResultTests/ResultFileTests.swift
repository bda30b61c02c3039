import Foundation
import Results
import TestSupport
import Testing
import Values

/// Files that are no results, whatever they say of their size.
@Suite struct ResultFileTests {
    @Test func aFileIsReadWhole() throws {
        let folder = try TemporaryFolder()
        // More than one step of reading.
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: folder.file("a.json"))
        #expect(try ResultFile.contents(of: folder.file("a.json").path) == bytes)
        try Data().write(to: folder.file("b.json"))
        #expect(try ResultFile.contents(of: folder.file("b.json").path).isEmpty)
    }

    /// Small after large, so that nothing is left of the one before; larger than the room; and none at all.
    @Test func oneFileAfterAnotherIsReadIntoTheSameRoom() throws {
        let folder = try TemporaryFolder()
        var buffer = ResultBuffer()
        for count in [300_000, 7, 0, 4 << 20, (4 << 20) - 1, 5 << 20, 12] {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let path = folder.file("\(count).json").path
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(try buffer.withContents(of: path) { Data($0) } == bytes)
        }
        for path in [folder.file("none.json").path, folder.path] {
            let expected = #expect(throws: (any Error).self) { try ResultFile.contents(of: path) }
            let error = #expect(throws: (any Error).self) { try buffer.withContents(of: path) { $0.count } }
            #expect((error as? NSError)?.localizedDescription == (expected as? NSError)?.localizedDescription)
        }
        #expect(throws: ResultDocument.ReadingError.unbounded(.tooLarge)) {
            try buffer.withContents(of: "/dev/zero") { $0.count }
        }
        #expect(throws: ResultDocument.ReadingError.unbounded(.tooLarge)) { try ResultFile.contents(of: "/dev/zero") }
    }

    /// A file system in memory takes any size that a file can say of itself.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"))) func theLargestSizeIsTooLarge() throws {
        let path = "/dev/shm/podswarm-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: UInt64(Int64.max))
        try handle.close()
        #expect(throws: ResultDocument.ReadingError.unbounded(.tooLarge)) { try ResultFile.contents(of: path) }
    }
}
