import Foundation
import Rendezvous
import TestSupport
import Testing

@Suite struct RendezvousFolderTests {
    @Test func aNameIsTakenOnce() async throws {
        let folder = try TemporaryFolder()
        let place = try RendezvousFolder(path: folder.url.appending(path: "run").path)
        #expect(try place.list("notes", after: nil) == RendezvousListing(entries: [], isWhole: true))
        #expect(try place.put(Data("one".utf8), in: "notes", as: "hello-0"))
        #expect(try !place.put(Data("two".utf8), in: "notes", as: "hello-0"))
        #expect(try place.put(Data("three".utf8), in: "other", as: "hello-0"))
        #expect(try await place.contents(of: "notes") == ["hello-0": Data("one".utf8)])
    }

    /// Of many that put at once exactly one finds the name free, and nobody reads half of what it put.
    @Test func ofManyOneIsFirst() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "run").path
        let first = try RendezvousFolder(path: path)
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    let content = Data(repeating: UInt8(writer), count: 4096)
                    return try RendezvousFolder(path: path).put(content, in: "notes", as: "decision")
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        let content = try await #require(first.contents(of: "notes")["decision"])
        #expect(content.count == 4096 && Set(content).count == 1)
    }

    @Test func aListEndsWhereItIsEnough() async throws {
        let folder = try TemporaryFolder()
        let place = try RendezvousFolder(path: folder.url.path)
        for index in 0..<9 {
            _ = try place.put(Data(count: RendezvousListing.longestContent), in: "g", as: "piece-\(index)")
        }
        let first = try place.list("g", after: nil)
        #expect(!first.isWhole && first.entries.map(\.name) == (0..<4).map { "piece-\($0)" })
        #expect(try place.list("g", after: "piece-7").entries.map(\.name) == ["piece-8"])
        #expect(try await place.contents(of: "g").count == 9)
    }

    @Test(arguments: ["", ".", "../x", "a/b", ".x", "ü", String(repeating: "x", count: 81)])
    func whatIsNoNameIsRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let place = try RendezvousFolder(path: folder.url.path)
        #expect(throws: RendezvousError.self) { try place.put(Data(), in: "notes", as: name) }
        #expect(throws: RendezvousError.self) { try place.put(Data(), in: name, as: "x") }
        #expect(throws: RendezvousError.self) { try place.list(name, after: nil) }
    }

    /// Who looks on leaves nothing there, and may come before the first shard.
    @Test func aFolderThatIsLookedAtStaysAsItIs() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "run").path
        let seen = RendezvousFolder(lookingAt: path)
        #expect(try seen.list("notes", after: nil) == RendezvousListing(entries: [], isWhole: true))
        _ = try seen.time()
        #expect(throws: RendezvousError.self) { try seen.put(Data(), in: "notes", as: "hello-0") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(try RendezvousFolder(path: path).put(Data("one".utf8), in: "notes", as: "hello-0"))
        #expect(try await seen.contents(of: "notes") == ["hello-0": Data("one".utf8)])
        #expect { try RendezvousFolder(lookingAt: folder.path + "/no/run").list("notes", after: nil) } throws: {
            "\($0)" == "\(folder.path)/no: No such file or directory"
        }
    }

    @Test func theSystemSaysWhyNothingCanBeKept() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        #expect { try RendezvousFolder(path: file + "/run") } throws: {
            "\($0)" == "\(file)/run: Not a directory"
        }
    }

    @Test func aFileIsNoPlace() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        #expect(throws: RendezvousError.self) { try RendezvousFolder(path: file) }
    }
}
