import Foundation
import Recording
import Report
import RunResult
import TestSupport
import Testing

@Suite struct HistogramLogTests {
    private struct Line: Codable {
        var tag: String
        var start: Double
        var end: Double
        var count: UInt64
        var maximum: Int64
    }

    private struct Log: Codable {
        var startTime: Double
        var lines: [Line]
        /// By tag, all of its lines added up.
        var medians: [String: Int64]
    }

    private static let reader = """
        import json, sys
        from hdrh.histogram import HdrHistogram
        from hdrh.log import HistogramLogReader
        reader = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000, 2))
        lines, sums = [], {}
        while True:
            h = reader.get_next_interval_histogram()
            if not h: break
            lines.append({"tag": h.get_tag(), "start": h.get_start_time_stamp(), "end": h.get_end_time_stamp(),
                          "count": h.get_total_count(), "maximum": h.get_max_value()})
            if h.get_tag() in sums: sums[h.get_tag()].add(h)
            else: sums[h.get_tag()] = h
        print(json.dumps({"startTime": reader.get_start_time_sec(), "lines": lines,
                          "medians": {tag: h.get_value_at_percentile(50) for tag, h in sums.items()}}))
        """

    private func read(_ document: ResultDocument) throws -> Log {
        let log = HistogramLog(of: document).render()
        return try JSONDecoder().decode(Log.self, from: InstalledProgram.python(Self.reader, Data(log.utf8)))
    }

    @Test func pythonAddsTheWindowsUpToTheWhole() throws {
        let (document, totals) = try ExampleResult.windowed()
        let log = try read(document)
        #expect(log.startTime == 1_795_291_170)
        let whole = document.requests.flatMap { kind, request in
            request.latencies.filter { !["lateness", "service", "response"].contains($0.key) }
                .map { (tag: "\(kind).\($0.key)", count: $0.value.count) }
        }
        #expect(!whole.isEmpty && log.lines.count == 15 + whole.count)
        for (tag, count) in whole { #expect(log.lines.filter { $0.tag == tag }.map(\.count) == [count], "\(tag)") }
        for (tag, whole) in totals {
            let lines = log.lines.filter { $0.tag == tag }
            #expect(lines.reduce(0) { $0 + $1.count } == whole.count, "\(tag)")
            #expect(log.medians[tag] == whole.microseconds(atPercentile: 50), "\(tag)")
            let starts: [Double] = tag.hasPrefix("warm_up.") ? [0] : [20, 40]
            #expect(lines.map(\.start) == starts.map { (1_795_291_170 + $0) * 1_000 }, "\(tag)")
            #expect(lines.map(\.end) == starts.map { (1_795_291_190 + $0) * 1_000 }, "\(tag)")
        }
    }

    @Test func aRunWithoutWindowsIsOneWindow() throws {
        let document = try ExampleResult.failed()
        let log = try read(document)
        let expected = document.requests.flatMap { kind, request in
            request.latencies.map { (tag: "\(kind).\($0.key)", count: $0.value.count) }
        }
        #expect(log.lines.count == expected.count)
        for (tag, count) in expected { #expect(log.lines.first { $0.tag == tag }?.count == count, "\(tag)") }
    }

    @Test func javaAddsTheWindowsUpToTheWhole() throws {
        let (document, totals) = try ExampleResult.windowed()
        let log = Data(HistogramLog(of: document).render().utf8)
        let whole = try #require(totals["playlist.response"])
        let output = try HistogramLogProcessor.output(tag: "playlist.response", of: log)
        #expect(output.contains("Total count    = \(String(repeating: " ", count: 8))\(whole.count)"), "\(output)")
    }

    @Test func theHeadIsWhatHdrHistogramWrites() throws {
        let lines = HistogramLog(of: try ExampleResult.failed()).render().split(separator: "\n")
        #expect(lines[1] == "#[Histogram log format version 1.3]")
        #expect(lines[2] == "#[StartTime: 1795291170.000 (seconds since epoch), 2026-11-21T19:59:30.000Z]")
        #expect(lines[3] == "#[BaseTime: 1795291170.000 (seconds since epoch)]")
        #expect(
            lines[4] == "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
        )
        #expect(lines[5].hasPrefix("Tag=playlist.lateness,0.000,60.000,"))
    }
}
