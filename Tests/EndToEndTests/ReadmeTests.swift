import Foundation
import TestSupport
import Testing

/// What the README promises a newcomer is what the command prints.
@Suite(.fewAtOnce) struct ReadmeTests {
    @Test func theSampleHasTheShapeOfWhatIsPrinted() async throws {
        let outcome = try await Rehearsal(shipped: "quick").inVirtualTime(["--viewers", "20", "--duration", "45s"])
        #expect(Self.shape(of: outcome.end.output) == Self.shape(of: try Self.sample()))
    }

    private static func sample() throws -> String {
        let readme = try String(contentsOf: PackageFolder.file("README.md"), encoding: .utf8)
        let blocks = readme.split(separator: "```", omittingEmptySubsequences: false)
        return String(try #require(blocks.first { $0.hasPrefix("\npodswarm ") && $0.contains("PASSED") }))
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
