import Foundation
import Rehearsal
import Results
import TestSupport
import Testing

/// A folder behind a port, as shards and as strangers see it.
///
/// Over sockets, because strangers come to a port.
@Suite struct RendezvousServerTests {
    private static let token = RunningRendezvous.token
    private static let name = "/v1/\(RunningRendezvous.runID)/notes/hello-0"
    private static let group = "/v1/\(RunningRendezvous.runID)/notes"

    @Test func aServerThatIsStartedAgainGoesOnWithTheFolder() async throws {
        let folder = try TemporaryFolder()
        let pieces = (0..<6).map { ("piece-\($0)", Data(repeating: UInt8($0), count: 1 << 20)) }
        try await RunningRendezvous.serving(folder.path) { server async throws in
            try await server.asking { place async throws in
                #expect(try await place.put(Data("one".utf8), in: "notes", as: "hello-0"))
                for (name, content) in pieces.prefix(3) {
                    #expect(try await place.put(content, in: "journal-0", as: name))
                }
            }
        }
        try await RunningRendezvous.serving(folder.path) { server async throws in
            try await server.asking { place async throws in
                #expect(try await !place.put(Data("two".utf8), in: "notes", as: "hello-0"))
                for (name, content) in pieces.dropFirst(3) {
                    #expect(try await place.put(content, in: "journal-0", as: name))
                }
                #expect(try await place.contents(of: "notes") == ["hello-0": Data("one".utf8)])
                let all = Dictionary(uniqueKeysWithValues: pieces)
                #expect(try await place.contents(of: "journal-0") == all)
            }
        }
        // The folder is a place itself, for who sees it.
        let beside = try RendezvousFolder(path: folder.file(RunningRendezvous.runID).path)
        #expect(try await beside.contents(of: "journal-0").count == 6)
    }

