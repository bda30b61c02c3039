import AdServing
import HLS
import HTTPTypes
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

    @Test(
        arguments: [
            ("/live/a?b=c", "/live/a?b=c", false, nil), ("/origin/moved/a", "/a", true, nil),
            ("/origin/moved/origin/moved/origin/moved/a?b", "/a?b", true, "/origin/moved/origin/moved/a?b"),
            ("/origin/turning/a", "/a", true, "/origin/turning/a"),
        ] as [(String, String, Bool, String?)]
    )
    func ownRedirectsSayHowOftenTheyGoOn(asked: String, target: String, isRedirected: Bool, onward: String?) {
        #expect(OwnRedirect.read(asked) == OwnRedirect(target: target, isRedirected: isRedirected, onward: onward))
    }
}
