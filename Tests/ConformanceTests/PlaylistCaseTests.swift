import AdServing
import Foundation
import Rules
import TestSupport
import Testing

/// Each case of `Cases`: what is found in its playlists is exactly what it says.
@Suite struct PlaylistCaseTests {
    @Test(arguments: PlaylistCase.all) func exactlyWhatTheCaseSaysIsFound(_ one: PlaylistCase) throws {
        let changed = try one.changed
        let findings = changed.findings.sorted()
        let violations = try changed.violations().sorted { finding($0) < finding($1) }
        #expect(violations.map(finding) == findings.map { PlaylistVariant.Finding(line: $0.line, code: $0.code) })
        for (violation, finding) in zip(violations, findings) where !finding.text.isEmpty {
            let texts = [violation.expected, violation.observed, violation.likely ?? ""]
            #expect(texts.contains { $0.contains(finding.text) })
        }
        #expect(try one.sound?.violations() ?? [] == [], "the sound variant")
    }

    /// Redaction hides values, and never what a finding is about.
    @Test(arguments: PlaylistCase.all) func redactedTextsDiffer(_ one: PlaylistCase) throws {
        for violation in try one.changed.violations() {
            let shown = Redaction.pair(expected: violation.expected, observed: violation.observed, own: nil)
            #expect(shown.expected != shown.observed, "\(violation.code.code)")
        }
    }

    private func finding(_ violation: Violation) -> PlaylistVariant.Finding {
        PlaylistVariant.Finding(line: violation.line, code: violation.code.code)
    }

    @Test func thePageHasEveryCaseOfASection() throws {
        let path = "Sources/podswarm/Documentation.docc/PlaylistRules.md"
        let head = "| --- | --- | --- | --- | --- |\n"
        let page = try PackageFolder.text(path)
        let end = try #require(page.range(of: head)).upperBound
        let rows = PlaylistCase.all.compactMap(\.row).sorted {
            $0.section.compare($1.section, options: .numeric) == .orderedAscending
        }
        #expect(rows.count > 140)
        try GoldenFile.expect(page[..<end] + rows.map(\.text).joined(), at: path)
    }
}
