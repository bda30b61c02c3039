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
        #expect(throws: (any Error).self) { try ResultFile.contents(of: folder.path) }
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        for path in [folder.path + "/pipe", "/dev/zero"] {
            #expect(throws: ResultDocument.ReadingError.unreadable(.special)) { try ResultFile.contents(of: path) }
        }
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
