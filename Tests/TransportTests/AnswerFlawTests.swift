import Rules
import Testing
import Transport

/// What answers say of their own bodies that cannot be right is told by both carriers; see also the table of answers.
///
/// Over sockets, because libcurl reads answers from nothing else.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct AnswerFlawTests {
    @Test func whatLeadsOnIsLookedAtToo() async throws {
        try await withServer { request in
            guard request.path == "/" else { return [.send(answer("200 OK", "here"))] }
            return [.send(answer("302 Found", headers: ["Location: /there", "Content-Length: 0"], "x"))]
        } test: { fixture, server in
            let result = try await fixture.get(server.url("/"))
            #expect((result.redirects, result.body, result.flaws) == (1, "here", .lengthInvalid))
        }
    }

    @Test func onlyAPartThatWasAskedForIsInOrder() async throws {
        try await withServer(
            script: always(.send(answer("206 Partial Content", headers: ["Content-Range: bytes 0-3/9"], "part")))
        ) { fixture, server in
            for (range, flaws) in [("bytes=0-3", AnswerFlaws()), (nil, .partialUnasked)] {
                let headers = range.flatMap { HeaderList([("Range", $0)]) }
                let result = try await fixture.send(PreparedRequest(url: server.url("/"), headers: headers))
                #expect(result.flaws == flaws)
            }
        }
    }

    @Test func flawsAreToldOfWhatIsNotKept() async throws {
        let half = try WireAnswer.named("gzip-of-half-a-stream").bytes
        let result = try await result(of: .sendBytes(half), keepBody: false)
        #expect((result.flaws, result.failure) == (.codingInvalid, .truncated))
    }
}
