import HLS
import NIOCore
import NIOPosix
import OriginServing
import TestSupport
import Testing

@testable import Origin

/// Blocking requests over sockets: all that wait for one part get it together, and nobody else.
@Suite struct HeldAnswerTests {
    /// The playlist in an answer, read.
    private static func playlist(_ answer: String) throws -> MediaPlaylist {
        let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last)
        return try LowLatencyPlaylistTests.read(Array(body.utf8))
    }

    /// What forty viewers were answered that asked at once for what is still to come.
    private struct Held {
        let answers: [String]
        let target: UInt64
        let truth: GroundTruth
    }

    private static func fortyThatWait() async throws -> Held {
        try await withOrigin(channel: "lowLatency: {partDuration: 500ms, deltaUpdates: v2}") { server, port in
            let client = RawClient(port: port)
            let path = "/live/main/360p/media.m3u8"
            let target = try Self.playlist(try await client.get(path)).endMediaSequence + 1
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for viewer in 1...40 {
                    group.addTask { try await client.get("\(path)?_HLS_msn=\(target)&_HLS_part=1", viewer: viewer) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            return Held(answers: answers, target: target, truth: server.groundTruth())
        }
    }

    @Test func manyThatWaitForOneSegmentAreReleasedTogether() async throws {
        // On a busy machine some ask so late that it is there already: such a round says nothing.
        var rounds = 1
        var held = try await Self.fortyThatWait()
        while held.truth.delivery.maximumHeldMicroseconds <= 500_000 || held.truth.delivery.held < 40, rounds < 20 {
            rounds += 1
            held = try await Self.fortyThatWait()
        }
        let (answers, truth) = (held.answers, held.truth)
        let bodies = Set(try answers.map { try #require($0.split(separator: "\r\n\r\n", maxSplits: 1).last) })
        #expect(answers.count == 40)
        #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 OK\r\n") })
        #expect(bodies.count == 1, "one text, made once")
        let released = try Self.playlist(answers[0])
        #expect(released.endMediaSequence == held.target)
        #expect(released.parts.count { $0.segmentIndex == released.segments.count } == 2)
        #expect(truth.requests["blocking_playlist"]?.received == 40)
        #expect(truth.requests["blocking_playlist"]?.answered == ["200": 40])
        #expect(truth.requests["playlist"]?.received == 1)
        #expect(truth.delivery.held == 40)
        #expect(truth.delivery.releases == 1)
        #expect(truth.delivery.maximumWaiters == 40)
        #expect(truth.delivery.heldMicroseconds > 500_000)
    }

    @Test func playersFollowPartByPartWithDeltas() async throws {
        try await withOrigin(
            channel: "{lowLatency: {partDuration: 500ms, deltaUpdates: v2}, renditions: {audio: [en]}}"
        ) { server, port in
            let client = RawClient(port: port)
            let path = "/live/main/audio-en/media.m3u8"
            var held = try Self.playlist(try await client.get(path))
            for _ in 0..<6 {
                let last = held.parts.count { $0.segmentIndex == held.segments.count }
                let query = "?_HLS_msn=\(held.endMediaSequence)&_HLS_part=\(last)&_HLS_skip=v2"
                let next = try Self.playlist(try await client.get(path + query))
                #expect(next.skippedSegments > 0)
                #expect(
                    (next.endMediaSequence, next.parts.count { $0.segmentIndex == next.segments.count })
                        > (held.endMediaSequence, last)
                )
                held = next
            }
            let truth = server.groundTruth()
            #expect(truth.delivery.deltaUpdates == 6)
            #expect(truth.delivery.held + truth.delivery.immediate == 6)
        }
    }

    @Test func originThatIsStoppedLetsEverybodyGo() async throws {
        // Ends only because the answers that wait are let go: they would wait for segments of eight seconds.
        var configuration = OriginConfiguration()
        configuration.segmentDuration = .seconds(8)
        let (asked, waiting) = try await withOrigin(channel: "lowLatency: {}", configuration) { server, port in
            let client = RawClient(port: port)
            let path = "/live/main/360p/media.m3u8"
            // On a busy machine one may come so late that it is answered at once: another is asked.
            for turn in 1... {
                let asked = try Self.playlist(try await client.get(path)).endMediaSequence + 1
                let request = Task { try? await client.get("\(path)?_HLS_msn=\(asked)") }
                let isSeen = try await Patience.sees {
                    let truth = server.groundTruth()
                    return truth.delivery.maximumWaiters > 0 || truth.blockingAnswers >= turn
                }
                #expect(isSeen)
                if server.groundTruth().delivery.maximumWaiters > 0 { return (asked, request) }
            }
            return (0, Task { nil })
        }
        let answer = await waiting.value ?? ""
        // Unless its segment came before the origin got to stop, nobody is told that it is there.
        if answer.hasPrefix("HTTP/1.1 200") {
            #expect(try Self.playlist(answer).endMediaSequence > asked)
        }
    }

    @Test func waitEndsAtItsInstantOrWithItsTask() async throws {
        let held = HeldAnswers()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let instant = WallClock(aheadOfMonotonic: nil).now() + .milliseconds(30)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { await held.wait(until: instant, remaining: .milliseconds(30), on: loop) }
            }
        }
        #expect(WallClock(aheadOfMonotonic: nil).now() >= instant - .milliseconds(1))
        let never = Task { await held.wait(until: instant + .seconds(3_600), remaining: .seconds(3_600), on: loop) }
        never.cancel()
        await never.value
        await held.wait(until: instant, remaining: .zero, on: loop)
    }
}

extension GroundTruth {
    fileprivate var blockingAnswers: Int {
        requests["blocking_playlist"]?.answered.values.reduce(0, +) ?? 0
    }
}
