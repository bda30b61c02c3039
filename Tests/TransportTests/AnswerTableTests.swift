import Rules
import Testing
import Values

@testable import Transport

/// Reads what servers send as the table's files say, and as libcurl reads it from a socket, however the bytes are split.
///
/// Over sockets, because libcurl reads answers from nothing else.
@Suite struct AnswerTableTests {
    @Test func theTableIsLongAndWhole() {
        #expect(WireAnswer.files.count >= 270)
        #expect(WireAnswer.all.count == WireAnswer.files.count)
        #expect(Set(WireAnswer.all.map(\.testDescription)).count == WireAnswer.all.count)
        #expect(WireAnswer.all.count { $0.difference != nil } <= 20)
    }

    @Test(arguments: WireAnswer.all) func anAnswerIsReadAsItsFileSaysHoweverItIsSplit(answer: WireAnswer) {
        var reader = AnswerReader(limits: WireAnswer.limits, pool: AnswerPool())
        let whole = AnswerReading(of: answer.bytes, closes: answer.closes, reader: &reader)
        #expect(whole == answer.expected)
        let splits = (1..<max(2, answer.bytes.count)).map { [$0] } + [Array(repeating: 1, count: answer.bytes.count)]
        for split in splits {
            reader.reset()
            let reading = AnswerReading(of: answer.bytes, pieces: split, closes: answer.closes, reader: &reader)
            #expect(reading == whole, "split after \(split)")
        }
    }

    /// In one transport, for each would parse the trust store anew.
    @Test(arguments: [CarrierChoice.auto, .curl]) func bothCarriersReadAlike(carriers: CarrierChoice) async throws {
        var configuration = TransportConfiguration()
        configuration.maximumBodyBytes = WireAnswer.limits.bodyBytes
        configuration.maximumHeaderBytes = WireAnswer.limits.headerBytes
        (configuration.firstByteTimeout, configuration.totalTimeout) = (.seconds(120), .seconds(120))
        try await EachCarrier.$underTest.withValue(carriers) {
            try await withServer(configuration) { request in
                guard let index = Int(request.path.dropFirst()) else { return [.send(answer("200 OK", "next"))] }
                let answer = WireAnswer.all[index]
                return [.sendBytes(answer.bytes)] + (answer.closes ? [.close] : [])
            } test: { fixture, server in
                for (index, answer) in WireAnswer.all.enumerated() {
                    let result = try await fixture.get(server.url("/\(index)"), owner: index)
                    let next = try await fixture.get(server.url("/next"), owner: index)
                    #expect(next.body == "next")
                    let reading = AnswerReading(result, isKept: next.newConnections == 0)
                    let isFollowed = carriers == .auto || answer.difference == nil
                    #expect((reading == answer.expected) == isFollowed, "\(answer.testDescription): \(reading)")
                }
            }
        }
    }
}

extension AnswerReading {
    fileprivate init(_ result: Finished, isKept: Bool) {
        failure = result.failure
        status = result.status
        // An answer that is framed well may be cut off within its coding.
        self.isKept = isKept && (failure == nil || failure == .truncated)
        // A reader of answers does not know whether a part was asked for.
        flaws = result.flaws.subtracting(.partialUnasked)
        guard failure == nil else { return }
        (body, bodyBytes) = (Array(result.body.utf8), result.bodyBytes)
        // libcurl leaves the carriage return in a value that is otherwise empty.
        contentType = result.contentType.map { String(decoding: $0.utf8.filter { $0 != 13 }, as: UTF8.self) }
    }
}
