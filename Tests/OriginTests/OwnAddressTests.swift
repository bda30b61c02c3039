import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

/// Pods aimed at some sessions, and addresses that are a session's and a moment's own.
@Suite struct OwnAddressTests {
    /// What a pod lists in its first variant.
    private func addresses(_ probe: ServiceProbe, _ streamID: StreamID) throws -> [String] {
        let playlist = try probe.media(probe.podPlaylist("pod/7", streamID))
        return playlist.segments.map(playlist.uri(of:))
    }

    private func played(_ addresses: [String], _ streamID: StreamID, ignoring: [String] = []) -> [String] {
        let address = PlayedAddress(ignoring: ignoring.compactMap { AddressPattern($0) })
        return addresses.map { address.text(of: $0, own: [streamID.rawValue]) }
    }

    @Test func sessionsOfOneAimGetOnePod() throws {
        let probe = try ServiceProbe { $0.aimingParameter = "cohort" }
        var pods: [String: Set<[String]>] = [:]
        for cohort in ["north-free", "north-paid", "south-free", "north-free", "south-free", "north-paid"] {
            let streamID = try probe.streamID("iu=1&cohort=\(cohort)")
            pods[cohort, default: []].insert(played(try addresses(probe, streamID), streamID))
        }
        #expect(pods.values.allSatisfy { $0.count == 1 })
        #expect(Set(pods.values).count == 3)
    }

    @Test(arguments: ["", "cohort=", "other=north", "cohort=north"])
    func whoSaysNothingGetsWhatEverybodyGets(body: String) throws {
        let plain = try ServiceProbe()
        let probe = try ServiceProbe { $0.aimingParameter = "cohort" }
        let everybody = try plain.streamID(body)
        let streamID = try probe.streamID(body)
        let isSame =
            try played(addresses(probe, streamID), streamID) == played(addresses(plain, everybody), everybody)
        #expect(isSame == (body != "cohort=north"))
    }

    @Test func aPodThatAnotherAimGotIsNoMistakeOfItsPlaylists() throws {
        let decision = PodDecision(identifier: "pod/1", aim: PodAim(value: "north"), salt: 3, seed: 1)
        #expect(PodDecision(token: decision.token, identifier: "pod/1", seed: 1) == decision)
        let bare = String(decision.token.dropLast(8))
        for token in [String(decision.token.dropLast()), bare, decision.token + "0", bare + "00000000"] {
            #expect(PodDecision(token: token, identifier: "pod/1", seed: 1) == nil)
        }
    }

