import CapacityResult
import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// Searches before an ad server whose capacity follows from arithmetic, and a network drawn from the seed, in virtual time.
@Suite struct VirtualSearchTests {
    private static let virtual = ["--virtual-time", Rehearsal.virtualStart]

    /// Pod manifests that the ad server makes in a second.
    private static let podsPerSecond = 50.0

    private static func profile(_ breaks: String) -> String {
        """
        name: limited
        duration: 60s
        seed: 3
        target: {embedded: {segmentDuration: 1s, adDuration: 1s}}
        audience: {viewers: 100, ramp: 2s}
        playback: {segments: none, metadata: false, verificationPings: false}
        breaks: {\(breaks), podDuration: 1s, lead: 1s, jitter: 0s, grace: 1s}
        pods: {repeatShare: 0%}
        thresholds: [breaks.on_time >= 99%]

        """
    }

    private static func search(
        _ profile: String,
        _ more: [String]
    ) async throws -> (end: ChildProcess.End, document: CapacityDocument) {
        let folder = try TemporaryFolder()
        let path = try folder.write(profile, to: "limited.yaml")
        let results = ["--results", folder.url.appending(path: "results").path, "--no-report"]
        let network = ["--virtual-network", "podsPerSecond=\(Int(podsPerSecond))"]
        let file = folder.url.appending(path: "found.json")
        let arguments = ["capacity", path] + virtual + network + results + ["--json", file.path] + more
        let end = try await ChildProcess.run(try PodswarmExecutable.path(), arguments, limit: .seconds(120))
        return (end, try CapacityDocument(json: Data(contentsOf: file)))
    }

    /// Viewers ask a second before a break and have until a second after it.
    ///
    /// The hundredth answer takes two seconds, and a millisecond on its way: 99 are in time, which is 99 % of 100.
    @Test func theCapacityOfALimitedAdServerIsFound() async throws {
        let pace = ["--spacing", "6s", "--rest", "1s", "--from", "60", "--ceiling", "400", "--breaks", "6"]
        let (end, document) = try await Self.search(
            Self.profile("source: {every: 10s}, trigger: rendezvous"),
            pace + ["--within", "5%"]
        )
        #expect(end.status == 0, "\(end)")
        #expect(document.state == .ended && document.answer.kind == .found)
        for each in document.breaks { #expect((each.outcome == .held) == (each.planned <= 100), "\(each.planned)") }
        #expect((98...100).contains(document.answer.value ?? 0), "\(document.answer.text)")
        #expect(document.gaveFirst?.form == .latency)
        #expect(document.runs.first?.kind == .escalation)
        #expect(document.runs.first?.endedBy == "two breaks in a row were missed")
        #expect(document.runs.last?.kind == .confirmation)
        // Each run has an hour of its own on the virtual clock.
        for (earlier, later) in zip(document.runs, document.runs.dropFirst()) {
            #expect(later.startedAtMicroseconds == earlier.endedAtMicroseconds + 1_000_000)
        }
    }

    /// One audience watches all of a run, and audiences double until a break is missed.
    ///
    /// Playheads are as far apart as the viewers' first playlists were old, which is evenly spread over a segment of a second:
    /// of N viewers the last one asks a second after the first, and all are answered in time where N is at most 150, and fewer
    /// where chance has many of them ask together.
    @Test func theCapacityForBreaksOfTheChannelIsFound() async throws {
        let pace = ["--rest", "0s", "--from", "75", "--ceiling", "600", "--run-for", "10m", "--breaks", "3"]
        let (end, document) = try await Self.search(
            Self.profile("source: dateRange, trigger: playhead"),
            pace + ["--within", "10%", "--runs", "12"]
        )
        #expect(end.status == 0, "\(end)")
        #expect(document.asked.watchSeconds == 600 && document.asked.spacingMilliseconds == 0)
        #expect(document.runs.first?.sizes == [75, 75])
        #expect(document.runs.prefix(2).map(\.kind) == [.escalation, .escalation])
        for run in document.runs { #expect(run.breaks.allSatisfy { Double($0.planned) == run.sizes.first }) }
        #expect((130...150).contains(document.answer.value ?? 0), "\(document.answer.text)")
        #expect(document.gaveFirst?.form == .latency)
    }

    @Test func aChannelWithoutBreaksEndsTheSearchAndSaysSo() async throws {
        let (end, document) = try await Self.search(
            // The next break begins a minute after the run.
            Self.profile("source: dateRange, trigger: playhead"),
            ["--from", "20", "--run-for", "10s"]
        )
        #expect(end.status == 3, "\(end)")
        #expect(document.state == .ended && document.answer.kind == .unknown)
        #expect(document.answer.reason?.hasPrefix("no break of the channel") == true, "\(document.answer)")
        #expect(document.runs.count == 1 && document.breaks.isEmpty)
    }

    /// Answers that are lost or broken on the way make findings, and equal seeds the same ones.
    @Test func aNetworkIsDrawnFromTheSeed() async throws {
        let network = ["--virtual-network", "latency=5ms,jitter=20ms,lost=1%,refused=1%", "--duration", "60s"]
        let first = try await Rehearsal(FastProfile.embedded.yaml).inVirtualTime(network)
        let second = try await Rehearsal(FastProfile.embedded.yaml).inVirtualTime(network)
        #expect(first.end.status == 1 && first.findings.contains("pod_unavailable"), "\(first.end)")
        #expect(first.document == second.document)
    }
}
