import Foundation
import TestSupport
import Testing

/// The excerpts of summaries on the first pages consist of lines that a run prints.
@Suite(.fewAtOnce) struct ReadmeTests {
    @Test(arguments: ["Start", "Results"])
    func theExcerptHasLinesOfWhatIsPrinted(page: String) async throws {
        let outcome = try await Rehearsal(shipped: "tutorial").inVirtualTime()
        let printed = Set(Self.shape(of: outcome.end.output))
        let unknown = Self.shape(of: try Self.excerpt(of: page)).filter { !printed.contains($0) }
        #expect(unknown == [], "\(page)")
    }

    /// What stands between the lines `...` of the first block with a verdict.
    private static func excerpt(of page: String) throws -> String {
        let text = try PackageFolder.text("Sources/podswarm/Documentation.docc/\(page).md")
        let blocks = text.split(separator: "```", omittingEmptySubsequences: false)
        let block = try #require(blocks.first { $0.contains("\n...\nPASSED") })
        return String(block.split(separator: "...\n", omittingEmptySubsequences: false)[1])
    }

    /// Lines with a sign in place of each figure, without the columns' widths; of equal ones in a row only the first.
    ///
    /// Left out is what differs between a machine and virtual time, and which answers were the slowest.
    private static func shape(of text: String) -> [String] {
        let ofEnding = ["PASSED", "FAILED", "CLIENT-LIMITED", "Playback", "Findings", "Slowest", "Notes"]
        let paragraphs = text.split(separator: "\n\n").filter { paragraph in
            !ofEnding.contains { paragraph.trimmingPrefix("\n").hasPrefix($0) }
        }
        let lines = paragraphs.flatMap { paragraph in
            let lines = paragraph.split(separator: "\n")
            // In virtual time the generator has no threads that wait, and no cores.
            return (lines.first == "Generator  within its budget" ? lines.prefix(1) : lines[...]).map(shape(ofLine:))
        }
        .filter { $0.firstMatch(of: #/^ ([a-z_]+: |late by )/#) == nil }
        return lines.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private static func shape(ofLine line: Substring) -> String {
        String(line).replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "#")
            .replacing(/\S+\.json/, with: "#")
            .replacing(/[+-]?\d[\d,.]*(%| (µs|ms|s|MiB)\b)?/, with: "#")
            .replacing(/held|FAILED|open/, with: "#")
            .replacing(/(within|over) its budget|the machine was the limit/, with: "#")
            // A run of few viewers has no p99.
            .replacing("max #", with: "#").replacing(", the maximum of #", with: "")
            .replacing(#/ +/#, with: " ")
    }
}
