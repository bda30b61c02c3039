import TestSupport
import Testing

@testable import HLS

@Suite struct SpliceInformationTests {
    /// splice_insert of SCTE 35 section 14.2's form: out of network for 2,700,000 ticks.
    static let insertOut = encode(command: 0x05, "00000001 7F EF FE 00000000 FE 0029 32E0 0001 00 00")
    static let insertIn = encode(command: 0x05, "00000001 7F 5F 0001 00 00")

    /// A section with this command, and segmentation descriptors where given.
    private static func encode(command: UInt8, _ body: String, descriptors: String = "") -> String {
        let body = bytes(body)
        let descriptors = bytes(descriptors)
        var section: [UInt8] = [0xFC, 0x30, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0xFF]
        section += [0xF0 | UInt8(body.count >> 8), UInt8(body.count & 0xFF), command]
        section +=
            body + [UInt8(descriptors.count >> 8), UInt8(descriptors.count & 0xFF)] + descriptors + [0, 0, 0, 0]
        return base64(section)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { $0 != " " }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 6).map { start in
                alphabet[(0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
            }
        )
    }

    @Test func insertsBeginAndEndBreaks() {
        #expect(SpliceInformation(base64: Self.insertOut)?.meaning == .out(duration: .seconds(30)))
        #expect(SpliceInformation(base64: Self.insertIn)?.meaning == .in)
    }

    /// The samples of SCTE 35 section 14: an insert, and the start and end of a placement opportunity.
    @Test(
        arguments: [
            (
                "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=",
                .out(duration: .microseconds(60_293_567))
            ),
            (
                "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
                .out(duration: .microseconds(307_000_000))
            ),
            ("/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=", .in),
        ] as [(String, SpliceInformation.Meaning)]
    ) func readsTheStandardsSamples(_ section: String, _ meaning: SpliceInformation.Meaning) {
        #expect(SpliceInformation(base64: section)?.meaning == meaning)
    }

    @Test(
        arguments: [
            (0x34, .out(duration: .seconds(60))), (0x35, .in), (0x30, .out(duration: .seconds(60))), (0x31, .in),
            (0x36, .out(duration: .seconds(60))), (0x10, nil),
        ] as [(UInt8, SpliceInformation.Meaning?)]
    ) func timeSignalsSpeakThroughTheirSegmentation(_ type: UInt8, _ meaning: SpliceInformation.Meaning?) {
        let hexadecimal = String(type, radix: 16)
        let descriptor = "02 14 43554549 00000001 7F FF 00005265C0 00 00 \(hexadecimal) 00 00"
        let section = Self.encode(command: 0x06, "FE 00000000", descriptors: descriptor)
        #expect(SpliceInformation(base64: section)?.meaning == meaning)
    }

    @Test func everyCutIsAnAnswerAndNoTrap() {
        for text in [Self.insertOut, Self.insertIn] {
            for length in 0..<text.count { _ = SpliceInformation(base64: String(text.prefix(length))) }
            #expect(SpliceInformation(base64: String(text.prefix(20))) == nil)
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            var bytes = (0..<40).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            bytes[0] = 0xFC
            bytes[13] = generator.next() % 2 == 0 ? 5 : 6
            _ = SpliceInformation(base64: Self.base64(bytes))
        }
    }
}

@Suite struct Base64Tests {
    @Test(
        arguments: [
            ("", []), ("TQ==", [0x4D]), ("TWE=", [0x4D, 0x61]), ("TWFu", [0x4D, 0x61, 0x6E]), ("TQ", [0x4D]),
            ("+/+/", [0xFB, 0xFF, 0xBF]),
        ] as [(String, [UInt8])]
    ) func decodes(_ text: String, _ bytes: [UInt8]) { #expect(Base64.decode(text) == bytes) }

    @Test(arguments: ["T", "T!==", "TW-_", " "]) func refusesWhatIsNone(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
