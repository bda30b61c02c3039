import Rules
import Testing
import Values

@testable import Transport

@Suite struct AnswerReaderTests {
    private static let plain = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\nContent-Type: a/b\r\n\r\nhello".utf8
    )
    private static let inChunks = Array(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: a/b\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8
    )

    private static func reader(headerBytes: Int = 64 << 10, bodyBytes: Int = 64 << 20, pool: AnswerPool = AnswerPool())
        -> AnswerReader
    { AnswerReader(limits: AnswerReader.Limits(headerBytes: headerBytes, bodyBytes: bodyBytes), pool: pool) }

    @Test func anIdleReaderIsSmall() { #expect(MemoryLayout<AnswerReader>.stride <= 64) }

    @Test func aWholeAnswerLiesWhereItCame() {
        var reader = Self.reader()
        #expect(!reader.hasBegun)
        #expect(reader.status == 0)
        Self.plain.withUnsafeBytes { bytes in
            #expect(reader.read(bytes) == .complete)
            #expect(reader.body.baseAddress == bytes.baseAddress.map { $0 + bytes.count - 5 })
            #expect(reader.body.count == 5)
            #expect(HeaderLookup.value(of: "etag", in: reader.head) == "\"a\"")
        }
        #expect(reader.hasBegun)
        #expect((reader.status, reader.wireBodyBytes) == (200, 5))
        #expect(reader.keepsConnection)
    }

    @Test func aBodyThatIsNotWantedIsCounted() {
        for answer in [Self.plain, Self.inChunks] {
            for split in [answer.count, 20, answer.count - 9, answer.count - 2] {
                var reader = Self.reader()
                let outcome = AnswerReading(of: answer, pieces: [split], keepsBody: false, reader: &reader)
                let expected = AnswerReading(status: 200, bodyBytes: 5, contentType: "a/b", isKept: true)
                #expect(outcome == expected, "split after \(split)")
            }
        }
    }

    @Test func nothingIsKeptOfTheLastAnswer() {
        var reader = Self.reader(pool: AnswerPool())
        for pieces in [[], [3, 50], [70, 1]] {
            for answer in [Self.inChunks, Self.plain] {
                #expect(AnswerReading(of: answer, pieces: pieces, reader: &reader).body == Array("hello".utf8))
                reader.reset()
                #expect(!reader.hasBegun)
                #expect(reader.status == 0)
                #expect(reader.body.isEmpty)
                #expect(reader.wireBodyBytes == 0)
                #expect(HeaderLookup.value(of: "Content-Type", in: reader.head) == nil)
                #expect(!reader.keepsConnection)
            }
        }
    }

    @Test func readersOfAPoolDoNotMixTheirAnswers() {
        let pool = AnswerPool()
        var readers = (0..<40).map { _ in Self.reader(pool: pool) }
        for round in 0..<3 {
            let answers = readers.indices.map {
                Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Type: \($0)\r\n\r\n\(1000 + $0)".utf8)
            }
            for (index, answer) in answers.enumerated() {
                answer.prefix(20 + round * 16).withUnsafeBytes {
                    #expect(readers[index].read($0) == .incomplete)
                }
            }
            for (index, answer) in answers.enumerated() {
                answer.dropFirst(20 + round * 16).withUnsafeBytes {
                    #expect(readers[index].read($0) == .complete)
                    #expect(Array(readers[index].body) == Array("\(1000 + index)".utf8))
                    #expect(HeaderLookup.value(of: "content-type", in: readers[index].head) == "\(index)")
                }
                readers[index].reset()
            }
        }
    }

    @Test func smallBodiesAndHeadsAreCountedToo() {
        // Enough for one answer in pieces: a buffer of 4 KiB for its head, and one for its body.
        let pool = AnswerPool(budget: BodyBudget(bytes: 10_000))
        var readers = (0..<3).map { _ in Self.reader(pool: pool) }
        let half = Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8)
        half.withUnsafeBytes { half in
            #expect(readers[0].read(half) == .incomplete)
            #expect(readers[1].read(half) == .failed(.localResources))
            readers[0].reset()
            #expect(readers[2].read(half) == .incomplete)
        }
    }

    @Test func aHeaderIsFoundByItsNameAlone() {
        let head =
            "HTTP/1.1 302 Found\r\nlocation:/a\r\nX-Location: /b\r\nLocation-X: /c\r\nA:\r\nContent-Length: 0\r\n\r\n"
        for pieces in [[], [40]] {
            var reader = Self.reader()
            Array(head.utf8).withUnsafeBytes { bytes in
                for size in pieces {
                    #expect(
                        reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<size])) == .incomplete
                    )
                }
                let rest = UnsafeRawBufferPointer(rebasing: bytes[pieces.reduce(0, +)...])
                #expect(reader.read(rest) == .complete)
                #expect(HeaderLookup.value(of: "Location", in: reader.head) == "/a")
                #expect(HeaderLookup.value(of: "LOCATION", in: reader.head) == "/a")
                #expect(HeaderLookup.value(of: "Locatio", in: reader.head) == nil)
                #expect(HeaderLookup.value(of: "ocation", in: reader.head) == nil)
                #expect(HeaderLookup.value(of: "HTTP/1.1 302 Found", in: reader.head) == nil)
                #expect(HeaderLookup.value(of: "", in: reader.head) == nil)
                #expect(HeaderLookup.value(of: "a", in: reader.head) == "")
            }
        }
    }

    @Test func nothingIsWaitedForThatCannotBecomeGood() {
        for text in ["X", "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 2", "HTTQ", "HTTP/1.1 200 OK\r\nX: \0\r\n"] {
            var reader = Self.reader()
            let expected: TransportFailure = text == "HTTP/1.1 2" ? .firstByteTimeout : .protocolError
            #expect(AnswerReading(of: Array(text.utf8), reader: &reader).failure == expected, "\(text)")
        }
    }

    @Test func aLineWithoutEndIsRefusedAtTheLimit() {
        let bytes = Array(("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 2000)).utf8)
        for size in [bytes.count, 1, 7, 90] {
            var reader = Self.reader(headerBytes: 100)
            let outcome = AnswerReading(of: bytes, pieces: repeatElement(size, count: bytes.count), reader: &reader)
            #expect(outcome.failure == .protocolError)
        }
    }

    @Test func aFailureLasts() {
        var reader = Self.reader()
        #expect(AnswerReading(of: Array("nonsense".utf8), reader: &reader).failure == .protocolError)
        #expect(AnswerReading(of: Self.plain, reader: &reader).failure == .protocolError)
        #expect(reader.ended() == .failed(.protocolError))
        reader.reset()
        #expect(AnswerReading(of: Self.plain, reader: &reader).failure == nil)
    }

    @Test func theEndBeforeAnAnswerIsAReset() {
        var reader = Self.reader()
        #expect(reader.ended() == .failed(.reset))
    }

    /// Announced lengths are taken for what they are worth: no memory is set aside for them.
    @Test func aGreatLengthCostsNothing() {
        var reader = Self.reader(bodyBytes: .max)
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello"
        #expect(AnswerReading(of: Array(text.utf8), reader: &reader).failure == .firstByteTimeout)
        #expect(reader.ended() == .failed(.truncated))
    }

    @Test func aCodingThatWasNotOfferedIsLeftAlone() {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"
        let limits = AnswerReader.Limits(headerBytes: 1000, bodyBytes: 1000)
        var reader = AnswerReader(limits: limits, decodesContent: false)
        #expect(AnswerReading(of: Array(text.utf8), reader: &reader).body == Array("hello".utf8))
    }

    /// Five thousand bytes in forty.
    @Test(arguments: [0, 1000, 4999, 5000, 1 << 20]) func noBombPassesTheLimit(limit: Int) throws {
        let bomb = try WireAnswer.named("decompression-bomb")
        for size in [bomb.bytes.count, 1, 10] {
            var reader = Self.reader(bodyBytes: limit)
            let pieces = repeatElement(size, count: bomb.bytes.count)
            let outcome = AnswerReading(of: bomb.bytes, pieces: pieces, reader: &reader)
            #expect(reader.body.count <= limit)
            #expect(outcome.failure == (limit < 5000 ? .bodyTooLarge : nil))
        }
    }
}

/// Reading a header in place says the same as making a String of it.
@Suite struct HeaderLookupTests {
    @Test(arguments: [
        ("Content-Type: text/plain\r\n", "text/plain"), ("CONTENT-TYPE:text/plain \t\r\n", "text/plain"),
        ("content-type: a\r\nContent-Type: b\r\n", "b"), ("Content-Type:\r\n", ""),
        ("Content-Typed: a\r\nX-Content-Type: b\r\n", nil), ("", nil),
    ]) func aValueIsReadWithoutMakingIt(_ lines: String, _ expected: String?) {
        let head = Array("HTTP/1.1 200 OK\r\nServer: s\r\n\(lines)Date: d\r\n\r\n".utf8)
        head.withUnsafeBytes { bytes in
            HeaderLookup.read("content-type", in: bytes) { value in
                #expect(value.map { String(decoding: $0, as: UTF8.self) } == expected)
            }
            #expect(HeaderLookup.value(of: "content-type", in: bytes) == expected)
        }
    }
}
