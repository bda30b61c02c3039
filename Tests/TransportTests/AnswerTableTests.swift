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

    @Test(arguments: WireAnswer.all)
    func anAnswerIsTakenAsLibcurlTakesIt(answer: WireAnswer) async throws {
        let reference = try await Self.libcurl(answer)
        var reader = AnswerReader(limits: WireAnswer.limits)
        let outcome = AnswerOutcome(of: answer.bytes, closes: answer.closes, reader: &reader)
        let ours = Taken(outcome)
        guard let difference = answer.difference else {
            #expect(ours == reference, "libcurl: \(reference.explanation)")
            return
        }
        #expect(ours != reference, "no difference any more: \(difference.reason)")
        #expect(ours.failure == difference.failure)
        #expect(ours.status == difference.status)
        #expect(ours.body == Array(difference.body.utf8))
        #expect(ours.isKept == difference.isKept)
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
        var failure: TransferFailure?
        var status: Int
        var body: [UInt8]
        var bodyBytes: Int
        var isKept: Bool
        var contentType: String?
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
            explanation = result.explanation
        }

        static func == (left: Taken, right: Taken) -> Bool {
            left.failure == right.failure && left.status == right.status && left.body == right.body
                && left.bodyBytes == right.bodyBytes && left.isKept == right.isKept
                && left.contentType == right.contentType
        }
    }

    /// What libcurl makes of an answer, and whether it uses the connection for another request.
    private static func libcurl(_ answer: WireAnswer) async throws -> Taken {
        let server = try ScriptedServer { request in
            guard request.path == "/" else { return [.send(nextAnswer)] }
            return [.sendBytes(answer.bytes)] + (answer.closes ? [.close] : [])
        }
        defer { server.stop() }
        var configuration = TransportConfiguration()
        configuration.maximumBodyBytes = WireAnswer.limits.bodyBytes
        configuration.maximumHeaderBytes = WireAnswer.limits.headerBytes
        configuration.firstByteTimeout = .seconds(5)
        configuration.totalTimeout = .seconds(5)
        var taken: Taken?
        try await TransportFixture.run(configuration) { fixture in
            let first = try await fixture.get(server.url("/"))
            let second = try await fixture.get(server.url("/next"))
            #expect(second.failure == nil)
            taken = Taken(first, isKept: first.failure == nil && second.newConnections == 0)
        }
        return try #require(taken)
    }
}

private let nextAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"
