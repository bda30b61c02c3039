import TestSupport
import Testing

@testable import HLS

@Suite struct SpliceSectionTests {
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
        #expect(SpliceSection(text: Self.insertOut)?.meaning == .out(duration: .seconds(30)))
        #expect(SpliceSection(text: Self.insertIn)?.meaning == .in)
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
        ] as [(String, SpliceSection.Meaning)]
    ) func readsTheStandardsSamples(_ section: String, _ meaning: SpliceSection.Meaning) {
        #expect(SpliceSection(text: section)?.meaning == meaning)
    }

    @Test(
        arguments: [
            (0x34, .out(duration: .seconds(60))), (0x35, .in), (0x30, .out(duration: .seconds(60))), (0x31, .in),
            (0x36, .out(duration: .seconds(60))), (0x10, nil),
        ] as [(UInt8, SpliceSection.Meaning?)]
    ) func timeSignalsSpeakThroughTheirSegmentation(_ type: UInt8, _ meaning: SpliceSection.Meaning?) {
        let hexadecimal = String(type, radix: 16)
        let descriptor = "02 14 43554549 00000001 7F FF 00005265C0 00 00 \(hexadecimal) 00 00"
        let section = Self.encode(command: 0x06, "FE 00000000", descriptors: descriptor)
        #expect(SpliceSection(text: section)?.meaning == meaning)
    }

    /// What threefive reads of 292 sections: those of public documents, some that it writes, and random ones.
    @Test func threefiveReadsTheSame() throws {
        let lines = try PackageFolder.text("Tests/HLSTests/Sections/threefive.tsv").split(separator: "\n")
        #expect(lines.count == 292)
        for line in lines {
            let columns = line.split(separator: "\t")
            let section = try SpliceSection(checked: try SpliceSection.bytes(of: columns[0]))
            #expect(section.fields == columns[1], "\(columns[0])")
        }
    }

    /// Sections that their own lengths contradict, none of which may cost more than its bytes.
    @Test(
        arguments: [
            ("/DA=", .notASection),
            // A descriptor loop that is longer than its section, and a descriptor that is longer than its loop.
            ("0xFC301100000000000000FFF000000FFF00000000", .longDescriptors),
            ("0xFC301400000000000000FFF00000000300FF4300000000", .longDescriptors),
            ("0xFC301500000000000000FFF0140500000100000000000000", .shortCommand),
        ] as [(String, SpliceFault)]
    ) func contradictionsOfLengthsAreTold(_ text: String, _ fault: SpliceFault) {
        #expect(throws: fault) { try SpliceSection(checked: try SpliceSection.bytes(of: text)) }
    }

    /// An ad and its placement opportunity that begin with one section: the opportunity is the break.
    @Test func theOutermostSegmentationIsTheBreak() {
        func descriptor(_ type: String, _ ticks: String) -> String {
            "02 14 43554549 00000001 7F FF \(ticks) 00 00 \(type) 00 00"
        }
        func outermost(_ descriptors: String) -> SpliceSection.Meaning? {
            SpliceSection(text: Self.encode(command: 0x06, "FE 00000000", descriptors: descriptors))?.outermost?.meaning
        }
        let (ad, opportunity) = (descriptor("30", "0000149970"), descriptor("34", "00005265C0"))
        #expect(outermost(ad + opportunity) == .out(duration: .seconds(60)))
        #expect(outermost(descriptor("35", "0000000000") + opportunity) == .out(duration: .seconds(60)))
        #expect(outermost(descriptor("35", "0000000000") + ad) == .in)
        #expect(outermost(descriptor("10", "0000000000")) == nil)
    }

    @Test func everyCutIsAnAnswerAndNoTrap() {
        for text in [Self.insertOut, Self.insertIn] {
            for length in 0..<text.count { _ = SpliceSection(text: String(text.prefix(length))) }
            #expect(SpliceSection(text: String(text.prefix(20))) == nil)
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            var bytes = (0..<40).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            bytes[0] = 0xFC
            bytes[13] = generator.next() % 2 == 0 ? 5 : 6
            _ = SpliceSection(text: Self.base64(bytes))
        }
    }
}

