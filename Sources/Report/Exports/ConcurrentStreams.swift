import Foundation
import Results
import Values

/// The response of IAB Tech Lab's Concurrent Streams API; instants are milliseconds.
///
/// Source: IABTechLab/Live-Event-Ad-Protocols, `Concurrent_Streams_API.md` (version 1.0) and
/// `implementation-guidance/Concurrent_Streams_API_Guidance.md`. Numbers are JSON integers, as in the specification's tables
/// and the guidance's example.
struct ConcurrentStreams: Equatable, Codable, Sendable {
    struct StreamsData: Equatable, Codable, Sendable {
        var sdp: String
        var mediastreams: [MediaStream]
    }

    struct MediaStream: Equatable, Codable, Sendable {
        var content: Content
        var eventstart: Int64
        var eventend: Int64
        var streamcount: [StreamCount]
    }

    /// AdCOM's Content.
    struct Content: Equatable, Codable, Sendable {
        var id: String
        var title: String
    }

    /// Region codes are for provider and subscriber to agree on.
    struct StreamCount: Equatable, Codable, Sendable {
        /// Server-guided insertion counts as server-side.
        var sstreams: Int64
    }

    var version = "1.0.0"
    var timestamp: Int64
    var streamsdata: [StreamsData]

    /// The label `sdp` names the provider, `content_id` the content as bid requests name it.
    private init(_ document: ResultDocument, at offsetMilliseconds: Int64, viewers: Int64) {
        let run = document.run
        timestamp = (run.startedAtMicroseconds &+ offsetMilliseconds &* 1_000) / 1_000
        let event = TextLayout.printable(run.profile)
        let labels = run.labels.mapValues(TextLayout.printable)
        let stream = MediaStream(
            content: Content(id: labels["content_id"] ?? event, title: "podswarm: \(event)"),
            eventstart: run.startedAtMicroseconds / 1_000,
            eventend: run.endedAtMicroseconds / 1_000,
            streamcount: [StreamCount(sstreams: max(0, viewers))]
        )
        streamsdata = [StreamsData(sdp: labels["sdp"] ?? "podswarm", mediastreams: [stream])]
    }

    /// The first instant with the most viewers; the start of a run without a series.
    static func peak(of document: ResultDocument) -> ConcurrentStreams {
        let steps = steps(of: document)
        let most = steps.map(\.viewers).max()
        let peak = steps.first { $0.viewers == most } ?? (offset: 0, viewers: 0)
        return ConcurrentStreams(document, at: peak.offset, viewers: peak.viewers)
    }

    static func series(of document: ResultDocument) throws -> String {
        try steps(of: document).map { try ConcurrentStreams(document, at: $0.offset, viewers: $0.viewers).json() }
            .joined()
    }

    /// Viewers are counted at the end of each step.
    private static func steps(of document: ResultDocument) -> [(offset: Int64, viewers: Int64)] {
        let step = Int64(document.series.stepSeconds) &* 1_000
        return document.series.points.map { ($0.startMilliseconds &+ step, $0.activeViewers) }
    }

    func json() throws -> String {
        let json = try DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(self)
        return String(decoding: json, as: UTF8.self) + "\n"
    }
}
