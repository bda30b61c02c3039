import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Each planned fault makes the answer wrong in its own way, and is counted.
@Suite struct PlannedFaultEffectTests {
    @Test func podMismatchGivesSomeSessionsAnotherPod() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_mismatch, share: 40%}")
        var hashes: [UInt64: Int] = [:]
        for viewer in UInt64(0)..<100 {
            let streamID = try #require(try probe.register(viewer: viewer).streamID)
            let answer = probe.get(probe.manifestPath("pod/1", streamID), viewer: viewer)
            let variant = try #require(try probe.multivariant(answer).variants.first)
            let playlist = probe.get(variant.uri, viewer: viewer)
            hashes[probe.fingerprint(playlist, own: streamID), default: 0] += 1
            #expect(try probe.media(playlist).durationMicroseconds == 30_000_000)
        }
        #expect(hashes.count == 2)
        let touched = try #require(hashes.values.min())
        #expect((20...60).contains(touched), "\(touched) of 100")
        #expect(probe.service.truth(at: probe.now).faults == ["pod_mismatch": touched])
    }

    @Test func podChangesWhenAskedAgain() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_changed_on_repeat}")
        let streamID = try #require(try probe.register().streamID)
        let hashes = (0..<3).map { _ in
            probe.fingerprint(probe.get(probe.manifestPath("pod/1", streamID)), own: streamID)
        }
        #expect(Set(hashes).count == 3)
        #expect(probe.service.truth(at: probe.now).requests["pod_manifest"]?.faulted == 2)
    }

    @Test func foreignStreamIDIsAnothersSession() throws {
        let probe = try ServiceProbe(faults: "- {fault: foreign_stream_id, kinds: [pod_playlist, pod_manifest]}")
        let other = try #require(try probe.register().streamID)
        let own = try #require(try probe.register().streamID)
        let answer = probe.get(probe.manifestPath("pod/1", own))
        let sessions = GivenSessions()
        sessions.add(other.rawValue, viewer: 0)
        sessions.add(own.rawValue, viewer: 1)
        let foreign = answer.body.withUnsafeReadableBytes { sessions.foreign(in: $0, to: 1) }
        #expect(foreign == [other.rawValue])
    }

    @Test func emptyPodIsWellFormed() throws {
        let probe = try ServiceProbe(faults: "- {fault: empty_pod}")
        let streamID = try #require(try probe.register().streamID)
        let playlist = try probe.media(try probe.podPlaylist("pod/1", streamID))
        #expect(playlist.segments.isEmpty && playlist.hasEndList)
    }

    @Test(arguments: [
        ("pod_underfilled", Int64(28_000)), ("pod_underfilled, shift: 1500ms", 28_500),
        ("pod_underfilled, shift: -40s", 1), ("pod_overfilled", 32_000), ("pod_overfilled, shift: -1500ms", 31_500),
    ])
    func podDurationIsOffByItsShift(fault: String, milliseconds: Int64) throws {
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        let streamID = try #require(try probe.register().streamID)
        let playlist = try probe.media(try probe.podPlaylist("pod/1", streamID))
        #expect(playlist.durationMicroseconds == milliseconds * 1_000)
    }

    @Test func webPageIsNoPlaylist() throws {
        let probe = try ServiceProbe(faults: "- {fault: not_a_playlist}")
        let streamID = try #require(try probe.register().streamID)
        let answer = probe.get(probe.manifestPath("pod/1", streamID))
        #expect(answer.status == .ok)
        #expect(throws: PlaylistError.self) { try Playlist(parsing: Array(answer.body.readableBytesView)) }
    }

    @Test func registrationCanLackItsStreamID() throws {
        let probe = try ServiceProbe(faults: "- {fault: registration_without_stream_id}")
        let session = try probe.register()
        #expect(session.streamID == nil)
        #expect(session.validUntil != nil)
    }

    @Test(arguments: [("", 429, "1"), (", status: 503", 503, "1"), (", status: 403", 403, nil)])
    func registrationIsRefused(setting: String, status: Int, retryAfter: String?) throws {
        let probe = try ServiceProbe(faults: "- {fault: registration_status\(setting)}")
        let answer = probe.post(ServiceProbe.registrationPath)
        #expect(answer.status.code == status)
        #expect(answer.fields[.retryAfter] == retryAfter)
        #expect(answer.body.readableBytes == 0)
    }

    @Test func stalePlaylistStaysAsItWasAtTheBreak() throws {
        let probe = try ServiceProbe(faults: "- {fault: stale_playlist, breaks: [1]}")
        func newest(after seconds: Int) throws -> UInt64 {
            probe.now = WallTime(microseconds: 1_795_248_720_000_000) + .seconds(seconds)
            return try probe.media(probe.get("/live/main/360p/media.m3u8")).endMediaSequence
        }
        let start = try newest(after: 0)
        #expect(try newest(after: 4) == start)
        #expect(try newest(after: 11) == start)
        #expect(try newest(after: 12) == start + 6)
        #expect(try newest(after: 64) == start + 32, "only the first break")
    }

    @Test func faultsKeepToTheirBreak() throws {
        let probe = try ServiceProbe(faults: "- {fault: error_status, breaks: [2], kinds: [playlist]}")
        #expect(probe.get("/live/main/360p/media.m3u8").status == .ok)
        probe.now = probe.now + .seconds(60)
        #expect(probe.get("/live/main/360p/media.m3u8").status == .serviceUnavailable)
        probe.now = probe.now + .seconds(60)
        #expect(probe.get("/live/main/360p/media.m3u8").status == .ok)
    }

    @Test func cleanOriginIsNeverFaulted() throws {
        let probe = try ServiceProbe()
        let streamID = try #require(try probe.register().streamID)
        _ = try probe.podPlaylist("pod/1", streamID)
        #expect(probe.service.truth(at: probe.now).requests.values.allSatisfy { $0.faulted == 0 })
    }
}
