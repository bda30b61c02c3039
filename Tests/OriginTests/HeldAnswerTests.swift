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

    @Test func manyThatWaitForOnePartAreReleasedTogether() throws {
        let probe = try ServiceProbe(channel: "lowLatency: {partDuration: 500ms, deltaUpdates: v2}")
        let newest = try #require(probe.service.channel.timeline.newestSegment(at: probe.now))
        var bodies: Set<[UInt8]> = []
        for viewer in 1...40 {
            let path = "/live/main/360p/media.m3u8?_HLS_msn=\(newest + 1)&_HLS_part=1"
            let answer = probe.service.answer(
                DirectRequest(target: path, authority: "127.0.0.1:8080", viewer: viewer),
                at: probe.now
            )
            #expect(answer.releasedAt == probe.now + .seconds(1))
            answer.readBody { bodies.insert(Array($0)) }
        }
        #expect(bodies.count == 1)
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.requests["blocking_playlist"]?.answered == ["200": 40])
        #expect(truth.delivery.held == 40 && truth.delivery.releases == 1)
    }

    @Test func waitingAnswersAreCounted() {
        let book = DeliveryBook()
        for _ in 0..<40 { book.began() }
        for _ in 0..<40 { book.ended(after: 600_000, late: 0, instant: 7) }
        var truth = GroundTruth()
        book.write(to: &truth)
        #expect(truth.delivery.held == 40 && truth.delivery.releases == 1 && truth.delivery.maximumWaiters == 40)
        #expect(truth.delivery.heldMicroseconds == 40 * 600_000)
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
            let asked = try Self.playlist(try await client.get(path)).endMediaSequence + 1
            let request = Task { try? await client.get("\(path)?_HLS_msn=\(asked)") }
            #expect(try await Patience.sees { server.groundTruth().delivery.maximumWaiters > 0 })
            return (asked, request)
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
