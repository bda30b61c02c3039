import Foundation
import TestSupport
import Testing

@testable import Results

@Suite struct RendezvousFolderTests {
    /// Who looks on leaves nothing there, and may come before the first shard.
    @Test func aFolderThatIsLookedAtStaysAsItIs() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("run").path
        let seen = RendezvousFolder(lookingAt: path)
        #expect(try seen.list("notes", after: nil) == RendezvousListing(entries: [], isWhole: true))
        _ = try seen.time()
        #expect(throws: RendezvousError.self) { try seen.put(Data(), in: "notes", as: "hello-0") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(try RendezvousFolder(path: path).put(Data("one".utf8), in: "notes", as: "hello-0"))
        #expect(mkfifo(path + "/notes/pipe", 0o600) == 0)
        #expect(symlink("/etc/passwd", path + "/notes/link") == 0)
        #expect(try await seen.contents(of: "notes") == ["hello-0": Data("one".utf8)])
        #expect { try RendezvousFolder(lookingAt: folder.path + "/no/run").list("notes", after: nil) } throws: {
            "\($0)" == "\(folder.path)/no: No such file or directory"
        }
    }

    @Test func theSystemSaysWhyNothingCanBeKept() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        #expect(throws: RendezvousError.self) { try RendezvousFolder(path: file) }
        #expect { try RendezvousFolder(path: file + "/run") } throws: { "\($0)" == "\(file)/run: Not a directory" }
    }
}
