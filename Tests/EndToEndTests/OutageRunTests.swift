import Foundation
import RunResult
import TestSupport
import Testing

/// An origin that resets every connection for a while, as players and people meet it on the wire.
///
/// At which instants each player asks is told by `OutageTests`, on a clock of its own. Here only order and counts are, with
/// bounds that a starved machine keeps too.
@Suite(.fewAtOnce) struct OutageRunTests {
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
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
            """,
            faults: "faults:\n- {fault: reset, from: 15s, lasting: 30s}\n"
        )
        return try await rehearsal.run(["--quiet", "--no-report"], limit: .seconds(180)).document
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
        // Three of hls.js by its source, and 54 of Shaka in 30 s: twice as many, and a ninth, are far from both.
        #expect(Self.failures(stopping[0]) <= 6)
        #expect(Self.failures(lasting[0]) > 6)
    }

    /// The break after the outage is earlier than in the profile, and what may be late on a busy machine is no failure.
    @Test func theShippedOutageIsTold() async throws {
        let allowed = StarvedMachine.findings.union([
            "playlist_unavailable", "pod_unavailable", "registration_failed", "channel_unavailable",
        ]).sorted()
        let outcome = try await Rehearsal(shipped: "outage").run(
            [
                "--duration", "140s", "--set", "breaks.source.list=[30s, 90s, 125s]",
                "--set", "generator={maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}",
                "--set", "thresholds=[outages.count >= 1, breaks.count >= 1, breaks.on_time >= 0%]",
                "--set", "allowFindings=[\(allowed.joined(separator: ", "))]",
            ],
            limit: .seconds(300)
        )
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
