import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Answers that say of their bodies what a planned fault has them say, and nothing else.
@Suite struct MisframedAnswerTests {
    private let text = Array("#EXTM3U\n".utf8) + Array(repeating: UInt8(ascii: "#"), count: 3_000)

    private var answer: Answer { Answer(contentType: .playlist, caching: .none, body: text) }

    @Test func aBodyIsCutAndItsLengthIsWhatIsLeft() {
        let negotiated = NegotiatedAnswer(contentType: .playlist, caching: .none, body: text)
        for given in [negotiated.answer(gzip: true), answer] {
            let cut = given.misframed(as: .cutCoding, gzip: true)
            #expect(cut.fields[.contentEncoding] == "gzip")
            #expect(cut.fields[values: .contentLength] == [String(cut.body.readableBytes)])
            #expect(cut.body.readableBytes == (Gzip.compress(text)?.count ?? 0) * 2 / 3)
        }
        #expect(answer.misframed(as: .cutCoding, gzip: false).fields == answer.fields)
    }

    @Test func theTrueLengthIsTheLast() {
        let lengths = answer.misframed(as: .twoLengths, gzip: true).fields[values: .contentLength]
        #expect(lengths == ["3009", "3008"])
    }

    @Test func chunksAndALength() {
        let fields = answer.misframed(as: .lengthAndChunks, gzip: true).fields
        #expect(fields[.transferEncoding] == "chunked")
        #expect(fields[.contentLength] == "3008")
    }

    @Test func onlyWhatIsThereIsAPart() {
        let part = answer.misframed(as: .part, gzip: true)
        #expect(part.status == .partialContent)
        #expect(part.fields[.contentRange] == "bytes 0-3007/3008")
        #expect(Answer.empty(.notFound).misframed(as: .part, gzip: true).status == .notFound)
    }
}
