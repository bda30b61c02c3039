import Foundation
import RunResult
import TestSupport
import Testing

/// Profiles/outage.yaml: its origin resets every connection for 40 s, from 70 s after it started.
@Suite(.fewAtOnce) struct OutageRunTests {
    /// How a player asks for the playlist of a channel with one variant, of segments of four seconds, that nobody answers;
    /// by hand from its source, where there is one.
    struct Shape: Sendable, CustomTestStringConvertible {
        var player: String
        /// How many requests each viewer makes in all before its player gives up; nil where it never does.
        var requests: ClosedRange<Double>?
        /// Seconds from the first viewer's first failure to the last viewer's last request, of such a player.
        var lasts = 0
        /// Requests a second of each viewer, of one that goes on.
        var rate = 0.0

        var testDescription: String { player }
    }

    /// The first failures of viewers, who poll every 4 s, are spread over as long.
    static let shapes = [
        // hls.js 1.7.1 base-playlist-controller.ts:409: after 1 s and 2 s, then it stops: 4 s + 3 s.
        Shape(player: "hlsjs", requests: 3...3, lasts: 7),
        // Media3 1.11.0 DefaultLoadErrorHandlingPolicy.java:131, after 0, 1, 2, 3, 4 s, until nothing is left to show
        // (Loader.java:393), which is 8 s to 12 s later: it is three target durations behind the edge.
        Shape(player: "media3", requests: 5...6, lasts: 16),
        // Shaka 5.2.7 backoff.js:171, a pair 1 s apart on average, and 0.1 s to the next (hls_parser.js:5528).
        Shape(player: "shaka", rate: 2 / 1.1),
        // VHS 3.17.4 playlist-loader.js:862: half the target duration.
        Shape(player: "vhs", rate: 0.5),
        // Assumptions: as after a playlist that has not changed.
        Shape(player: "avplayer", rate: 0.5),
        Shape(player: "strict", rate: 0.5),
        Shape(player: "eager", rate: 0.5),
    ]

    /// One step of the run, a second, in which requests for playlists failed.
    private struct Failing {
        var second: Int
        var requests: Double
    }

    private static func failing(_ document: ResultDocument) -> [Failing] {
        document.series.points.compactMap { point in
            let failed = point.course?.errors["playlist"] ?? 0
            return failed > 0 ? Failing(second: Int(point.startMilliseconds / 1_000), requests: Double(failed)) : nil
        }
    }

    /// Forty viewers of one player and nobody who leaves, over the whole outage.
    private static func run(_ player: String) async throws -> ResultDocument {
        let viewers = 40
        return try await Rehearsal(shipped: "outage").run(
            [
                "--quiet", "--no-report", "--viewers", "\(viewers)", "--duration", "130s",
                "--set", "audience.personas=[\(player)]", "--set", "breaks.source.list=[30s, 90s]",
                "--set", "audience.abandonment.afterStall=1h", "--set", "audience.abandonment.afterStop=1h",
            ],
            limit: .seconds(240)
        ).document
    }

    @Test(arguments: shapes) func aPlayerAsksAsItsSourceSays(_ shape: Shape) async throws {
        let document = try await Self.run(shape.player)
        let viewers = 40.0
        let steps = Self.failing(document)
        let (first, last) = (try #require(steps.first?.second), try #require(steps.last?.second))
        #expect(document.viewers["abandoned"] == 0)
        if let requests = shape.requests {
            let each = steps.reduce(0) { $0 + $1.requests } / viewers
            #expect(requests ~= each, "\(shape.player): \(each) requests each")
            #expect(last - first <= shape.lasts + 1, "\(shape.player): from \(first) s to \(last) s")
            #expect(document.viewers["players_stopped"] == 40)
            // Nothing asks for a playlist any more, though the origin is back.
            #expect(
                document.series.points.last { $0.course?.requests["playlist"] != nil }?.startMilliseconds ?? 0 < 100_000
            )
        } else {
            // Half a minute of it, when everybody's player has noticed.
            let middle = steps.filter { first + 6..<first + 36 ~= $0.second }
            let rate = middle.reduce(0) { $0 + $1.requests } / viewers / 30
            #expect(abs(rate / shape.rate - 1) < 0.1, "\(shape.player): \(rate) requests a second")
            #expect(document.viewers["players_stopped"] == 0)
            #expect(document.outages?.count == 1 && document.outages?.first?.recoveryMilliseconds != nil)
        }
    }

    @Test func theShippedOutageIsToldWithItsRecovery() async throws {
        let outcome = try await Rehearsal(shipped: "outage").run(limit: .seconds(300))
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        let outage = try #require(document.outages?.first)
        #expect(document.outages?.count == 1)
        #expect(39_000...42_000 ~= outage.endedMilliseconds - outage.beganMilliseconds)
        let recovery = try #require(outage.recoveryMilliseconds)
        #expect(outage.retries > 0 && outage.requestsPerSecondMaximum > outage.requestsPerSecondBefore ?? .infinity)
        // hls.js and Media3 give up, people close the application, and most of them open it again.
        #expect(outage.stoppedViewersMaximum > 100 && outage.abandoned > 100)
        #expect(Double(outage.reopened) / Double(outage.abandoned) > 0.5)
        // Who is there at the end watches: its player has not given up.
        #expect(document.series.stoppedViewers.last == 0)
        #expect(document.series.points.map(\.activeViewers).max() == 300)
        // Nobody gets the ads of the break in the outage, and everybody who is there those of the one after it.
        let breaks = document.breaks.each
        #expect(breaks.count == 3 && breaks[1].onTime == 0 && breaks[2].failed.isEmpty)
        #expect(outcome.end.output.contains("things were as before"))
        let page = outcome.resultFile.deletingPathExtension().appendingPathExtension("html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(
            html.contains("<h2 id=\"outage-h\">Outage</h2>") && html.contains("after its end things were as before.")
        )
        #expect(recovery < 40_000)
    }
}
