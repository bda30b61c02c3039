import Foundation
import Results
import TestSupport
import Testing

/// A foreign channel whose clock is not this machine's, which publishes promptly.
///
/// Over sockets, because the server shares no line with podswarm.
@Suite(.fewWaiting) struct ChannelClockRunTests {
    private static func profile(port: Substring) -> String {
        """
        name: channel-clock
        duration: 26s
        target:
          urlTemplates:
            content: http://127.0.0.1:\(port)/live.m3u8
            pod: http://127.0.0.1:\(port)/pods/{break}.m3u8
        audience: {viewers: 20, ramp: 2s}
        breaks: {source: {dateRange: {class: com.example.ads}}, identifierTemplate: "{id}", trigger: playhead}
        thresholds: ["viewers.joined > 0"]
        connection: {\(StarvedMachine.timeouts)}
        \(StarvedMachine.budgets)

        """
    }

    /// Other offsets with either trigger are those of `ChannelClockTests` of the swarm.
    @Test func itsOffsetIsToldAndViewersAskByItsDates() async throws {
        let (ahead, way) = (30, "ahead of this machine's clock")
        let (outcome, told) = try await ForeignScript.serving("channel_clock", ["--fault=\(ahead)"]) { port, server in
            let outcome = try await Rehearsal(Self.profile(port: port)).run()
            let lint = try await PodswarmExecutable.run(["lint", "http://127.0.0.1:\(port)/live.m3u8"]).output
            #expect(lint.contains(way), "\(lint)")
            return (outcome, server.output.split(separator: "\n").filter { $0.hasPrefix("asked ") }.map(String.init))
        }
        #expect(outcome.findings == [], "\(outcome.end.output)")
        let offset = try #require(outcome.document.channelOffsetMicroseconds)
        for text in [outcome.end.output, outcome.end.errors] {
            #expect(text.contains(way), "\(text)")
        }
        let asked = told.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
        #expect(outcome.document.breaks.due > 0 && asked.count >= 20, "\(outcome.end.output)")
        guard outcome.isCalm else { return StarvedMachine.isTooBusy(for: "a clock to be told by its dates") }
        #expect(abs(offset - Int64(ahead) * 1_000_000) < 200_000, "\(offset)")
        // The playhead is three segments of 2 s behind the edge, and up to one more that was not listed yet.
        #expect(asked.allSatisfy { (5.9...8.5).contains($0) }, "\(asked)")
        #expect(outcome.document.breaks.onTime == outcome.document.breaks.due, "\(outcome.end.output)")
    }
}
