import TestSupport
import Testing
import Transport

/// A server's part of a conversation, and what becomes of the requests of a client that hears it.
struct Conversation {
    let bytes: [UInt8]
    let outcomes: [String]

    /// A file of `Conversations`: frames, and below them the outcome of each request and the code of a violation.
    init(_ file: CaseFile) throws {
        bytes = try FrameText.bytes(file.text)
        outcomes = try file.expected.map { line in
            line.hasPrefix("answered ") ? "answered " + (try FrameText.string(line.dropFirst("answered ".count))) : line
        }
    }

    var requests: Int { outcomes.count { !$0.hasPrefix("violation") } }
}

/// What a client makes of every kind of frame, right and wrong, however the bytes are cut.
@Suite(.timeLimit(.minutes(5))) struct ConversationTests {
    @Test(arguments: try CaseFile.all(in: "Tests/HTTP2Tests/Conversations"))
    func comesToItsEndWhereverItIsCut(_ file: CaseFile) throws {
        let conversation = try Conversation(file)
        let bytes = conversation.bytes
        // Long ones are cut less often, which still cuts each kind of field.
        let cuts = [0] + stride(from: 1, to: bytes.count, by: max(1, bytes.count / 400))
        let ways = cuts.map { ("cut at \($0)", [bytes[..<$0], bytes[$0...]]) }
        for (way, pieces) in ways + [("byte by byte", bytes.indices.map { bytes[$0...$0] })] {
            let client = try #require(Client(requests: conversation.requests))
            for piece in pieces { client.hear(piece) }
            try #require(client.outcomes() == conversation.outcomes, "\(way)")
        }
    }

    private static func answer(of bytes: Int) -> String {
        "answered HTTP/1.1 200\r\n\r\n" + String(repeating: "x", count: bytes)
    }

    /// A server that waits for the window is read to its end, one that does not is stopped (RFC 9113 section 6.9.1).
    @Test func aServerIsHeldToTheWindow() throws {
        let head = try FrameText.bytes("SETTINGS\nHEADERS stream 1, END_HEADERS\n  hex 88")
        let piece = try FrameText.bytes("DATA stream 1\n  text \"x\" * 16384")
        let patient = try #require(Client(streamWindowBytes: 1 << 17, requests: 1))
        patient.hear(head[...])
        for _ in 0..<100 { patient.hear(piece[...]) }
        patient.hear(try FrameText.bytes("DATA stream 1, END_STREAM")[...])
        #expect(patient.outcomes() == [Self.answer(of: 1_638_400)])
        let hasty = try #require(Client(streamWindowBytes: 1 << 17, requests: 1))
        hasty.hear((head + [[UInt8]](repeating: piece, count: 100).joined())[...])
        #expect(hasty.outcomes() == ["reset 3"])
    }

    /// RFC 9113 section 10.5: nghttp2 calls a thousand acknowledgements that are not written yet a flood.
    @Test func aFloodEndsTheSessionAtOnce() throws {
        let client = try #require(Client(requests: 1))
        client.hear(try FrameText.bytes("SETTINGS\nPING * 2000\n  hex 07 * 8")[...])
        #expect(client.outcomes() == ["lost", "violation 1"])
    }
}
