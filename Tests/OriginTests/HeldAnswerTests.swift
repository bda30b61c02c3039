import HLS
import NIOCore
import NIOPosix
import Profile
import TestSupport
import Testing

@testable import Origin

/// Blocking requests: all that wait for one part get it together, and nobody else.
///
/// Over sockets, because an answer that waits holds a connection.
@Suite struct HeldAnswerTests {
    private static func playlist(_ answer: String) throws -> MediaPlaylist {
        let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last)
        return try .reading(Array(body.utf8))
    }

    @Test func waitingAnswersAreCounted() {
        let book = TruthLedger(faultNames: [], started: WallTime(microseconds: 0))
        for _ in 0..<40 { book.began() }
        for _ in 0..<40 { book.ended(after: 600_000, late: 0, instant: 7) }
        let truth = book.truth(at: WallTime(microseconds: 0))
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
        if answer.hasPrefix("HTTP/1.1 200") { #expect(try Self.playlist(answer).endMediaSequence > asked) }
    }

    @Test func waitEndsAtItsInstantOrWithItsTask() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let instant = WallClock(aheadOfMonotonic: nil).now() + .milliseconds(30)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { await OriginResponder.wait(.milliseconds(30), on: loop) }
            }
        }
        #expect(WallClock(aheadOfMonotonic: nil).now() >= instant - .milliseconds(1))
        let never = Task { await OriginResponder.wait(.seconds(3_600), on: loop) }
        never.cancel()
        await never.value
        await OriginResponder.wait(.zero, on: loop)
    }
}
