import HTTP2
import Testing

/// What a client makes of every kind of frame, right and wrong, however the bytes are cut.
@Suite(.timeLimit(.minutes(5))) struct ConversationTests {
    @Test func thereAreManyAndEachHasAName() {
        #expect(Conversation.all.count >= 120)
        #expect(Set(Conversation.all.map(\.name)).count == Conversation.all.count)
    }

    @Test(arguments: Conversation.all)
    func comesToItsEndWhereverItIsCut(_ conversation: Conversation) throws {
        let engine = try #require(HTTP2Engine(HTTP2Settings()))
        // Long ones are cut less often, which still cuts each kind of field.
        let step = max(1, conversation.bytes.count / 400)
        for cut in [0] + stride(from: 1, to: conversation.bytes.count, by: step) {
            var client = try #require(Client(engine, requests: conversation.outcomes.count))
            client.hear(conversation.bytes[..<cut])
            client.hear(conversation.bytes[cut...])
            let outcomes = client.outcomes()
            #expect(outcomes == conversation.outcomes, "cut at \(cut); \(conversation.section)")
            #expect(client.violation == conversation.violation, "cut at \(cut); \(conversation.section)")
            guard outcomes == conversation.outcomes, client.violation == conversation.violation else { return }
        }
    }

    /// A server that waits for the window is read to its end, one that does not is stopped (RFC 9113 section 6.9.1).
    @Test func aServerIsHeldToTheWindow() throws {
        var settings = HTTP2Settings()
        settings.streamWindowBytes = 1 << 17
        let engine = try #require(HTTP2Engine(settings))
        let head = Frame.settings + Frame.head([(":status", "200")])
        let piece = Frame.data(String(repeating: "x", count: 16_384), ends: false)
        var patient = try #require(Client(engine, requests: 1))
        patient.hear(head.bytes[...])
        for _ in 0..<100 { patient.hear(piece.bytes[...]) }
        patient.hear(Frame.data("").bytes[...])
        #expect(patient.outcomes() == [.answered("HTTP/1.1 200\r\n\r\n" + String(repeating: "x", count: 1_638_400))])
        var hasty = try #require(Client(engine, requests: 1))
        hasty.hear((head + Wire(100) { _ in piece }).bytes[...])
        #expect(hasty.outcomes() == [.reset(3)])
    }

    @Test(arguments: Conversation.all)
    func comesToItsEndByteByByte(_ conversation: Conversation) throws {
        let engine = try #require(HTTP2Engine(HTTP2Settings()))
        var client = try #require(Client(engine, requests: conversation.outcomes.count))
        for index in conversation.bytes.indices { client.hear(conversation.bytes[index...index]) }
        #expect(client.outcomes() == conversation.outcomes)
        #expect(client.violation == conversation.violation)
    }

    /// RFC 9113 section 10.5: nghttp2 calls a thousand acknowledgements that are not written yet a flood.
    @Test func aFloodEndsTheSessionAtOnce() throws {
        let engine = try #require(HTTP2Engine(HTTP2Settings()))
        var client = try #require(Client(engine, requests: 1))
        let flood = Frame.settings + Wire(2_000) { _ in Frame.of(.ping, [UInt8](repeating: 7, count: 8)) }
        client.hear(flood.bytes[...])
        #expect(client.outcomes() == [.lost])
        #expect(client.violation == 1)
    }
}
