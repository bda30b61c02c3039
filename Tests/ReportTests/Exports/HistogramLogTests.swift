import Foundation
import Results
import TestSupport
import Testing

@testable import Report

@Suite struct HistogramLogTests {
    private struct Line: Codable {
        var tag: String
        var start: Double
        var end: Double
        var count: UInt64
    }

    private struct Log: Codable {
        var startTime: Double
        var lines: [Line]
        /// By tag, all of its lines added up.
        var medians: [String: Int64]
    }

    private func read(_ document: ResultDocument) throws -> Log {
        let log = HistogramLog(document: document).render()
        return try JSONDecoder().decode(Log.self, from: ForeignReader.output("histogram-log", Data(log.utf8)))
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
        let log = Data(HistogramLog(document: document).render().utf8)
        let whole = try #require(totals["playlist.response"])
        let archive = "/usr/share/java/hdrhistogram.jar"
        guard FileManager.default.fileExists(atPath: archive) else { throw InstalledProgram.Missing(name: archive) }
        let output = try TemporaryFolder.lending { folder in
            try InstalledProgram("java").output(
                ["-Xshare:auto", "-cp", archive, "org.HdrHistogram.HistogramLogProcessor", "-tag", "playlist.response"]
                    + ["-outputValueUnitRatio", "1", "-i", try folder.write(log, to: "log")]
            )
        }
        let line = "Total count    = \(String(repeating: " ", count: 8))\(whole.count)"
        #expect(String(decoding: output, as: UTF8.self).contains(line))
    }

    @Test func theHeadIsWhatHdrHistogramWrites() throws {
        let lines = HistogramLog(document: try ExampleResult.failed()).render().split(separator: "\n")
        #expect(lines[1] == "#[Histogram log format version 1.3]")
        #expect(lines[2] == "#[StartTime: 1795291170.000 (seconds since epoch), 2026-11-21T19:59:30.000Z]")
        #expect(lines[3] == "#[BaseTime: 1795291170.000 (seconds since epoch)]")
        #expect(lines[4] == "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"")
        #expect(lines[5].hasPrefix("Tag=playlist.lateness,0.000,60.000,"))
    }
}
