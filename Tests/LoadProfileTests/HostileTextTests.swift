import Profile
import TestSupport
import Testing

@Suite struct HostileTextTests {
    private func accepts(_ yaml: String) -> Bool { Samples.problems(yaml).isEmpty }

    @Test func anAliasBombIsExpandedWithinTheLimitOfValues() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...40 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        text += "? *a40\n: x\n"
        #expect(Samples.problems(text).map { $0.hasSuffix("more than 50000 values") } == [true])
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "{? ", "- - {"])
    func endlessNestingIsRefused(_ opening: String) {
        #expect(!accepts(String(repeating: opening, count: 100_000)))
    }

    @Test(arguments: ["&a ", "*a ", "&", "*", "\"", "'", "|", "!!str ", "%", "\t", "\u{FEFF}", "\r", "\u{2028}"])
    func repetitionIsRefused(_ piece: String) { #expect(!accepts(String(repeating: piece, count: 50_000))) }

    @Test func moreThanAMebibyteIsRefused() {
        let text = Samples.minimal + String(repeating: "# padding\n", count: 110_000)
        #expect(Samples.problems(text) == ["Profiles/bad.yaml:1:1: the text is larger than 1 MiB"])
    }

    @Test func aFloodOfUnknownFieldsIsCutShort() {
        let text = Samples.minimal + (0..<20_000).map { "unknown\($0): 1\n" }.joined()
        let problems = Samples.problems(text)
        #expect((problems.count, problems.last) == (201, "Profiles/bad.yaml: 19800 more problems are not shown"))
    }

    @Test func tooManyValuesAreRefused() {
        let text = Samples.minimal + "thresholds: [" + String(repeating: "a,", count: 60_000) + "]\n"
        #expect(Samples.problems(text).map { $0.hasSuffix("more than 50000 values") } == [true])
    }

    @Test func moreHeadersThanServersTakeAreRefused() {
        let headers = (0..<20_000).map { "X-\($0): a" }.joined(separator: ", ")
        let problems = Samples.problems(Samples.profile(and: "connection: {headers: {\(headers)}}"))
        let expected = """
            Profiles/bad.yaml:5:23: connection.headers: 20000 headers of 228890 bytes with every request; allowed: at most \
            100 headers of 32KiB in all: servers refuse more
            """
        #expect(problems == [expected])
    }

    @Test func whatIsPrintedHoldsNoControlCharacters() {
        let problems = Samples.problems(Samples.profile(duration: #""\e[31m\r\n\0\u202E""#, and: #""a\e[2J\nb": 1"#))
        #expect(problems.count == 2)
        for scalar in problems.joined().unicodeScalars {
            #expect(![.control, .format].contains(scalar.properties.generalCategory))
        }
    }

    @Test(arguments: 0..<8) func mutatedProfilesNeverTrapAndReadTheSameTwice(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for name in ["quick", "prime-time", "guide-sample", "pod-serving-template"] {
            let original = try Array(ProfileFiles.text(of: name).utf8)
            for round in 0..<Draws.of(15) {
                let text = String(decoding: mutated(original, &random), as: UTF8.self)
                let first = Samples.problems(text)
                #expect(first == Samples.problems(text), "seed \(seed), profile \(name), round \(round)")
                let printable = first.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                #expect(printable, "seed \(seed), profile \(name), round \(round)")
            }
        }
    }

    private func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[start] = .random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 3:
                bytes.insert(contentsOf: Array(Self.pieces.randomElement(using: &random)?.utf8 ?? "".utf8), at: start)
            default: bytes.swapAt(start, Int.random(in: 0..<bytes.count, using: &random))
            }
            if bytes.isEmpty { bytes = original }
        }
        return bytes
    }

    private static let pieces = [
        "99999999999999999999", "-1", "1e999", "0.0000001%", "[", "]", "{", "}", ": ", "- ", "\n", "~", "null", "&a ",
        "*a ", "${", "${HOME}", "${PODSWARM_KEY}", "\"", "'", "|", ">", "#", "%", "!!int ", "\u{0}", "\t", "é", "999h",
        "8796093022208GiB", "{start}", "https://", "@", "[::1]", "127.0.0.1", "*.",
    ]
}
