import Foundation
import Results
import TestSupport
import Testing

@testable import Rehearsal

/// Servers that are no rendezvous of ours: nothing that they say is taken for more than it is.
///
/// Over sockets, because a shard has no other way to a server.
@Suite struct ForeignRendezvousTests {
    private static func lending(
        token: String? = nil,
        _ answer: @escaping @Sendable (String) -> (status: String, body: String),
        _ body: (any RendezvousPlace) async throws -> Void
    ) async throws {
        let server = try ForeignRendezvous(answer)
        let http = try await RendezvousHTTP(url: server.url, runID: "r", token: token, patience: Patience.limit)
        try await http.closed(after: body)
        withExtendedLifetime(server) {}
    }

    /// A proxy that repeats what it was sent must not make a log or a result repeat the token.
    @Test func aTokenThatIsSentBackIsNotRepeated() async throws {
        let token = RunningRendezvous.token
        let padding = String(repeating: "x", count: 180)
        for lead in ["", padding] {
            try await Self.lending(token: token) { request in
                let field = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("auth") }
                return ("500 Oops", lead + (field ?? ""))
            } _: { place async throws in
                let error = try await #require(throws: RendezvousError.self) { try await place.time() }
                #expect(error.description.contains("status 500") && !error.isLasting)
                #expect(!error.description.contains(token.prefix(8)), "\(error)")
            }
        }
    }

    @Test(
        arguments: [
            "", "[]", "{}", "{\"entries\":[],\"whole\":1}", "{\"entries\":[{\"name\":\"a\"}],\"whole\":true}",
            listing(["b", "a"]), listing(["a", "a"]), listing(["../a"]), listing(["a/b"]), listing([""]),
        ]
    )
    func whatIsNoListingIsRefused(body: String) async throws {
        try await Self.lending { _ in
            ("200 OK", body)
        } _: { place async throws in
            await #expect(throws: RendezvousError.self) { try await place.list("notes", after: nil) }
            await #expect(throws: RendezvousError.self) { try await place.contents(of: "notes") }
        }
    }

    /// Who asks for the rest comes to an end, although more is promised each time.
    @Test func aListingThatRepeatsItselfIsRefused() async throws {
        let again = Self.listing(["a", "b"], isWhole: false)
        try await Self.lending { _ in
            ("200 OK", again)
        } _: { place async throws in
            #expect(try await place.list("notes", after: nil).entries.map(\.name) == ["a", "b"])
            await #expect(throws: RendezvousError.self) { try await place.contents(of: "notes") }
        }
    }

    @Test func aTimeThatIsNoneIsRefused() async throws {
        for status in ["204 No Content", "200 OK", "302 Found\r\nLocation: /", "204 x\r\npodswarm-time-us: soon"] {
            try await Self.lending { _ in
                (status, "")
            } _: { place async throws in
                await #expect(throws: RendezvousError.self) { try await place.time() }
            }
        }
    }

    @Test func aNameThatIsTakenByAnotherIsTaken() async throws {
        try await Self.lending { _ in
            ("412 Precondition Failed", "one")
        } _: { place async throws in
            #expect(try await place.put(Data("one".utf8), in: "notes", as: "x"))
            #expect(try await !place.put(Data("two".utf8), in: "notes", as: "x"))
        }
    }

    private static func listing(_ names: [String], isWhole: Bool = true) -> String {
        let entries = names.map { "{\"name\":\"\($0)\",\"content\":\"\"}" }.joined(separator: ",")
        return "{\"entries\":[\(entries)],\"whole\":\(isWhole)}"
    }
}
