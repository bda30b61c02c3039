import Foundation
import Results
import Testing

@testable import Report

@Suite struct ConcurrentStreamsTests {
    private func growing() throws -> ResultDocument {
        var document = try ExampleResult.failed()
        document.series.points = document.series.points.enumerated().map { index, point in
            var point = point
            point.activeViewers = [40, 100, 100, 7][index % 4]
            return point
        }
        document.series.points.removeLast(document.series.points.count - 4)
        return document
    }

    @Test func thePeakIsPinnedByteForByte() throws {
        let expected =
            #"{"streamsdata":[{"mediastreams":[{"content":{"id":"quick","title":"podswarm: quick"},"#
            + #""eventend":1795291230000,"eventstart":1795291170000,"streamcount":[{"sstreams":100}]}],"#
            + #""sdp":"podswarm"}],"timestamp":1795291172000,"version":"1.0.0"}"# + "\n"
        #expect(try text(.iab, growing()) == expected)
    }

    private func text(_ format: ExportFormat, _ document: ResultDocument) throws -> String {
        String(decoding: try format.render(document), as: UTF8.self)
    }

    @Test func everyStepIsADocumentOnALine() throws {
        let lines = try text(.iabSeries, growing()).split(separator: "\n")
        #expect(lines.count == 4)
        for (line, (second, viewers)) in zip(lines, [(1, 40), (2, 100), (3, 100), (4, 7)]) {
            #expect(line.contains("[{\"sstreams\":\(viewers)}]"))
            #expect(line.contains("\"timestamp\":179529117\(second)000,"))
        }
    }

    @Test func labelsNameProviderAndContent() throws {
        var document = try growing()
        document.run.labels = ["sdp": "TV Network A", "content_id": "CMS123"]
        let peak = try text(.iab, document)
        #expect(peak.contains("\"sdp\":\"TV Network A\"") && peak.contains("\"id\":\"CMS123\""))
    }

    @Test func aRunWithoutASeriesHasNobodyAtItsStart() throws {
        var document = try growing()
        document.series.points = []
        let peak = try text(.iab, document)
        #expect(peak.contains("\"timestamp\":1795291170000,") && peak.contains("[{\"sstreams\":0}]"))
        #expect(try ExportFormat.iabSeries.render(document).isEmpty)
    }
}
