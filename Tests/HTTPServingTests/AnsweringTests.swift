import HTTPTypes
import NIOCore
import TestSupport
import Testing
import Transport

/// What comes back on one connection, byte for byte where that matters.
///
/// Over sockets, because bytes are judged as a connection carries them.
@Suite(.timeLimit(.minutes(15))) struct AnsweringTests {
    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static let last = get("/last", "Connection: close\r\n")

    @Test(arguments: [1, 2])
    func requestsThatComeTogetherAreAnsweredInOrder(threads: Int) async throws {
        try await RunningListener.run(threads: threads) { request in
            if request.head.path == "/slow" { for _ in 0..<100 { await Task.yield() } }
            try await request.say(request.head.path ?? "")
        } test: { server async throws in
            let paths = ["/slow"] + (0..<200).map { "/\($0)" } + ["/slow", "/a"]
            let answer = try await server.answer(to: paths.map { Self.get($0) }.joined() + Self.last)
            let bodies = answer.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
            #expect(bodies.map(String.init) == paths + ["/last"])
        }
    }

    @Test func nothingFollowsTheLastAnswer() async throws {
        try await RunningListener.run {
            try await $0.say("x")
        } test: { server async throws in
            let answer = try await server.answer(to: Self.last + Self.get("/more") + "\u{0}")
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    @Test(arguments: ["no request\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"])
    func whatIsNoRequestIsRefusedAfterWhatWas(broken: String) async throws {
        try await RunningListener.run { request in
            if request.head.method == .post { _ = try await request.body() }
            try await request.say("x")
        } test: { server async throws in
            let answer = try await server.answer(to: Self.get("/") + broken)
            let refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" + refusal)
        }
    }

    @Test func aHeadIsAnsweredWithoutTheBody() async throws {
        try await RunningListener.run {
            try await $0.say("x")
        } test: { server async throws in
            let answer = try await server.answer(to: "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
        }
    }

    @Test func aBodyIsReadWholeOrNotAtAll() async throws {
        try await RunningListener.run { request in
            do {
                try await request.say("\(try await request.body().readableBytes) ")
            } catch is BodyTooLarge {
                try await request.say("large ")
            }
        } test: { server async throws in
            func post(_ length: Int) -> String {
                let body = String(repeating: "b", count: length)
                return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)"
            }
            let all =
                post(3) + post(100) + post(101) + post(300_000)
                + post(3).replacing("/ ", with: "/unkept ", maxReplacements: 1) + Self.last
            let answers = try await server.answer(to: all).split(separator: "\r\n\r\n")
            #expect(answers.dropFirst().map { $0.prefix { $0 != " " } } == ["3", "100", "large", "large", "0", "0"])
        }
    }

    /// The second of two bodies that have no room together is refused, unless the first takes too long.
    @Test(arguments: [TimeAmount.seconds(3_600), .zero])
    func bodiesThatComeAtOneTimeHaveALimitTogether(patience: TimeAmount) async throws {
        let tally = Tally()
        try await RunningListener.run(receivedLimit: 150, bodyPatience: patience) { request in
            tally.add("asked")
            try await request.say("\(try await request.body().readableBytes)")
        } test: { server async throws in
            func post(_ length: Int, _ sent: Int) -> String {
                let body = String(repeating: "b", count: sent)
                return "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n\(body)"
            }
            let first = try server.connection(sending: post(100, 50))
            try await tally.wait(for: "asked")
            let second = try await server.answer(to: post(100, 100))
            #expect(second.hasPrefix(patience == .zero ? "HTTP/1.1 200" : "HTTP/1.1 503"), "\(second)")
            #expect(try await server.answer(to: post(50, 50)).hasSuffix("50"), "there is room for a shorter one")
            if patience == .zero { #expect(await first.answer().text == "") }
            withExtendedLifetime(first) {}
        }
    }

    @Test func clientsThatKeepTheServerWaitingLongestAreDisconnected() async throws {
        let tally = Tally()
        try await RunningListener.run(unsentLimit: 1 << 20) { request in
            // More than the buffers of the system take.
            let body = ByteBuffer(repeating: 0, count: 64 << 20)
            do {
                try await request.deliver(HTTPResponse(status: .ok), body)
            } catch {
                tally.add("cut")
            }
        } test: { server async throws in
            let readers = try (0..<2).map { _ in try server.connection(sending: Self.get("/")) }
            try await tally.wait(for: "cut")
            withExtendedLifetime(readers) {}
        }
    }

    @Test func aResponderThatFailsOrForgetsEndsTheConnection() async throws {
        try await RunningListener.run { request in
            if request.head.path == "/fails" { throw CancellationError() }
        } test: { server async throws in
            for path in ["/fails", "/forgets"] {
                let answer = try await server.answer(to: Self.get(path))
                #expect(answer == "")
            }
        }
    }

    @Test func aClientThatSendsNothingMoreIsAnsweredUnlessTheAnswerHasNoEnd() async throws {
        let tally = Tally()
        try await RunningListener.run { request in
            guard request.head.path == "/endless" else {
                try await tally.wait(for: "closed")
                return try await request.say("x")
            }
            defer { tally.add("ended") }
            try await request.begin(HTTPResponse(status: .ok), untilInputCloses: true)
            try await request.write(ByteBuffer(string: "part"))
            try? await tally.wait(for: "never")
            try await request.end()
        } test: { server async throws in
            let whole = try await server.connectionFound(sending: Self.get("/"), endsInput: true)
            try await server.turns()
            tally.add("closed")
            #expect(await whole.answer().text.hasSuffix("\r\n\r\nx"))
            let endless = try await server.connectionFound(sending: Self.get("/endless"), endsInput: true)
            #expect(await endless.answer().text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await tally.wait(for: "ended")
        }
    }

    @Test func anAnswerIsWrittenInOrderOrNotAtAll() async throws {
        let tally = Tally()
        try await RunningListener.run { request in
            await #expect(throws: ChannelError.self) { try await request.end() }
            await #expect(throws: ChannelError.self) { try await request.write(ByteBuffer()) }
            try await request.say("x")
            await #expect(throws: ChannelError.self) { try await request.say("y") }
            tally.add("answered")
        } test: { server async throws in
            let answer = try await server.answer(to: Self.last)
            #expect(answer.hasSuffix("\r\n\r\nx"))
            try await tally.wait(for: "answered")
        }
    }
}
