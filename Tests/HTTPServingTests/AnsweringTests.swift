import HTTPServing
import HTTPTypes
import NIOCore
import Testing

/// What comes back on one connection, byte for byte where that matters.
@Suite struct AnsweringTests {
    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static let last = get("/last", "Connection: close\r\n")

    @Test(arguments: [1, 2])
    func requestsThatComeTogetherAreAnsweredInOrder(threads: Int) async throws {
        let respond: HTTPListener.Responder = { request in
            if request.head.path == "/slow" { try await Task.sleep(for: .milliseconds(50)) }
            try await request.say(request.head.path ?? "")
        }
        try await withListener(threads: threads, respond: respond) { listener in
            let paths = ["/slow"] + (0..<200).map { "/\($0)" } + ["/slow", "/a"]
            let answer = try await listener.answer(to: paths.map { Self.get($0) }.joined() + Self.last)
            let bodies = answer.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
            #expect(bodies.map(String.init) == paths + ["/last"])
        }
    }

    @Test func nothingFollowsTheLastAnswer() async throws {
        let respond: HTTPListener.Responder = { try await $0.say("x") }
        try await withListener(respond: respond) { listener in
            let answer = try await listener.answer(to: Self.last + Self.get("/more") + "\u{0}")
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    @Test(arguments: ["no request\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"])
    func whatIsNoRequestIsRefusedAfterWhatWas(broken: String) async throws {
        let respond: HTTPListener.Responder = { request in
            if request.head.method == .post { _ = try await request.body() }
            try await request.say("x")
        }
        try await withListener(respond: respond) { listener in
            let answer = try await listener.answer(to: Self.get("/") + broken)
            let refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" + refusal)
        }
    }

    @Test func aHeadIsAnsweredWithoutTheBody() async throws {
        let respond: HTTPListener.Responder = { try await $0.say("x") }
        try await withListener(respond: respond) { listener in
            let answer = try await listener.answer(to: "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
        }
    }

    @Test func aBodyIsReadWholeOrNotAtAll() async throws {
        let respond: HTTPListener.Responder = { request in
            do {
                try await request.say("\(try await request.body().readableBytes) ")
            } catch is BodyTooLarge {
                try await request.say("large ")
            }
        }
        try await withListener(respond: respond) { listener in
            func post(_ length: Int) -> String {
                let body = String(repeating: "b", count: length)
                return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)"
            }
            let all = post(3) + post(100) + post(101) + post(300_000) + Self.last
            let answers = try await listener.answer(to: all).split(separator: "\r\n\r\n")
            #expect(answers.dropFirst().map { $0.prefix { $0 != " " } } == ["3", "100", "large", "large", "0"])
        }
    }

    @Test func aResponderThatFailsOrForgetsEndsTheConnection() async throws {
        let respond: HTTPListener.Responder = { request in
            if request.head.path == "/fails" { throw CancellationError() }
        }
        try await withListener(respond: respond) { listener in
            for path in ["/fails", "/forgets"] {
                let answer = try await listener.answer(to: Self.get(path))
                #expect(answer == "")
            }
        }
    }

    @Test func whoSendsNothingMoreIsAnsweredUnlessTheAnswerHasNoEnd() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            guard request.head.path == "/endless" else {
                try await Task.sleep(for: .milliseconds(30))
                return try await request.say("x")
            }
            defer { tally.add("ended") }
            try await request.begin(HTTPResponse(status: .ok), untilInputCloses: true)
            try await request.write(ByteBuffer(string: "part"))
            try? await Task.sleep(for: .seconds(3_600))
            try await request.end()
        }
        try await withListener(respond: respond) { listener in
            let whole = try await listener.answer(to: Self.get("/"), thenEnds: true)
            #expect(whole.hasSuffix("\r\n\r\nx"))
            let endless = try await listener.answer(to: Self.get("/endless"), thenEnds: true)
            #expect(endless.hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await tally.waits(for: "ended", 1)
        }
    }

    @Test func anAnswerIsWrittenInOrderOrNotAtAll() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            await #expect(throws: ChannelError.self) { try await request.end() }
            await #expect(throws: ChannelError.self) { try await request.write(ByteBuffer()) }
            try await request.say("x")
            await #expect(throws: ChannelError.self) { try await request.say("y") }
            tally.add("answered")
        }
        try await withListener(respond: respond) { listener in
            let answer = try await listener.answer(to: Self.last)
            #expect(answer.hasSuffix("\r\n\r\nx"))
            try await tally.waits(for: "answered", 1)
        }
    }
}