// Sections as people are shown them, and hostile ones.
extension SpliceSectionTests {
    @Test func anInsertIsToldInWords() throws {
        let section = try #require(SpliceSection(text: "/DAlAAAAAAAAAP/wFAUAAAAJf+/+AAg9YP4AKTLgAAEAAAAAx1l9kw=="))
        #expect(
            section.words == [
                "splice_info_section of 40 bytes",
                "  splice_insert: event 9, out of the network: a break begins at 6 s of the stream's clock (540000)",
                "    it lasts 30 s and returns by itself",
            ]
        )
    }

    @Test func aPlacementOpportunityIsToldInWords() throws {
        let text =
            "0xFC303600000000000000FFF00506FE00083D600020021E435545490000000A7FFF00002932E0080A5349474E414C3A41424334000087D14571"
        let section = try #require(SpliceSection(text: text))
        #expect(section.lengths == [.seconds(30)])
        #expect(
            section.words == [
                "splice_info_section of 57 bytes", "  time_signal: at 6 s of the stream's clock (540000)",
                "  segmentation_descriptor: event 10, provider placement opportunity start (0x34)", "    it lasts 30 s",
                "    AiringID: SIGNAL:ABC",
            ]
        )
    }

    @Test(
        arguments: [
            ("", .notASection), ("0x", .notASection), ("0xFC3", .oddDigits), ("0xFCZZ", .otherDigits),
            ("/D!", .notBase64),
            ("0xFC301100000000000000FFF0000000007A4FBFFE", .otherChecksum),
            ("0xFC301200000000000000FFF0000000007A4FBFFF", .otherLength),
            ("/DAlAAAAAAAAAP/wFAUAAAABf+/+AAAAAP4AKTLgAAEAAAD/1GUbwg==", .longDescriptors),
        ] as [(String, SpliceFault)]
    ) func aBrokenSectionIsAFault(_ text: String, _ fault: SpliceFault) {
        #expect(throws: fault) { _ = try SpliceSection(checked: try SpliceSection.bytes(of: text)) }
    }

    @Test func theLongestSectionIsRead() throws {
        let descriptor = "80 FA 43554549" + String(repeating: "00", count: 246)
        let text = Self.encode(
            command: 0x06,
            "FE 00000000",
            descriptors: Array(repeating: descriptor, count: 16).joined(separator: " ")
        )
        let section = try #require(SpliceSection(text: text))
        #expect((section.byteCount, section.otherDescriptors.count, section.meanings) == (4_057, 16, []))
        #expect(SpliceSection(text: text + text) == nil)
    }
}

@Suite struct CueTagTests {
    private func tag(_ line: String) -> CueTag? { Array(line.utf8).withUnsafeBytes { CueTag.read($0, 0..<$0.count) } }

    @Test(
        arguments: [
            ("#EXT-X-CUE-OUT", .unstated), ("#EXT-X-CUE-OUT:", .unstated), ("#EXT-X-CUE-OUT:0", .unstated),
            ("#EXT-X-CUE-OUT:8.5", .of(.milliseconds(8_500))), ("#EXT-X-CUE-OUT:8.000,ID=4", .of(.seconds(8))),
            ("#EXT-X-CUE-OUT:ID=\"1\",Duration=8", .of(.seconds(8))),
            ("#EXT-X-CUE-OUT: 8", .unusual(.seconds(8), form: "a number beside a space")),
            ("#EXT-X-CUE-OUT:\"8\"", .unusual(.seconds(8), form: "a number in quotation marks")),
            ("#EXT-X-CUE-OUT:DURATION=PT1M2.5S", .unusual(.milliseconds(62_500), form: "ISO 8601 (PT1M2.5S)")),
            ("#EXT-X-CUE-OUT:-1", .unreadable("-1")), ("#EXT-X-CUE-OUT:DURATION=abc", .unreadable("abc")),
            (
                "#EXT-X-CUE-OUT:1\(String(repeating: "0", count: 300))",
                .unreadable("1" + String(repeating: "0", count: 63))
            ),
            ("#EXT-X-CUE-OUT:PT", .unreadable("PT")), ("#EXT-X-CUE-OUT:{$length}", .unstated),
            ("#EXT-X-CUE:TYPE=\"SpliceOut\",DURATION=\"8.000\"", .of(.seconds(8))),
        ] as [(String, CueTag.Length)]
    ) func readsEachFormOfALength(_ line: String, _ length: CueTag.Length) throws {
        let found = try #require(tag(line))
        #expect((found.kind, found.length) == (.out, length))
    }

    @Test func adobesCueContinuesABreakWhereItSaysWhatHasElapsed() throws {
        let found = try #require(tag("#EXT-X-CUE:TYPE=\"SpliceOut\",ID=240,DURATION=24,ELAPSED=6.0"))
        #expect((found.kind, found.dialect, found.id, found.elapsed) == (.more, .adobeCues, "240", .seconds(6)))
        #expect(tag("#EXT-X-CUE:TYPE=\"SpliceIn\",ID=240")?.kind == .in)
        #expect(tag("#EXT-X-CUE:ID=240") == nil)
        #expect(tag("#EXT-X-CUE-CONT:ID=0,AVAIL-DUR-ELAPSED=2.0")?.elapsed == .seconds(2))
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
