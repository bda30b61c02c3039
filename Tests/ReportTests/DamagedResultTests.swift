import Foundation
import JSON
import RunResult
import TestSupport
import Testing

@testable import Report

/// Results that somebody damaged: refused in words, or shown in every form; never a crash, never a control character of
/// theirs on a terminal.
@Suite struct DamagedResultTests {
    /// What a file may do to a document.
    private enum Damage: CaseIterable {
        case number, text, cut, flipped, emptied, doubled
    }

    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "-1", "0", "1", "18446744073709551615", "1e308", "-1e308", "0.5",
    ]

    @Test func twoHundredDamagedResultsAreRefusedOrShown() throws {
        let whole = try Data(contentsOf: GoldenFile.result)
        var random = SeededGenerator(seed: 20)
        var shown = 0
        var refusals: [String] = []
        for round in 0..<240 {
            let damaged = Self.damaged(whole, Damage.allCases[round % Damage.allCases.count], &random)
            do {
                let document = try ResultDocument(json: damaged)
                try Self.show(document)
                shown += 1
            } catch let error as ResultDocument.ReadingError {
                refusals.append("\(error)")
            } catch let error as DecodingError {
                refusals.append(error.problem(in: damaged))
            }
        }
        #expect(shown > 40)
        for refusal in refusals {
            #expect(!refusal.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(refusal)")
            #expect(!refusal.isEmpty)
        }
    }

    /// Every form that a result is printed in.
    private static func show(_ document: ResultDocument) throws {
        let page = try HTMLReport(of: document).render()
        #expect(!page.contains("<script>hostile"))
        let forms = [
            "text": TextSummary(of: document, path: nil, width: 80).render(), "page": page,
            "markdown": MarkdownSummary(of: document).render(), "junit": JUnitReport(of: document).xml(),
            "histograms": HistogramLog(of: document).render(), "seconds": SecondsTable(of: document).render(),
        ]
        for (form, text) in forms {
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && ![0x09, 0x0A, 0x0D].contains($0.value) }
            #expect(controls.isEmpty, "\(form)")
        }
    }

    private static func damaged(_ whole: Data, _ damage: Damage, _ random: inout SeededGenerator) -> Data {
        var text = String(decoding: whole, as: UTF8.self)
        switch damage {
        case .number:
            for _ in 0..<3 {
                replace(/: -?[0-9.]+/, in: &text, with: ": \(numbers.randomElement(using: &random) ?? "0")", &random)
            }
        case .text:
            for _ in 0..<3 {
                replace(/: "[^"]*"/, in: &text, with: ": \"<script>hostile\\u001b[31m|`\\u0000\"", &random)
            }
        case .cut: return whole.prefix(Int.random(in: 0..<whole.count, using: &random))
        case .flipped:
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        case .emptied: replace(/\[[^\[\]]*\]/, in: &text, with: "[]", &random)
        case .doubled: replace(/\{[^{}]*\}/, in: &text, with: "{}", &random)
        }
        return Data(text.utf8)
    }

    private static func replace(
        _ pattern: Regex<Substring>,
        in text: inout String,
        with other: String,
        _ random: inout SeededGenerator
    ) {
        guard let range = text.ranges(of: pattern).randomElement(using: &random) else { return }
        text.replaceSubrange(range, with: other)
    }
}
