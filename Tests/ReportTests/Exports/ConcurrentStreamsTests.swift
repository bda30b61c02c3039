import Foundation
import Results
import Testing
import Values

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
        #expect(String(decoding: try ExportFormat.iab.render(growing()), as: UTF8.self) == expected)
    }

    @Test func everyStepIsADocumentOnALine() throws {
        let lines = try ExportFormat.iabSeries.render(growing()).split(separator: 0x0a)
        let documents = try lines.map { try DocumentDecoding().decode(ConcurrentStreams.self, from: $0) }
        #expect(documents.map { $0.streamsdata[0].mediastreams[0].streamcount[0].sstreams } == [40, 100, 100, 7])
        #expect(documents.map { $0.timestamp - 1_795_291_170_000 } == [1_000, 2_000, 3_000, 4_000])
    }

    @Test func labelsNameProviderAndContent() throws {
        var document = try growing()
        document.run.labels = ["sdp": "TV Network A", "content_id": "CMS123"]
        let streams = ConcurrentStreams.peak(of: document).streamsdata[0]
        #expect((streams.sdp, streams.mediastreams[0].content.id) == ("TV Network A", "CMS123"))
    }

    @Test func aRunWithoutASeriesHasNobodyAtItsStart() throws {
        var document = try growing()
        document.series.points = []
        let peak = ConcurrentStreams.peak(of: document)
        #expect(peak.timestamp == 1_795_291_170_000)
        #expect(peak.streamsdata[0].mediastreams[0].streamcount.map(\.sstreams) == [0])
        #expect(try ExportFormat.iabSeries.render(document).isEmpty)
    }
}