    /// A put whose answer was lost is sent again, and the same content counts as put.
    @Test func theSameContentCountsAsPut() async throws {
        try await RunningRendezvous.serving { server async throws in
            try await server.asking { place async throws in
                for _ in 0..<2 { #expect(try await place.put(Data("one".utf8), in: "notes", as: "x")) }
            }
        }
    }

    @Test func whoAsksForNothingThatIsThereMakesNoFolder() async throws {
        let folder = try TemporaryFolder()
        try await RunningRendezvous.serving(folder.path) { server async throws in
            #expect(try await server.asking { try await $0.contents(of: "notes") }.isEmpty)
        }
        #expect(folder.files(in: "") == [])
        #expect(!FileManager.default.fileExists(atPath: folder.file(RunningRendezvous.runID).path))
    }

    @Test(
        arguments: [
            nil, "", "Bearer", "Bearer ", "Bearer x", "Basic \(token)", "bearer \(token)", token, "Bearer \(token)x",
            "Bearer \(token.dropLast())", "Bearer \(token.lowercased())", "Bearer \(token)\(token)",
        ] as [String?]
    )
    func whoHasNotTheTokenDoesNothing(field: String?) async throws {
        let folder = try TemporaryFolder()
        try await RunningRendezvous.serving(folder.path, token: Self.token) { server async throws in
            let fields = field.map { ["Authorization: \($0)"] } ?? []
            let asked = [("GET", Self.group), ("GET", "/v1/time"), ("PUT", Self.name), ("GET", "/"), ("DELETE", "/")]
            for (method, path) in asked {
                let more = method == "PUT" ? ["If-None-Match: *", "Content-Length: 0"] : []
                let answer = try await server.ask(method, path, fields + more)
                #expect(answer.status == 401, "\(method) \(path)")
                #expect(answer.text.lowercased().contains("www-authenticate: bearer"))
                #expect(!answer.text.contains(Self.token))
            }
        }
        #expect(folder.files(in: "") == [])
    }

    @Test func aShardWithAnotherTokenIsToldSo() async throws {
        try await RunningRendezvous.serving(token: Self.token) { server async throws in
            for token in [nil, "another-secret-of-theirs"] {
                try await server.asking(token: token) { place async throws in
                    let error = try await #require(throws: RendezvousError.self) { try await place.time() }
                    #expect(error.isLasting && error.description.contains("it asks for another token"))
                    #expect(!error.description.contains("another-secret"))
                }
            }
        }
    }

    @Test func whoComesByAForeignNameIsTurnedAway() async throws {
        let folder = try TemporaryFolder()
        try await RunningRendezvous.serving(folder.path) { server async throws in
            for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "1", "localhost.evil.example"] {
                #expect(try await server.ask("GET", "/v1/time", ["Host: \(host)"]).status == 421, "\(host)")
            }
            for host in ["127.0.0.1", "127.0.0.1:\(server.port)", "localhost:1", "LOCALHOST", "[::1]:1", "10.0.0.7"] {
                #expect(try await server.ask("GET", "/v1/time", ["Host: \(host)"]).status == 204, "\(host)")
            }
            #expect(try await server.ask("GET", "/v1/time", ["Origin: http://evil.example"]).status == 403)
            let nameless = try await server.raw("GET /v1/time HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(!nameless.text.hasPrefix("HTTP/1.1 2"))
        }
        // Who shows the token may call the machine by any name.
        try await RunningRendezvous.serving(folder.path, token: Self.token) { server async throws in
            let fields = ["Host: rendezvous.example", "Authorization: Bearer \(Self.token)"]
            #expect(try await server.ask("GET", "/v1/time", fields).status == 204)
        }
    }

    @Test func nothingElseCanBeDone() async throws {
        try await RunningRendezvous.serving { server async throws in
            let put = ["If-None-Match: *", "Content-Length: 0"]
            #expect(try await server.ask("PUT", Self.name, put).status == 201)
            for method in ["GET", "HEAD", "DELETE", "POST", "PATCH", "OPTIONS"] {
                let answer = try await server.ask(method, Self.name, ["Content-Length: 0"])
                #expect(answer.status == 405 && answer.text.lowercased().contains("allow: put"), "\(method)")
            }
            for (method, path) in [("PUT", Self.group), ("DELETE", Self.group), ("POST", "/v1/time")] {
                let answer = try await server.ask(method, path, put)
                #expect(answer.status == 405 && answer.text.lowercased().contains("allow: get"), "\(method) \(path)")
            }
            for fields in [[], ["If-Match: *"], ["If-None-Match: \"x\""]] {
                #expect(try await server.ask("PUT", Self.name + "1", fields + ["Content-Length: 0"]).status == 428)
            }
            #expect(try await server.asking { try await $0.contents(of: "notes") } == ["hello-0": Data()])
        }
    }

    private static let strangePaths = [
        "/", "/v1", "/v1/", "/v2/r/g", "/v1/r", "/v1/r/", "/v1/../g", "/v1/.hidden/g", "/v1/r/../x",
        "/v1/r/g/../../x", "/v1/r/g/a/b", "/v1/r/g/", "/v1/r//x", "//v1/r/g", "/v1/r/g%2f..", "/v1/r/g/%2e%2e",
        "/v1/r/g?after=../x", "/v1/r/g?after=", "/v1/r/g?before=x", "/v1/r/g/x?after=y", "/v1/time?x",
        "/v1/r/.claim-x", "/v1/r/g/.x",
    ]

    @Test func thereIsNothingElse() async throws {
        let folder = try TemporaryFolder()
        try await RunningRendezvous.serving(folder.path) { server async throws in
            for path in Self.strangePaths {
                let got = try await server.ask("GET", path)
                let put = try await server.ask("PUT", path, ["If-None-Match: *", "Content-Length: 0"])
                #expect(got.status == 404 && put.status == 404, "\(path)")
            }
        }
        #expect(folder.files(in: "") == [])
    }

    @Test func whatIsTooLargeIsRefusedAndTheRestGoesOn() async throws {
        try await RunningRendezvous.serving { server async throws in
            let size = RendezvousListing.longestContent + 1
            let head = "PUT \(Self.name) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nIf-None-Match: *\r\n"
            let counted = head + "Content-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size)
            #expect(try await server.raw(counted).status == 413)
            let chunk = String(repeating: "x", count: 65_536)
            let chunks = String(repeating: "10000\r\n\(chunk)\r\n", count: 17) + "0\r\n\r\n"
            let chunked = head + "Transfer-Encoding: chunked\r\n\r\n" + chunks
            #expect(try await server.raw(chunked).status == 413)
            try await server.asking { place async throws in
                #expect(try await place.contents(of: "notes").isEmpty)
                #expect(try await place.put(Data(count: size - 1), in: "notes", as: "x"))
            }
        }
    }

    @Test(
        arguments: [
            "\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET /v1/time\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
            "GET /v1/time HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
            "PUT \(name) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: *\r\nContent-Length: -1\r\n\r\n",
            "PUT \(name) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: *\r\nContent-Length: 9\r\n\r\nhalf",
            "GET /v1/time HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n",
            "GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        ]
    )
    func garbageEndsItsConnectionOnly(request: String) async throws {
        try await RunningRendezvous.serving { server async throws in
            let answer = try await server.raw(request)
            #expect(answer.text.isEmpty || (400..<600).contains(answer.status), "\(answer)")
            try await server.asking { place async throws in
                #expect(try await place.contents(of: "notes").isEmpty)
                #expect(try await place.put(Data("one".utf8), in: "notes", as: "hello-0"))
            }
        }
    }
}
