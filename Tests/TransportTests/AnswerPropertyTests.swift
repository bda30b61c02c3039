import Rules
import TestSupport
import Testing

@testable import Transport

/// Answers made at random, cut at random: what was put in comes out.
@Suite struct AnswerPropertyTests {
    private struct Sample {
        var bytes: [UInt8] = []
        var closes = false
        var reading = AnswerReading(isKept: true)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func whatWasSentIsRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pool = AnswerPool()
        var reader = AnswerReader(limits: .init(headerBytes: 64 << 10, bodyBytes: 64 << 20), pool: pool)
        for round in 0..<50 {
            let sample = Self.sample(&random)
            var pieces: [Int] = []
            if round % 5 != 0 {
                let greatest = [2, 20, 300, 5000].randomElement(using: &random) ?? 2
                var left = sample.bytes.count
                while left > 0 {
                    let size = Int.random(in: 1...greatest, using: &random)
                    pieces.append(size)
                    left -= size
                }
            }
            let reading = AnswerReading(of: sample.bytes, pieces: pieces, closes: sample.closes, reader: &reader)
            #expect(reading == sample.reading, "seed \(seed), round \(round)")
            reader.reset()
        }
    }

    private static func sample(_ random: inout SeededGenerator) -> Sample {
        var sample = Sample()
        let end = ["\r\n", "\n"].randomElement(using: &random) ?? "\n"
        var text = ""
        for _ in 0..<Int.random(in: 0...2, using: &random) { text += "HTTP/1.1 103 Early\(end)Link: </x>\(end)\(end)" }
        sample.reading.status = [200, 206, 302, 404, 503, 999].randomElement(using: &random) ?? 200
        let token = "t/\(UInt16.random(in: 0 ... .max, using: &random))"
        let count = Int.random(in: 0...3000, using: &random)
        sample.reading.body = (0..<count).map { _ in .random(in: 0 ... .max, using: &random) }
        (sample.reading.bodyBytes, sample.reading.contentType) = (count, token)
        text += "HTTP/1.1 \(sample.reading.status) Reason\(end)"
        var lines = ["Content-Type: \(token)"]
        for number in 0..<Int.random(in: 0...8, using: &random) { lines.append("X-Number-\(number): value") }
        if Int.random(in: 0...4, using: &random) == 0 {
            lines.append("connection: Close")
            sample.reading.isKept = false
        }
        switch Int.random(in: 0...2, using: &random) {
        case 0:
            lines.append("Content-Length: \(sample.reading.body.count)")
            sample.bytes = sample.reading.body
        case 1:
            lines.append("Transfer-Encoding: chunked")
            sample.bytes = chunks(of: sample.reading.body, end: end, &random)
        default:
            sample.bytes = sample.reading.body
            (sample.closes, sample.reading.isKept) = (true, false)
        }
        lines.shuffle(using: &random)
        text += lines.map { $0 + end }.joined() + end
        sample.bytes = Array(text.utf8) + sample.bytes
        return sample
    }

    private static func chunks(of body: [UInt8], end: String, _ random: inout SeededGenerator) -> [UInt8] {
        var rest = body[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            let size = min(rest.count, Int.random(in: 1...700, using: &random))
            let note = Bool.random(using: &random) ? ";note=\"x\"" : ""
            bytes += Array((String(size, radix: 16) + note + end).utf8) + rest.prefix(size) + Array(end.utf8)
            rest = rest.dropFirst(size)
        }
        let trailer = Bool.random(using: &random) ? "Content-Type: trailer\(end)" : ""
        return bytes + Array(("0" + end + trailer + end).utf8)
    }
}
