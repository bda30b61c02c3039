import Foundation
import Rendezvous
import TestSupport
import Testing

@Suite struct RendezvousFolderTests {
    @Test func aNameIsTakenOnce() throws {
        let folder = try TemporaryFolder()
        let place = try RendezvousFolder(path: folder.url.appending(path: "run").path)
        #expect(try place.put(Data("one".utf8), as: "hello-0"))
        #expect(try !place.put(Data("two".utf8), as: "hello-0"))
        #expect(try place.contents() == ["hello-0": Data("one".utf8)])
    }

    /// Of many that put at once exactly one finds the name free, and nobody reads half of what it put.
    @Test func ofManyOneIsFirst() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "run").path
        let first = try RendezvousFolder(path: path)
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    try RendezvousFolder(path: path).put(Data(repeating: UInt8(writer), count: 4096), as: "decision")
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        let content = try #require(try first.contents()["decision"])
        #expect(content.count == 4096 && Set(content).count == 1)
    }

    @Test func aFileIsNoPlace() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        #expect(throws: RendezvousError.self) { try RendezvousFolder(path: file) }
    }
}