    @Test(arguments: [
        (AddressSigning.akamai, #"[?&]hdnea=exp=\d+~acl=/\*~hmac=[0-9a-f]{64}$"#),
        (.cloudFront, #"[?&]Expires=\d+&Signature=[0-9a-f]{64}__&Key-Pair-Id=[0-9A-Z]+$"#),
    ])
    func addressesAreSignedAnewInEachAnswer(signing: AddressSigning, written: String) throws {
        let form = try Regex(written)
        let probe = try ServiceProbe { $0.signing = signing }
        let streamID = try probe.streamID()
        var manifests: [[String]] = []
        var segments: [[String]] = []
        for _ in 0..<2 {
            probe.now = probe.now + .milliseconds(1)
            manifests.append(
                try probe.multivariant(probe.get(probe.manifestPath("pod/7", streamID))).variants.map(\.uri)
            )
            let playlist = try probe.media(probe.podPlaylist("pod/7", streamID))
            let maps = playlist.segments.compactMap { segment in
                segment.mapURI.map { String(decoding: playlist.text[$0], as: UTF8.self) }
            }
            segments.append(playlist.segments.map(playlist.uri(of:)) + maps)
        }
        for addresses in [manifests, segments] {
            #expect(addresses[0] != addresses[1])
            #expect(played(addresses[0], streamID) == played(addresses[1], streamID))
            for address in addresses.joined() {
                #expect(address.contains(form), "\(address)")
                #expect(probe.get(address).status == .ok, "\(address)")
            }
        }
    }

    /// Another pod under the very signatures of the first one, down to its ads.
    @Test(arguments: [AddressSigning.akamai, .cloudFront], [true, false])
    func aSignatureStaysWhileThePodChanges(signing: AddressSigning, isPlanned: Bool) throws {
        let faults = "- {fault: pod_changed_on_repeat, signatures: kept\(isPlanned ? "" : ", breaks: [99]")}"
        let probe = try ServiceProbe(faults: faults) { $0.signing = signing }
        let streamID = try probe.streamID(viewer: 5)
        var (manifests, segments): ([[String]], [[String]]) = ([], [])
        for _ in 0..<2 {
            probe.now = probe.now + .milliseconds(1_001)
            let manifest = try probe.multivariant(probe.get(probe.manifestPath("pod/7", streamID), viewer: 5))
            manifests.append(manifest.variants.map(\.uri))
            let playlist = try probe.media(probe.get(try #require(manifest.variants.first).uri, viewer: 5))
            segments.append(playlist.segments.map(playlist.uri(of:)))
        }
        for addresses in [manifests, segments] {
            let signatures = addresses.map { Set($0.compactMap(Self.signature(of:))) }
            #expect(signatures.allSatisfy { $0.count == 1 })
            #expect((signatures[0] == signatures[1]) == isPlanned)
        }
        #expect((played(segments[0], streamID) == played(segments[1], streamID)) != isPlanned)
        #expect(probe.service.truth(at: probe.now).faults == ["pod_changed_on_repeat": isPlanned ? 1 : 0])
    }

    /// What an address is signed with, expiry and all.
    private static func signature(of address: String) -> Substring? {
        ["hdnea=", "Expires="].lazy.compactMap { address.firstRange(of: $0) }.first.map { address[$0.lowerBound...] }
    }

    @Test func assetListsAndAssetsAreSigned() throws {
        let script = "interstitials: [{id: 'roll-{start}', every: 60s, assetDuration: 5s, contentMayVary: false}]"
        let probe = try ServiceProbe(channel: script) {
            $0.signing = .akamai
            $0.hasSessionPaths = true
        }
        let path = "/interstitials/roll-\(probe.now.epochSeconds - 10)/assets.json"
        let text = String(buffer: probe.get(path, viewer: 3).body)
        let list = try AssetList(parsing: Array(text.utf8))
        let asset = try #require(list.assets.first).uri.replacing("http://127.0.0.1:8080", with: "")
        #expect(asset.contains("hdnea="))
        let manifest = try probe.multivariant(probe.get(asset, viewer: 3))
        let variant = try #require(manifest.variants.first).uri
        #expect(variant.contains("hdnea=") && !variant.hasPrefix("/s/"))
        let playlist = try probe.media(probe.get(variant, viewer: 3))
        let segment = playlist.uri(of: try #require(playlist.segments.first))
        #expect(segment.contains("hdnea=") && segment.hasPrefix("/s/"))
        #expect(probe.get(segment).status == .ok)
    }

    @Test func creativesLieUnderAPieceOfTheSession() throws {
        let probe = try ServiceProbe { $0.hasSessionPaths = true }
        let sessions = try (0..<2).map { _ in try probe.streamID() }
        let addresses = try sessions.map { try self.addresses(probe, $0) }
        #expect(addresses[0] == (try self.addresses(probe, sessions[0])), "a piece for the session's life")
        for address in addresses.joined() {
            #expect(address.contains(#/^/s/[0-9a-f]{16}/linear/pods/v1/seg//#), "\(address)")
            #expect(probe.get(address).status == .ok)
        }
        let plain = zip(addresses, sessions).map { played($0, $1) }
        #expect(plain[0] != plain[1])
        let ignored = zip(addresses, sessions).map { played($0, $1, ignoring: ["/s/*"]) }
        #expect(ignored[0] == ignored[1])
    }

    @Test(arguments: [false, true])
    func anotherSessionIsPutIntoPaths(hasSessionPaths: Bool) throws {
        let probe = try ServiceProbe(faults: "- {fault: foreign_stream_id, piece: path}") {
            $0.hasSessionPaths = hasSessionPaths
        }
        let one = try probe.streamID(viewer: 1)
        _ = try probe.streamID(viewer: 2)
        let manifest = try probe.multivariant(probe.get(probe.manifestPath("pod/7", one), viewer: 2))
        let playlist = try probe.media(probe.get(try #require(manifest.variants.first).uri, viewer: 2))
        for segment in playlist.segments {
            let address = playlist.uri(of: segment)
            #expect(address.hasPrefix("/s/\(one.percentEncoded)/linear/"), "\(address)")
            #expect(probe.get(address).status == .ok)
        }
    }
}
