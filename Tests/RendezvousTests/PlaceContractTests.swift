import Foundation
import Rehearsal
import TestSupport
import Testing
import Transport
import Values

@testable import Results

/// What shards rely on, whichever kind of place they meet in.
///
/// Over sockets, because one kind of place is a server.
@Suite struct PlaceContractTests {
    enum Kind: CaseIterable, Sendable {
        case memory
        case folder
        case server
        case guardedServer
    }

    private static func lending(_ kind: Kind, _ body: (any RendezvousPlace) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        switch kind {
        case .memory: try await body(MemoryPlace())
        case .folder: try await body(RendezvousFolder(path: folder.path))
        case .server: try await RunningRendezvous.serving(folder.path) { try await $0.asking(body) }
        case .guardedServer:
            let token = RunningRendezvous.token
            try await RunningRendezvous.serving(folder.path, token: token) { try await $0.asking(token: token, body) }
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Kind.allCases) func aNameIsTakenOnce(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            #expect(try await place.list("notes", after: nil) == RendezvousListing(entries: [], isWhole: true))
            #expect(try await place.put(Data("one".utf8), in: "notes", as: "hello-0"))
            #expect(try await place.put(Data("one".utf8), in: "notes", as: "hello-0"))
            #expect(try await !place.put(Data("two".utf8), in: "notes", as: "hello-0"))
            #expect(try await !place.put(Data(), in: "notes", as: "hello-0"))
            #expect(try await place.put(Data("three".utf8), in: "other", as: "hello-0"))
            #expect(try await place.put(Data(), in: "other", as: "nothing"))
            #expect(try await place.contents(of: "notes") == ["hello-0": Data("one".utf8)])
            #expect(try await place.contents(of: "other") == ["hello-0": Data("three".utf8), "nothing": Data()])
        }
    }

    /// Of many that put at once exactly one finds the name free, and nobody reads half of what it put.
    @Test(arguments: Kind.allCases) func ofManyOneIsFirst(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for writer in 0..<32 {
                    group.addTask {
                        try await place.put(Data(repeating: UInt8(writer), count: 4_096), in: "notes", as: "one")
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
            let content = try await #require(place.contents(of: "notes")["one"])
            #expect(content.count == 4_096 && Set(content).count == 1)
        }
    }

    @Test(arguments: Kind.allCases) func namesComeInTheOrderOfTheirBytes(kind: Kind) async throws {
        let names = ["-", "0", "10", "9", "B", "a", "a-", "a0", "aa", "b", String(repeating: "z", count: 80)]
        try await Self.lending(kind) { place async throws in
            for name in names.shuffled() { #expect(try await place.put(Data(name.utf8), in: "g", as: name)) }
            let whole = try await place.list("g", after: nil)
            #expect(whole.isWhole && whole.entries.map(\.name) == names)
            #expect(whole.entries.allSatisfy { $0.content == Data($0.name.utf8) })
            for (index, name) in names.enumerated() {
                let rest = try await place.list("g", after: name)
                #expect(rest.isWhole && rest.entries.map(\.name) == Array(names[(index + 1)...]))
            }
            // Nothing need lie under the name.
            #expect(try await place.list("g", after: "A").entries.first?.name == "B")
        }
    }

    @Test(arguments: Kind.allCases) func aListEndsWhereItIsEnough(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            for index in 0..<9 {
                let content = Data(repeating: UInt8(index), count: RendezvousListing.longestContent)
                #expect(try await place.put(content, in: "g", as: "piece-\(index)"))
            }
            let first = try await place.list("g", after: nil)
            #expect(!first.isWhole && first.entries.map(\.name) == ["piece-0"])
            let last = try await place.list("g", after: "piece-7")
            #expect(last.isWhole && last.entries.map(\.name) == ["piece-8"])
            let all = try await place.contents(of: "g")
            #expect(all.count == 9 && all.allSatisfy { $0.value.first == $0.key.utf8.last.map { $0 - 48 } })
            var taken = 0
            try await place.read("g", after: "piece-0") { entries in
                taken += entries.count
                return false
            }
            #expect(taken == 1, "who wants no more is given no more")
        }
    }

    @Test(arguments: Kind.allCases) func whatIsTooLongIsRefused(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            await #expect(throws: RendezvousError.self) {
                try await place.put(Data(count: RendezvousListing.longestContent + 1), in: "g", as: "x")
            }
            #expect(try await place.contents(of: "g").isEmpty)
        }
    }

    @Test(arguments: Kind.allCases) func whatIsNoNameIsRefused(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            let long = String(repeating: "x", count: 81)
            for name in ["", ".", "..", "../x", "a/b", ".x", "ü", "a b", "a%20", "a?b", long] {
                await #expect(throws: RendezvousError.self) { try await place.put(Data(), in: "notes", as: name) }
                await #expect(throws: RendezvousError.self) { try await place.put(Data(), in: name, as: "x") }
                await #expect(throws: RendezvousError.self) { try await place.list(name, after: nil) }
            }
            #expect(try await place.contents(of: "notes").isEmpty)
        }
    }

    @Test(arguments: Kind.allCases) func itTellsItsTime(kind: Kind) async throws {
        try await Self.lending(kind) { place async throws in
            let before = MonotonicClock.wallMicroseconds()
            let time = try await place.time()
            let after = MonotonicClock.wallMicroseconds()
            #expect(time.wall <= WallTime(microseconds: after))
            #expect(time.wall + time.granularity + .microseconds(1) >= WallTime(microseconds: before))
            #expect(try await place.contents(of: "notes").isEmpty, "asking leaves nothing")
        }
    }
}
