import ExampleRuns
import Rules
import Testing

@testable import Results

@Suite struct ServerWarningsTests {
    /// More texts than are kept, the later ones more often.
    private static let said = (0..<40).map { "warning \($0 % 9)" }

    private static func warnings(_ texts: some Sequence<String>) -> ServerWarnings {
        texts.reduce(into: ServerWarnings()) { $0.count(.podManifest, $1) }
    }

    @Test func answersAreCountedByKindAndText() {
        var warnings = Self.warnings(["b", "a", "b"])
        warnings.count(.registration, "a")
        #expect(warnings.kinds.mapValues(\.answers) == [.podManifest: 3, .registration: 1])
        #expect(warnings.kinds[.podManifest]?.texts == ["a": 1, "b": 2])
    }

    @Test func textsAreFewAndShort() {
        let warnings = Self.warnings(Self.said + [String(repeating: "x", count: 4_000)])
        #expect(warnings.kinds[.podManifest]?.answers == 41)
        #expect(warnings.kinds[.podManifest]?.texts.count == ServerWarnings.textsPerKind)
    }

    /// The schema of a result counts code points, of which one character may have any number.
    @Test(arguments: ["\u{E9}", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦"]) func lengthIsThatOfTheSchema(letter: String) throws {
        let long = Self.warnings([String(repeating: letter, count: 4_000)])
        #expect(long.kinds[.podManifest]?.texts.keys.map(\.unicodeScalars.count) == [ServerWarnings.textLimit])
        let journal = #"{"kinds":{"pod_manifest":{"answers":1,"texts":{"LONG":1}}}}"#
            .replacing("LONG", with: String(repeating: letter, count: 4_000))
        #expect(throws: DecodingError.self) { try decode(ServerWarnings.self, from: journal) }
    }
}
