import Foundation
import RunResult
import TestSupport
import Testing

/// An origin that resets every connection for a while, as players and people meet it.
///
/// At which instants each player asks is told by `OutageTests`.
@Suite struct OutageRunTests {
    private static let viewers = 20

    /// Twenty viewers of one player and nobody who leaves.
    private static func run(_ player: String) async throws -> ResultDocument {
        let rehearsal = try Rehearsal(
            """
            name: outage
            duration: 55s
            seed: 1
            target:
              embedded: {segmentDuration: 4s, variants: 1, adDuration: 1s, faults: faults.yaml}
            audience:
              viewers: \(viewers)
              personas: [\(player)]
              abandonment: {afterStall: 1h, afterStop: 1h}
            playback: {segments: none}
            breaks: {source: {list: [5s]}, podDuration: 1s, grace: 1s}
            pods: {match: all}
            """,
            faults: "faults:\n- {fault: reset, from: 15s, lasting: 30s}\n"
        )
        return try await rehearsal.inVirtualTime(["--quiet", "--no-report"]).document
    }

    /// Requests for playlists that each viewer made in vain.
    private static func failures(_ document: ResultDocument) -> Double {
        let failed = document.series.points.reduce(0) { $0 + ($1.course?.errors["playlist"] ?? 0) }
        return Double(failed) / Double(viewers)
    }

    @Test func playersStopOrGoOnAsTheirSourcesSay() async throws {
        async let hlsjs = Self.run("hlsjs")
        async let media3 = Self.run("media3")
        async let shaka = Self.run("shaka")
        async let vhs = Self.run("vhs")
        let stopping = try await [hlsjs, media3]
        let lasting = try await [shaka, vhs]
        for document in stopping + lasting {
            #expect(document.viewers["abandoned"] == 0 && document.viewers["reopened"] == 0)
            #expect(Self.failures(document) > 0)
        }
        for document in stopping { #expect(document.viewers["players_stopped"] ?? 0 > 0) }
        for document in lasting { #expect(document.viewers["players_stopped"] == 0) }
        // By their sources.
        #expect(Self.failures(stopping[0]) == 3)
        #expect((50...54).contains(Self.failures(lasting[0])))
    }

    @Test func theShippedOutageIsTold() async throws {
        let outcome = try await Rehearsal(shipped: "outage").inVirtualTime()
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        let outage = try #require(document.outages?.first)
        #expect(outage.beganMilliseconds < outage.endedMilliseconds)
        #expect(outage.errors > 0 && outage.errors <= outage.requests && outage.retries > 0)
        // hls.js and Media3 give up, people close the application, and some of them open it again.
        #expect(outage.stoppedViewersMaximum > 0 && outage.abandoned > 0)
        #expect(document.viewers["reopened"] ?? 0 > 0)
        #expect(document.viewers["reopened"] ?? 0 <= document.viewers["abandoned"] ?? 0)
        #expect(document.series.points.allSatisfy { $0.activeViewers <= 300 })
        // Nobody gets the ads of the break in the outage in time.
        #expect(document.breaks.each.count == 3 && document.breaks.each[1].onTime == 0)
        let isOver = outage.recoveryMilliseconds != nil
        let recovery = isOver ? "after its end things were as before." : "ended before things were as before."
        #expect(outcome.end.output.contains("the channel could not be loaded"))
        let page = outcome.resultFile.deletingPathExtension().appendingPathExtension("html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains("<h2 id=\"outage-h\">Outage") && html.contains(recovery))
    }
}
