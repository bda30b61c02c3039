import Foundation
import Results
import TestSupport
import Testing

/// A run that does not go as planned still says what it saw.
///
/// Over sockets, because signals come to processes, and it is theirs that end, stop and go on.
@Suite(.fewWaiting) struct InterruptionTests {
    private static let limit = Duration.seconds(60)

    /// Starts a run and waits until everybody has had a break.
    private func startedAndInABreak(_ rehearsal: Rehearsal) async throws -> ChildProcess {
        let run = try rehearsal.start(["--intervals", rehearsal.intervalsFile])
        try await run.wait(for: "a break of everybody", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.onTime >= FastProfile.viewers }
        }
        return run
    }

    @Test func aSecondInterruptEndsTheRunAtOnce() async throws {
        // Playlists take longer than the test may, so that the first interrupt alone would wait for them.
        let faults = "[{fault: delay, delay: 300s, kinds: [playlist]}]"
        let timeouts = "connection: {timeouts: {firstByte: 400s, total: 500s}}"
        let rehearsal = try Rehearsal(FastProfile.faulty.lasting("10m", rest: timeouts).yaml, faults: faults)
        let run = try rehearsal.start()
        try await run.wait(for: "viewers without a playlist", within: Self.limit) { $0.errors.contains("20 joining") }
        run.send(SIGINT)
        try await run.wait(for: "a graceful end", within: Self.limit) { $0.errors.contains("waiting for the last") }
        let origins = run.children
        #expect(run.isRunning)
        run.send(SIGINT)
        let end = try await run.ended(within: Self.limit)
        #expect(end.status == 130)
        #expect(!end.isSignal)
        #expect(rehearsal.resultFiles == [])
        #expect(end.lastLine.hasPrefix("podswarm: ended at once by a second signal (exit 130)"), "\(end.errors)")
        #expect(end.lastLine.contains("podswarm recover "))
        // The origin sees its standard input close.
        #expect(!origins.isEmpty)
        #expect(try await Patience.sees(within: Self.limit) { origins.allSatisfy { kill($0, 0) != 0 } })
    }

    /// It announces no break: one that comes and goes during the standstill would be missed.
    private static let channel = [
        "--set", "target.embedded.segmentDuration=1s", "--set", "breaks=none", "--set", "target.embedded.adDuration=1s",
    ]

    /// What viewers meet when podswarm's own origin is not there any more is no fault of a target.
    @Test(arguments: [SIGKILL, SIGSTOP]) func aRunWhoseOwnOriginFailsBlamesNobody(signal: Int32) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.lasting("10m", thresholds: FastProfile.strict).yaml)
        let run = try await startedAndInABreak(rehearsal)
        let origin = try #require(run.children.first)
        kill(origin, signal)
        let hasFailed = try await Patience.sees {
            (try? String(contentsOfFile: "/proc/\(origin)/stat", encoding: .utf8))?.contains(/\) [TZ]/) ?? true
        }
        let failedAt = Int64(Date().timeIntervalSince1970 * 1_000_000)
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        #expect(outcome.end.status == 3, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.verdict.outcome == .clientLimited)
        let reason = try #require(outcome.document.verdict.reasons.first)
        #expect(reason.hasPrefix("the embedded origin \(signal == SIGKILL ? "ended" : "was stopped")"), "\(reason)")
        #expect(outcome.document.findings.allSatisfy { !$0.failsRun }, "\(outcome.document.findings)")
        #expect(outcome.document.requests.values.allSatisfy { $0.errors == 0 })
        #expect(outcome.document.breaks.each.allSatisfy { $0.failed.isEmpty })
        // Each interval counts only if the origin still ran at its end.
        #expect(hasFailed && outcome.document.run.endedAtMicroseconds <= failedAt)
        #expect(outcome.end.lastLine.hasSuffix("(exit 3)"))
        #expect(try await Patience.sees(within: Self.limit) { kill(origin, 0) != 0 })
        #expect(try await PrintedSchema.complaints(about: outcome.resultFile) == "")
    }

    /// A run that stands still for longer than its own limit cannot say what its target would have done meanwhile.
    @Test func aRunThatStoodStillBlamesNobody() async throws {
        try await RunningOrigin.serving(Self.channel) { origin in
            let profile = FastProfile.podServing(
                content: "\(origin.url)/live/main/multivariant.m3u8",
                adServer: origin.url
            )
            let limits = "connection: {timeouts: {connect: 5s, firstByte: 5s, total: 5s}}"
            let yaml = profile.lasting("24s", thresholds: FastProfile.strict, rest: limits).yaml
            let rehearsal = try Rehearsal(yaml.replacing("maximumLoopDelay: 30s", with: "maximumLoopDelay: 1s"))
            let run = try await startedAndInABreak(rehearsal)
            run.send(SIGSTOP)
            // For longer than any request may take.
            try await Self.waits(for: origin, segments: 7)
            run.send(SIGCONT)
            let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
            #expect(outcome.end.status == 3, "\(outcome.end.output)\(outcome.end.errors)")
            #expect(outcome.document.verdict.outcome == .clientLimited)
            #expect(outcome.document.health.loopDelayMaximumMicroseconds > 5_000_000)
            #expect(outcome.document.findings.allSatisfy { !$0.failsRun }, "\(outcome.document.findings)")
            #expect(outcome.document.requests.values.allSatisfy { $0.errors == 0 })
        }
    }

    /// Waits until the channel of an origin has gone on by so many segments of a second.
    private static func waits(for origin: RunningOrigin, segments: Int) async throws {
        let client = PageClient(base: origin.url)
        let newest = { @Sendable () async throws -> Int in
            let playlist = try await client.get("/live/main/180p/media.m3u8").body
            let first = try #require(playlist.firstMatch(of: /#EXT-X-MEDIA-SEQUENCE:(\d+)/).flatMap { Int($0.1) })
            return first + playlist.matches(of: /#EXTINF/).count
        }
        let end = try await newest() + segments
        #expect(try await Patience.sees(within: limit) { try await newest() >= end })
    }
}
