package import Foundation
package import Results
import Values

/// The response of IAB Tech Lab's Concurrent Streams API about the simulated audience.
///
/// Source: IABTechLab/Live-Event-Ad-Protocols, `Concurrent_Streams_API.md` (version 1.0) and
/// `implementation-guidance/Concurrent_Streams_API_Guidance.md`. Numbers are JSON integers, as the specification's tables and
/// the guidance's example have them, though examples of the specification write strings. Instants are milliseconds.
package struct ConcurrentStreams: Equatable, Codable, Sendable {
    /// The path of an HTTP server: the major version as base path, then the resource's name.
    package static let path = "/v1/concurrentstreams"
    package static let specificationVersion = "1.0.0"
    package static let contentType = "application/json; charset=utf-8"

    package struct StreamsData: Equatable, Codable, Sendable {
        package var sdp: String
        package var mediastreams: [MediaStream]
    }

    package struct MediaStream: Equatable, Codable, Sendable {
        package var content: Content
        package var eventstart: Int64
        package var eventend: Int64
        package var streamcount: [StreamCount]
    }

    /// AdCOM's Content, as far as a run knows it.
    package struct Content: Equatable, Codable, Sendable {
        package var id: String
        package var title: String
    }

    /// Streams without a region, because its codes are for provider and subscriber to agree on.
    package struct StreamCount: Equatable, Codable, Sendable {
        /// Server-guided insertion counts as server-side.
        package var sstreams: Int64
    }

    package var version: String
    package var timestamp: Int64
    package var streamsdata: [StreamsData]

    /// Describes one instant of one event.
    ///
    /// `event` is the name of the profile. Of the `labels`, `sdp` names the provider and `content_id` the content as bid
    /// requests name it. Instants are since the Unix epoch; the end may be planned or past. Negative `viewers` count as 0.
    package init(
        event: String,
        labels: [String: String],
        timestampMicroseconds: Int64,
        startMicroseconds: Int64,
        endMicroseconds: Int64,
        viewers: Int64
    ) {
        version = Self.specificationVersion
        timestamp = timestampMicroseconds / 1_000
        let event = TextLayout.printable(event)
        let labels = labels.mapValues(TextLayout.printable)
        let content = Content(id: labels["content_id"] ?? event, title: "podswarm: \(event)")
        let stream = MediaStream(
            content: content,
            eventstart: startMicroseconds / 1_000,
            eventend: endMicroseconds / 1_000,
            streamcount: [StreamCount(sstreams: max(0, viewers))]
        )
        streamsdata = [StreamsData(sdp: labels["sdp"] ?? "podswarm", mediastreams: [stream])]
    }

    private init(_ document: ResultDocument, at offsetMilliseconds: Int64, viewers: Int64) {
        let run = document.run
        self.init(
            event: run.profile,
            labels: run.labels,
            timestampMicroseconds: run.startedAtMicroseconds &+ offsetMilliseconds &* 1_000,
            startMicroseconds: run.startedAtMicroseconds,
            endMicroseconds: run.endedAtMicroseconds,
            viewers: viewers
        )
    }

    /// The first instant with the most viewers; the start of a run without a series.
    package static func peak(of document: ResultDocument) -> ConcurrentStreams {
        let steps = steps(of: document)
        let most = steps.map(\.viewers).max()
        let peak = steps.first { $0.viewers == most } ?? (offset: 0, viewers: 0)
        return ConcurrentStreams(document, at: peak.offset, viewers: peak.viewers)
    }

    /// One JSON document a line for every step of a run.
    package static func series(of document: ResultDocument) throws -> Data {
        try steps(of: document).reduce(into: Data()) { lines, step in
            lines += try ConcurrentStreams(document, at: step.offset, viewers: step.viewers).json()
        }
    }

    /// Viewers are counted at the end of each step.
    private static func steps(of document: ResultDocument) -> [(offset: Int64, viewers: Int64)] {
        let step = Int64(document.series.stepSeconds) &* 1_000
        return document.series.points.map { ($0.startMilliseconds &+ step, $0.activeViewers) }
    }

    /// One line with sorted keys and a final line feed.
    package func json() throws -> Data {
        try DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(self) + Data([0x0a])
    }
}
