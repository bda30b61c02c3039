import Rulebook
import Testing

@testable import Transport

/// Reads what servers send as libcurl reads it from a socket, however the bytes are split.
@Suite struct AnswerTableTests {
    @Test func theTableIsLongAndItsNamesDiffer() {
        let names = WireAnswer.all.map(\.testDescription)
        #expect(names.count >= 100)
        #expect(Set(names).count == names.count)
        #expect(WireAnswer.all.filter { $0.difference != nil }.count <= 20)
    }

    @Test(arguments: WireAnswer.all.indices)
    func anAnswerIsTakenAsLibcurlTakesIt(index: Int) async throws {
        let answer = WireAnswer.all[index]
        var reference: Taken?
        try await Self.serve(.curl) { reference = try await Self.ask($0, $1, for: index) }
        let libcurl = try #require(reference)
        var reader = AnswerReader(limits: WireAnswer.limits)
        let outcome = AnswerOutcome(of: answer.bytes, closes: answer.closes, reader: &reader)
        let ours = Taken(outcome)
        guard let difference = answer.difference else {
            #expect(ours == libcurl, "\(answer.testDescription); libcurl says: \(libcurl.explanation)")
            return
        }
        #expect(ours != libcurl, "no difference any more: \(difference.reason)")
        #expect(ours.failure == difference.failure)
        #expect(ours.status == difference.status)
        #expect(ours.body == Array(difference.body.utf8))
        #expect(ours.isKept == difference.isKept)
    }

    /// In one transport, for each would parse the trust store anew.
    @Test func theExchangeTakesAnswersAsTheReaderDoes() async throws {
        try await Self.serve(.auto) { server, fixture in
            for (index, answer) in WireAnswer.all.enumerated() {
                var reader = AnswerReader(limits: WireAnswer.limits)
                let outcome = AnswerOutcome(of: answer.bytes, closes: answer.closes, reader: &reader)
                let overSocket = try await Self.ask(server, fixture, for: index)
                #expect(overSocket == Taken(outcome), "\(answer.testDescription)")
            }
        }
    }

    @Test(arguments: WireAnswer.all)
    func splitsChangeNothing(answer: WireAnswer) {
        let pool = AnswerPool()
        var reader = AnswerReader(limits: WireAnswer.limits, pool: pool)
        let whole = AnswerOutcome(of: answer.bytes, closes: answer.closes, reader: &reader)
        for split in 1..<max(2, answer.bytes.count) {
            reader.reset()
            let outcome = AnswerOutcome(of: answer.bytes, pieces: [split], closes: answer.closes, reader: &reader)
            #expect(outcome.agrees(with: whole), "split after \(split)")
        }
        reader.reset()
        let ones = repeatElement(1, count: answer.bytes.count)
        let outcome = AnswerOutcome(of: answer.bytes, pieces: ones, closes: answer.closes, reader: &reader)
        #expect(outcome.agrees(with: whole), "byte by byte")
    }

    /// What one of the two readers made of an answer.
    private struct Taken: Equatable {
        var failure: TransportFailure?
        var status: Int
        var body: [UInt8]
        var bodyBytes: Int
        var isKept: Bool
        var contentType: String?
        var flaws: AnswerFlaws
        var explanation = ""

        init(_ outcome: AnswerOutcome) {
            switch outcome.progress {
            case .complete: failure = nil
            case .failed(let reason): failure = reason
            case .incomplete: failure = .firstByteTimeout
            }
            status = outcome.status
            body = failure == nil ? outcome.body : []
            bodyBytes = failure == nil ? outcome.wireBodyBytes : 0
            isKept = outcome.keepsConnection
            contentType = failure == nil ? outcome.contentType : nil
            flaws = outcome.flaws
        }

        init(_ result: Finished, isKept: Bool) {
            failure = result.failure
            status = result.status
            body = failure == nil ? Array(result.body.utf8) : []
            bodyBytes = failure == nil ? result.bodyBytes : 0
            self.isKept = isKept
            // libcurl leaves the carriage return in a value that is otherwise empty.
            let value = result.contentType.map { String(decoding: $0.utf8.filter { $0 != 13 }, as: UTF8.self) }
            contentType = failure == nil ? value : nil
            // Nobody asked for a part, which a reader of answers does not know.
            flaws = result.flaws.subtracting(.partialUnasked)
            explanation = result.explanation
        }

        static func == (left: Taken, right: Taken) -> Bool {
            left.failure == right.failure && left.status == right.status && left.body == right.body
                && left.bodyBytes == right.bodyBytes && left.isKept == right.isKept
                && left.contentType == right.contentType && left.flaws == right.flaws
        }
    }

    /// Serves the answers of the table by their position and calls `body` with a transport.
    private static func serve(
        _ carriers: CarrierChoice,
        _ body: (ScriptedServer, TransportFixture) async throws -> Void
    ) async throws {
        let server = try ScriptedServer { request in
            guard let index = Int(request.path.dropFirst()) else {
                return [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")]
            }
            let answer = WireAnswer.all[index]
            return [.sendBytes(answer.bytes)] + (answer.closes ? [.close] : [])
        }
        defer { server.stop() }
        var configuration = TransportConfiguration()
        configuration.maximumBodyBytes = WireAnswer.limits.bodyBytes
        configuration.maximumHeaderBytes = WireAnswer.limits.headerBytes
        configuration.firstByteTimeout = .seconds(120)
        configuration.totalTimeout = .seconds(120)
        try await EachCarrier.$underTest.withValue(carriers) {
            try await TransportFixture.run(configuration) { try await body(server, $0) }
        }
    }

    /// What a transport makes of an answer, and whether it uses the connection for another request.
    private static func ask(_ server: ScriptedServer, _ fixture: TransportFixture, for index: Int) async throws -> Taken
    {
        let first = try await fixture.get(server.url("/\(index)"), owner: index)
        let second = try await fixture.get(server.url("/next"), owner: index)
        #expect(second.failure == nil)
        // What is framed well may be cut off within its coding.
        let mayBeKept = first.failure == nil || first.failure == .truncated
        return Taken(first, isKept: mayBeKept && second.newConnections == 0)
    }
}
