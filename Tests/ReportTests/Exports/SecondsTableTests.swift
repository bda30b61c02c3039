import Foundation
import Results
import TestSupport
import Testing

@testable import Report

@Suite struct SecondsTableTests {
    @Test func aPythonProgramReadsEverySecond() throws {
        let script = """
            import csv, json, sys
            with open(sys.argv[1], newline="") as file: rows = list(csv.DictReader(file, strict=True))
            print(json.dumps(rows))
            """
        let document = try ExampleResult.failed()
        let text = SecondsTable(document: document).render()
        let output = try InstalledProgram.python(script, Data(text.utf8))
        let rows = try JSONDecoder().decode([[String: String]].self, from: output)
        try #require(rows.count == document.series.points.count)
        for (row, point) in zip(rows, document.series.points) {
            #expect(row.count == 16)
            #expect(row["offset_ms"] == "\(point.startMilliseconds)")
            #expect(row["requests_count"] == "\(point.requests)")
            #expect(row["resident_bytes_max"] == "\(point.residentBytes)")
            #expect(row["cpu_cores_max"].flatMap { Double($0) } == point.cpuCores)
            #expect(row["origin_wait_max_us"] == point.originWaitMaximumMicroseconds.map(String.init))
        }
        #expect(rows.first?["time_utc"] == document.run.startedAt)
    }

    @Test func everyLineEndsAsTheStandardSays() throws {
        let text = SecondsTable(document: try ExampleResult.failed()).render()
        #expect(text.hasPrefix("time_utc,offset_ms,step_s,requests_count,errors_count,"))
        #expect(text.unicodeScalars.count { $0 == "\n" } == text.unicodeScalars.count { $0 == "\r" })
        #expect(text.hasSuffix("\r\n"))
    }

    @Test func eachBreakHasTheFiguresOfItsManifests() throws {
        let document = try ExampleResult.failed()
        let entry = try #require(document.breaks.measured.first { $0.manifests != nil })
        let (manifests, text) = (try #require(entry.manifests), GroupTable(document: document).render())
        let times = [manifests.p50Microseconds, manifests.p90Microseconds, manifests.p99Microseconds]
        let figures = (times + [manifests.maximumMicroseconds]).map { "\($0)" }.joined(separator: ",")
        #expect(text.contains("\r\n\(entry.key),,,\(entry.due),\(entry.onTime),\(entry.late),"))
        #expect(text.contains(",manifests,\(manifests.count),,\(figures)\r\n"))
    }

    @Test func aRunWithoutASecondIsAHeader() throws {
        var document = try ExampleResult.failed()
        document.series.points = []
        #expect(SecondsTable(document: document).render().split(separator: "\r\n").count == 1)
    }
}
