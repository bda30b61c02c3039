import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Planned faults whose effect takes more than one answer to tell; the others are in `Conversations`.
@Suite struct FaultEffectTests {
    @Test func podMismatchGivesSomeSessionsAnotherPod() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_mismatch, share: 40%}")
        var hashes: [UInt64: Int] = [:]
        for viewer in UInt64(0)..<100 {
            let streamID = try probe.streamID(viewer: viewer)
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

    @Test func foreignStreamIDIsAnothersSession() throws {
        let probe = try ServiceProbe(faults: "- {fault: foreign_stream_id, kinds: [pod_playlist, pod_manifest]}")
        let other = try probe.streamID()
        let own = try probe.streamID()
        let answer = probe.get(probe.manifestPath("pod/1", own))
        let sessions = GivenSessions()
        sessions.add(other.rawValue, viewer: 0)
        sessions.add(own.rawValue, viewer: 1)
        let foreign = answer.body.withUnsafeReadableBytes { sessions.foreign(in: $0, to: 1) }
        #expect(foreign == [other.rawValue])
    }

    @Test func aStalePodIsTheOneBefore() throws {
        let probe = try ServiceProbe(faults: "- {fault: stale_pod}")
        let streamID = try probe.streamID()
        let first = try probe.multivariant(probe.get(probe.manifestPath("pod/1", streamID)))
        let second = try probe.multivariant(probe.get(probe.manifestPath("pod/2", streamID)))
        #expect(second.variants.map(\.uri) == first.variants.map(\.uri))
        #expect(first.variants.first.flatMap { PodIdentifier(inURL: $0.uri) } == .sequence(1))
        // The decision was made for the new break all the same: its ads can be verified.
        let asked = probe.service.sessions.listed(streamID.rawValue).map(\.decision.identifier)
        #expect(asked == ["pod/1", "pod/2"])
    }

    private static let channel = """
        interstitials:
          - {id: "mid-{start}", every: 60s, assets: 2, assetDuration: 5s, announce: 20s, numbersPods: true}
        """

    /// The number that the interstitial of 08:12 names its pod by, as long as it is listed.
    private func numbers(_ faults: String, viewer: UInt64 = 1) throws -> Set<Int> {
        let probe = try ServiceProbe(faults: faults, channel: Self.channel)
        let begin = probe.now
        var numbers: Set<Int> = []
        for second in -25..<10 {
            probe.now = begin + .seconds(second)
            let playlist = probe.get("/live/main/360p/media.m3u8", viewer: viewer)
            for range in try probe.media(playlist).dateRanges where range.id == "mid-1795248720" {
                guard case .quoted(let uri)? = range.attributes["X-ASSET-LIST"] else { continue }
                guard case .sequence(let number)? = PodIdentifier(inURL: uri) else { continue }
                numbers.insert(number)
            }
        }
        return numbers
    }

    @Test func theNumberOfAPodIsAnotherAsLongAsItIsListed() throws {
        let own = try #require(try numbers("").first)
        #expect(try numbers("") == [own])
        #expect(own == 1_795_248_720 / 60 + 1)
        #expect(try numbers("- {fault: break_identifier_reused, breaks: [1]}") == [own - 1])
        #expect(try numbers("- {fault: break_identifier_skipped, breaks: [1]}") == [own + 1_000_000])
        #expect(try numbers("- {fault: break_identifier_backwards, breaks: [1]}") == [own / 2])
        #expect(try numbers("- {fault: break_identifier_reused, breaks: [2]}") == [own])
        let split = try (UInt64(0)..<40).map { viewer in
            try numbers("- {fault: break_identifier_split, share: 50%}", viewer: viewer)
        }
        #expect(split.allSatisfy { $0 == [own] || $0 == [own + 1_000_000] })
        #expect(Set(split).count == 2)
    }

    @Test(arguments: [
        ("token_expired", "pod/3", AuthTokenMistake.expired(bySeconds: 310)),
        ("token_expiry_in_milliseconds", "pod/3", .expiryInMilliseconds(1_795_249_320_000)),
        ("token_of_another_break", "pod/3", .anotherBreak(token: "pod/2", address: "pod/3")),
        (
            "token_of_another_break", "ad_break_id/mid-3",
            .anotherBreak(token: "ad_break_id/mid-3-before", address: "ad_break_id/mid-3")
        ),
    ])
    func theAddressesOfAPodAreSignedWrongInOneWay(fault: String, identifier: String, mistake: AuthTokenMistake) throws {
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        var bodies: Set<UInt64> = []
        for _ in 0..<2 {
            let streamID = try probe.streamID()
            let answer = probe.get(probe.manifestPath(identifier, streamID))
            bodies.insert(probe.fingerprint(answer, own: streamID))
            let uris = try probe.multivariant(answer).variants.map(\.uri)
            #expect(!uris.isEmpty)
            for uri in uris {
                #expect(AuthTokenCheck.mistakes(in: uri, at: probe.now) == [mistake])
                #expect(probe.get(uri).status == .ok)
            }
            probe.now = probe.now + .milliseconds(400)
        }
        #expect(bodies.count == 1, "a token of its own would be another pod")
    }

    @Test func ownRedirectsSayHowOftenTheyGoOn() {
        #expect(
            OwnRedirect.read("/live/a?b=c") == OwnRedirect(target: "/live/a?b=c", isRedirected: false, onward: nil)
        )
        #expect(OwnRedirect.read("/origin/moved/a") == OwnRedirect(target: "/a", isRedirected: true, onward: nil))
        #expect(
            OwnRedirect.read("/origin/moved/origin/moved/origin/moved/a?b")
                == OwnRedirect(target: "/a?b", isRedirected: true, onward: "/origin/moved/origin/moved/a?b")
        )
        #expect(
            OwnRedirect.read("/origin/turning/a")
                == OwnRedirect(target: "/a", isRedirected: true, onward: "/origin/turning/a")
        )
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "http://localhost:8080"), ("localhost:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080", "http://localhost:8080"), ("127.0.0.1", "http://localhost"),
    ])
    func anotherNameOfTheHostKeepsItsPort(authority: String, other: String) throws {
        let probe = try ServiceProbe()
        var exchange = probe.exchange("/origin/health")
        exchange = Exchange(
            now: exchange.now,
            route: exchange.route,
            kind: exchange.kind,
            target: exchange.target,
            query: exchange.query,
            streamID: nil,
            acceptsGzip: false,
            method: .get,
            authority: authority,
            viewerHash: 0
        )
        #expect(probe.service.otherBase(exchange) == other)
    }
}
