import Foundation
import Rulebook
import TestSupport
import Testing
import Transport

/// What answers say of their own bodies that cannot be right is told, and told alike by both carriers.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct AnswerFlawTests {
    /// An answer and what is to be told of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let flaws: AnswerFlaws
        var failure: TransportFailure?
        var closes = false
        var body: String? = "hello, hello, hello"

        init(
            _ name: String,
            _ flaws: AnswerFlaws = [],
            status: String = "200 OK",
            lines: [String],
            _ body: [UInt8] = Array("hello, hello, hello".utf8),
            failure: TransportFailure? = nil,
            closes: Bool = false
        ) {
            testDescription = name
            let head = ["HTTP/1.1 \(status)"] + lines.map { $0.replacing("COUNT", with: "\(body.count)") }
            bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
            self.flaws = flaws
            self.failure = failure
            self.closes = closes
            if failure != nil { self.body = nil }
        }
    }

    /// "hello, hello, hello" as Python's `gzip.compress(…, mtime=0)` and `zlib.compress` code it.
    private static let gzip = [UInt8](hex: "1f8b0800000000000203cb48cdc9c9d751c840a2009fa1ca0913000000")
    private static let zlib = [UInt8](hex: "789ccb48cdc9c9d751c840a200442806d5")
    /// A member that holds nothing.
    private static let emptyMember = [UInt8](hex: "1f8b080000000000020303000000000000000000")
    private static let chunked = Array("13\r\nhello, hello, hello\r\n0\r\n\r\n".utf8)

    private static func whole(_ name: String, coding: String = "gzip", _ body: some Sequence<UInt8>) -> Case {
        Case(name, lines: ["Content-Encoding: \(coding)", "Content-Length: COUNT"], Array(body))
    }

    private static func undecodable(
        _ name: String,
        coding: String = "gzip",
        _ body: some Sequence<UInt8>,
        _ failure: TransportFailure = .truncated
    ) -> Case {
        let lines = ["Content-Encoding: \(coding)", "Content-Length: COUNT"]
        return Case(name, .codingInvalid, lines: lines, Array(body), failure: failure)
    }

    static let cases: [Case] = [
        Case("one length", lines: ["Content-Length: COUNT"]),
        Case("two equal lengths", lines: ["Content-Length: COUNT", "Content-Length: COUNT"]),
        Case("a list of equal lengths", lines: ["Content-Length: COUNT, COUNT ,COUNT"]),
        Case("a length with blanks around it", lines: ["Content-Length:  \tCOUNT \t"]),
        Case("two lengths", .lengthInvalid, lines: ["Content-Length: 4711", "Content-Length: COUNT"]),
        Case("a list of two lengths", .lengthInvalid, lines: ["Content-Length: COUNT, 4711"]),
        Case("a length and words", .lengthInvalid, lines: ["Content-Length: COUNT bytes"]),
        Case("a length with a sign", .lengthInvalid, lines: ["Content-Length: +COUNT"]),
        Case("a length beyond all measure", lines: ["Content-Length: 99999999999999999999"], closes: true),
        Case(
            "two lengths, one beyond all measure",
            .lengthInvalid,
            lines: ["Content-Length: 99999999999999999999", "Content-Length: COUNT"],
            closes: true
        ),
        Case("chunks", lines: ["Transfer-Encoding: chunked"], chunked),
        Case(
            "chunks after a length",
            .lengthWithTransferCoding,
            lines: ["Content-Length: 19", "Transfer-Encoding: chunked"],
            chunked
        ),
        Case(
            "chunks before a length",
            .lengthWithTransferCoding,
            lines: ["Transfer-Encoding: chunked", "Content-Length: 19"],
            chunked
        ),
        Case(
            "chunks and two lengths",
            [.lengthWithTransferCoding, .lengthInvalid],
            lines: ["Content-Length: 4711", "Transfer-Encoding: chunked", "Content-Length: 19"],
            chunked
        ),
        Case(
            "a part",
            .partialUnasked,
            status: "206 Partial Content",
            lines: ["Content-Range: bytes 0-18/400", "Content-Length: COUNT"]
        ),
        whole("gzip", gzip),
        whole("gzip in two members", gzip + emptyMember),
        whole("no gzip", []),
        undecodable("gzip without its last byte", gzip.dropLast()),
        undecodable("gzip without checksum and length", gzip.dropLast(8)),
        undecodable("gzip of half a stream", gzip.prefix(16)),
        undecodable("gzip of half a head", gzip.prefix(5)),
        undecodable("gzip in two members, the second cut off", gzip + gzip.dropLast(3)),
        undecodable("gzip with another checksum", gzip.dropLast(8) + [0] + gzip.suffix(7), .protocolError),
        undecodable("gzip with another length", gzip.dropLast(1) + [1], .protocolError),
        undecodable("gzip and more", gzip + Array("more".utf8), .protocolError),
        undecodable("a coding that nobody asked for", coding: "br", gzip, .protocolError),
        whole("deflate", coding: "deflate", zlib),
        undecodable("deflate without its checksum", coding: "deflate", zlib.dropLast(4)),
        undecodable("deflate of a byte", coding: "deflate", zlib.prefix(1)),
        Case(
            "gzip cut off in chunks",
            .codingInvalid,
            lines: ["Content-Encoding: gzip", "Transfer-Encoding: chunked"],
            Array("15\r\n".utf8) + gzip.dropLast(8) + Array("\r\n0\r\n\r\n".utf8),
            failure: .truncated
        ),
        Case(
            "gzip cut off with its connection",
            .codingInvalid,
            lines: ["Content-Encoding: gzip"],
            Array(gzip.dropLast(8)),
            failure: .truncated,
            closes: true
        ),
        // Its framing says so itself.
        Case(
            "gzip shorter than its length",
            lines: ["Content-Encoding: gzip", "Content-Length: 29"],
            Array(gzip.dropLast(8)),
            failure: .truncated,
            closes: true
        ),
    ]

    @Test func whatCannotBeRightIsTold() async throws {
        let server = try ScriptedServer { request in
            guard let index = Int(request.path.dropFirst()) else { return [.send(answer("200 OK", "next"))] }
            return [.sendBytes(Self.cases[index].bytes)] + (Self.cases[index].closes ? [.close] : [])
        }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for (index, told) in Self.cases.enumerated() {
                let name = told.testDescription
                let result = try await fixture.get(server.url("/\(index)"), owner: index)
                #expect(result.flaws == told.flaws, "\(name)")
                #expect(result.failure == told.failure, "\(name): \(result.explanation)")
                if let body = told.body, !result.body.isEmpty || !name.hasPrefix("no ") {
                    #expect(result.body == body, "\(name)")
                }
            }
        }
    }

    /// The framing of an answer whose coding is cut off is as good as any: its connection is used again.
    @Test func aConnectionOutlivesACodingThatIsCutOff() async throws {
        let index = try #require(Self.cases.firstIndex { $0.testDescription == "gzip without checksum and length" })
        let server = try ScriptedServer { request in
            request.index == 0 ? [.sendBytes(Self.cases[index].bytes)] : [.send(answer("200 OK", "next"))]
        }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            #expect(try await fixture.get(server.url("/")).failure == .truncated)
            let second = try await fixture.get(server.url("/"))
            #expect(second.body == "next")
            #expect(second.newConnections == 0)
            #expect(second.flaws == [])
        }
    }

    @Test func whatLeadsOnIsLookedAtToo() async throws {
        let server = try ScriptedServer { request in
            guard request.path == "/" else { return [.send(answer("200 OK", "here"))] }
            return [.send(answer("302 Found", headers: ["Location: /there", "Content-Length: 0"], "x"))]
        }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            let result = try await fixture.get(server.url("/"))
            #expect(result.redirects == 1)
            #expect(result.body == "here")
            #expect(result.flaws == .lengthInvalid)
        }
    }

    @Test func aPartThatWasAskedForIsInOrder() async throws {
        let server = try ScriptedServer { _ in
            [.send(answer("206 Partial Content", headers: ["Content-Range: bytes 0-3/9"], "part"))]
        }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for (ordinal, asks) in [true, false].enumerated() {
                try await fixture.withTransport { fixture, _ in
                    let headers = asks ? HeaderList([("Range", "bytes=0-3")]) : nil
                    try fixture.start(PreparedRequest(url: server.url("/"), headers: headers))
                }
                let result = await fixture.results(ordinal + 1)[ordinal]
                #expect(result.flaws == (asks ? [] : .partialUnasked))
            }
        }
    }

    /// A body that nobody keeps is looked at all the same.
    @Test func flawsAreToldOfWhatIsNotKept() async throws {
        let index = try #require(Self.cases.firstIndex { $0.testDescription == "gzip of half a stream" })
        let server = try ScriptedServer { _ in [.sendBytes(Self.cases[index].bytes)] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            try await fixture.withTransport { fixture, _ in
                try fixture.start(PreparedRequest(url: server.url("/")), keepBody: false)
            }
            let result = await fixture.results(1)[0]
            #expect(result.flaws == .codingInvalid)
            #expect(result.failure == .truncated)
        }
    }
}
