import Foundation
import Rulebook
import Testing

@testable import Recording

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
        let journal = #"[{"kind":"pod_manifest","answers":1,"texts":{"LONG":1}}]"#
            .replacing("LONG", with: String(repeating: letter, count: 4_000))
        #expect(try JSONDecoder().decode(ServerWarnings.self, from: Data(journal.utf8)) == long)
    }

    @Test(arguments: 1...7) func howARunIsCutAndInWhichOrderDoesNotMatter(parts: Int) {
        let whole = Self.warnings(Self.said)
        let pieces = (0..<parts).map { part in
            Self.warnings(Self.said.enumerated().filter { $0.offset % parts == part }.map(\.element))
        }
        for order in [pieces, pieces.reversed()] {
            #expect(order.reduce(into: ServerWarnings()) { $0.add($1) } == whole)
        }
    }

    @Test func anIntervalCarriesWhatWasNewAndTheJournalKeepsIt() throws {
        let recorder = LoopRecorder()
        var sum = Accumulation()
        for (number, text) in ["a", "b", "b"].enumerated() {
            recorder.serverWarned(.podManifest, text)
            var interval = RunInterval(
                number: number,
                startMicroseconds: 0,
                endMicroseconds: 1,
                wallMicroseconds: 1,
                health: HealthSample(wallMicroseconds: 1)
            )
            interval.add(recorder.takeInterval(), index: 0)
            let written = try JSONEncoder().encode(interval)
            let read = try JSONDecoder().decode(RunInterval.self, from: written)
            #expect(read == interval && read.warnings == Self.warnings([text]))
            sum.add(read)
        }
        #expect(sum.warnings == Self.warnings(["a", "b", "b"]))
        let stored = try JSONDecoder().decode(Accumulation.self, from: JSONEncoder().encode(sum))
        #expect(stored.warnings == sum.warnings)
        #expect(recorder.takeInterval().warnings.isEmpty)
    }

    @Test func aKindThatNobodyKnowsIsRefused() {
        let text = #"[{"kind":"nothing","answers":1,"texts":{}}]"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ServerWarnings.self, from: Data(text.utf8))
        }
    }
}
