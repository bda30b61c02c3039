import Foundation
import Results
import TestSupport
import Testing
import Values

@testable import Report

/// Results that somebody damaged: refused in words, or shown in every form; never a crash, never a control character of
/// theirs on a terminal.
@Suite struct DamagedResultTests {
    /// What may be put in the place of a part of the result.
    enum Damage: CaseIterable {
        case number, text, emptied, doubled

        var pattern: Regex<Substring> {
            switch self {
            case .number: /: -?[0-9.]+/
            case .text: /: "[^"]*"/
            case .emptied: /\[[^\[\]]*\]/
            case .doubled: /\{[^{}]*\}/
            }
        }

        var substitutes: [String] {
            switch self {
            case .number:
                [
                    ": -9223372036854775808", ": 9223372036854775807", ": -1", ": 0", ": 1", ": 18446744073709551615",
                    ": 1e308", ": -1e308", ": 0.5",
                ]
            case .text: [": \"<script>hostile\\u001b[31m|`\\u0000\""]
            case .emptied: ["[]"]
            case .doubled: ["{}"]
            }
        }
    }

    private static func whole() throws -> String { try PackageFolder.text(GoldenFile.resultPath) }

    @Test(arguments: Damage.allCases) func whatWasReplacedIsRefusedOrShown(damage: Damage) throws {
        let whole = try Self.whole()
        let places = whole.ranges(of: damage.pattern).filter { !whole[$0].contains("podswarm.result") }
        var random = SeededGenerator(seed: 20)
        var shown = 0
        for _ in 0..<25 {
            var text = whole
            let some = places.shuffled(using: &random).prefix(damage == .number || damage == .text ? 3 : 1)
            for place in some.sorted(by: { $0.lowerBound > $1.lowerBound }) {
                text.replaceSubrange(place, with: damage.substitutes.randomElement(using: &random) ?? "")
            }
            if try Self.isShown(Data(text.utf8)) { shown += 1 }
        }
        #expect(shown > 0, "\(damage)")
    }

    @Test func whatWasCutOrFlippedIsRefusedOrShown() throws {
        let whole = Data(try Self.whole().utf8)
        var random = SeededGenerator(seed: 20)
        for _ in 0..<25 {
            _ = try Self.isShown(whole.prefix(Int.random(in: 0..<whole.count, using: &random)))
            var flipped = whole
            for _ in 0..<4 {
                flipped[Int.random(in: 0..<whole.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try Self.isShown(flipped)
        }
    }

    /// Whether it is a result still; where it is none, that is said in words.
    private static func isShown(_ damaged: Data) throws -> Bool {
        let refusal: String
        do {
            try show(ResultDocument(json: damaged))
            return true
        } catch let error as ResultDocument.ReadingError { refusal = "\(error)" } catch let error as DecodingError {
            refusal = error.problem(in: damaged)
        }
        #expect(!refusal.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(refusal)")
        #expect(!refusal.isEmpty)
        return false
    }

    /// Every form that a result is printed in.
    private static func show(_ document: ResultDocument) throws {
        let page = try document.html()
        #expect(!page.contains("<script>hostile") && !page.contains("d <script>"))
        let forms = [
            "text": document.text(TextRendering(width: 80)), "page": page,
            "markdown": document.markdown, "junit": JUnitReport(of: document).xml(),
            "histograms": HistogramLog(document: document).render(),
            "seconds": SecondsTable(document: document).render(),
        ]
        for (form, text) in forms {
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && ![0x09, 0x0A, 0x0D].contains($0.value) }
            #expect(controls.isEmpty, "\(form)")
        }
    }

    @Test func hostsOfShardsMayBeNamedAnything() throws {
        var document = try ExampleResult.judged(.incomplete)
        document.addShards(named: ExampleResult.hostileText)
        try Self.show(ResultDocument(json: document.json()))
    }
}
