import Foundation
import RunResult
import TestSupport
import Testing

/// What a real run writes for other tools is what its result says.
@Suite(.fewAtOnce) struct ExportTests {
    private static let formats = ["html", "junit", "markdown", "csv", "hlog", "iab", "iab-series", "prometheus"]

    /// By tag, what all lines of it hold together.
    private static let histograms = """
        import json, sys
        from hdrh.histogram import HdrHistogram
        from hdrh.log import HistogramLogReader
        reader, counts = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000, 3)), {}
        while True:
            h = reader.get_next_interval_histogram()
            if not h: break
            counts[h.get_tag()] = counts.get(h.get_tag(), 0) + h.get_total_count()
        print(json.dumps(counts))
        """

    @Test func aRunWritesEveryFormatAndExportWritesTheSame() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let folder = try TemporaryFolder()
        let outputs = Self.formats.flatMap { ["--output", "\($0)=\(folder.path)/\($0)"] }
        let outcome = try await rehearsal.inVirtualTime(outputs + ["--window", "2s", "--warm-up", "2s"])
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        for format in Self.formats {
            let written = try String(contentsOf: folder.url.appending(path: format), encoding: .utf8)
            let end = try await PodswarmExecutable.run([
                "result", "export", outcome.resultFile.path, "--format", format,
            ])
            #expect(end.status == 0, "\(format): \(end.errors)")
            // The page's drawings are not in the same order each time.
            #expect(format == "html" || end.output == written, "\(format)")
            #expect(!written.isEmpty, "\(format)")
        }
        let log = folder.url.appending(path: "hlog").path
        let counts = try JSONDecoder().decode(
            [String: UInt64].self,
            from: try await ExternalTool.python(Self.histograms, [log])
        )
        try expectWhole(counts, outcome.document)
        let seconds = try String(contentsOf: folder.url.appending(path: "csv"), encoding: .utf8)
        #expect(seconds.split(separator: "\r\n").count == outcome.document.series.points.count + 1)
    }

    /// The lines of a tag add up to the result's own distribution, and the warm-up is not among them.
    private func expectWhole(_ counts: [String: UInt64], _ document: ResultDocument) throws {
        let windows = try #require(document.windows)
        #expect(windows.count >= 2)
        #expect(counts.keys.contains { $0.hasPrefix("warm_up.") } == windows.contains(where: \.isWarmUp))
        for (kind, request) in document.requests {
            for metric in ["lateness", "service", "response"] {
                let whole = request.latencies[metric]?.count ?? 0
                #expect(counts["\(kind).\(metric)"] ?? 0 == whole, "\(kind).\(metric)")
            }
        }
    }

    @Test func anOutputThatCannotBeWrittenFailsTheRunAndNoOtherOutput() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let table = rehearsal.folder.url.appending(path: "csv")
        let outputs = ["junit=/dev/full", "csv=\(table.path)"].flatMap { ["--output", $0] }
        let outcome = try await rehearsal.inVirtualTime(outputs)
        let end = outcome.end
        #expect(end.status == 74, "\(end.output)\(end.errors)")
        #expect(
            end.lastLine.hasPrefix("podswarm: an output could not be written (exit 74): /dev/full: No space left"),
            "\(end.errors)"
        )
        #expect(end.output.hasSuffix("\nOUTPUT NOT WRITTEN (exit 74)\n") && !end.output.contains("PASSED"))
        #expect(outcome.document.verdict.exitCode == 0)
        #expect(try !Data(contentsOf: table).isEmpty)
    }

    @Test(
        arguments: [
            ("junit", "FORMAT=FILE"), ("jnit=x.xml", "the formats are html, junit, markdown"),
            ("junit=/nonexistent/folder/x.xml", "No such file or directory"),
        ]
    )
    func anOutputThatCannotBeIsRefusedBeforeTheRun(output: String, complaint: String) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let end = try await PodswarmExecutable.run(rehearsal.arguments(["--output", output]))
        #expect(end.status == 2)
        #expect(end.errors.contains(complaint), "\(end.errors)")
        #expect(rehearsal.resultFiles.isEmpty)
    }
}
