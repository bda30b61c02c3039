import HLS
import Testing

@testable import Origin

@Suite struct SessionRegistryTests {
    private static let now = WallTime(microseconds: 1_800_000_000_000_000)

    private static func pod(_ number: Int) -> AskedPod {
        let decision = PodDecision(identifier: "pod/\(number)", salt: 0, seed: 1)
        return AskedPod(decision: decision, podMicroseconds: 20_000_000, ads: [10_000_000, 10_000_000])
    }

    @Test func streamIDsAreUUIDsWithALocationAndFollowTheSeed() {
        let identifiers = (0..<1_000).map { SessionRegistry.streamID(number: $0, seed: 1) }
        #expect(Set(identifiers).count == 1_000)
        #expect(identifiers[0] == "4ccb06d9-c5b1-438b-9e61-b22bbec87826:TUL")
        #expect(SessionRegistry.streamID(number: 0, seed: 2) != identifiers[0])
        for identifier in identifiers {
            let groups = identifier.dropLast(4).split(separator: "-")
            #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
            #expect(groups[2].hasPrefix("4"))
            #expect(["8", "9", "a", "b"].contains(groups[3].first))
        }
    }

    @Test func sessionExpiresAndIsForgottenLater() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        let (streamID, validUntil) = registry.register(for: 0, at: Self.now)
        #expect(validUntil == Self.now + .seconds(60))
        #expect(registry.noteRequest(streamID, at: Self.now) == .active)
        #expect(registry.noteRequest(streamID, at: Self.now + .seconds(59)) == .active)
        #expect(registry.noteRequest(streamID, at: Self.now + .seconds(60)) == .expired)
        #expect(registry.noteRequest("other", at: Self.now) == .unknown)
        _ = registry.register(for: 0, at: Self.now + .seconds(661))
        #expect(registry.noteRequest(streamID, at: Self.now + .seconds(661)) == .unknown)
        let truth = registry.truth(at: Self.now + .seconds(661))
        #expect(truth.registered == 2 && truth.active == 1 && truth.maximumRequests == 3)
    }

    @Test func verificationCountsOnceAndOnlyForPodsAskedFor() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        let (streamID, _) = registry.register(for: 0, at: Self.now)
        let pod = Self.pod(1)
        let tag = MediaTag(decision: pod.decision.mediaNumber, ad: 1, event: .midpoint)
        #expect(!registry.verify(tag, for: streamID), "nothing asked for yet")
        registry.list(pod, for: streamID)
        registry.list(pod, for: streamID)
        #expect(registry.listed(streamID).count == 1)
        #expect(!registry.verify(MediaTag(decision: tag.decision, ad: 2, event: .start), for: streamID), "no third ad")
        #expect(registry.verify(tag, for: streamID))
        #expect(!registry.verify(tag, for: streamID), "fired already")
        #expect(!registry.verify(tag, for: "other"))
        for event in MediaTag.Event.allCases where event != .midpoint {
            #expect(registry.verify(MediaTag(decision: tag.decision, ad: 1, event: event), for: streamID))
        }
    }

    @Test func onlyTheNewestPodsAreListed() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        let (streamID, _) = registry.register(for: 0, at: Self.now)
        for number in 1...20 { registry.list(Self.pod(number), for: streamID) }
        #expect(registry.listed(streamID).map(\.decision.identifier) == (15...20).map { "pod/\($0)" })
    }

    @Test func repetitionsAreCountedPerPod() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        let (streamID, _) = registry.register(for: 0, at: Self.now)
        #expect((0..<3).map { _ in registry.noteManifest(streamID, identifier: "pod/1") } == [0, 1, 2])
        #expect(registry.noteManifest(streamID, identifier: "pod/2") == 0)
        #expect(registry.noteManifest("other", identifier: "pod/1") == 0)
        let truth = registry.truth(at: Self.now)
        #expect(truth.maximumPodManifests == 4 && truth.maximumPodIdentifiers == 2)
    }

    @Test func aNeighbourIsWhatAnotherViewerWasGiven() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        #expect(registry.neighbour(ofViewer: 1) == nil)
        let first = registry.register(for: 1, at: Self.now).streamID
        #expect(registry.neighbour(ofViewer: 1) == nil)
        _ = registry.register(for: 2, isGiven: false, at: Self.now)
        #expect(registry.neighbour(ofViewer: 1) == nil, "nobody was told of the second")
        let third = registry.register(for: 3, at: Self.now).streamID
        _ = registry.register(for: 3, at: Self.now)
        #expect(registry.neighbour(ofViewer: 1) == third)
        #expect(registry.neighbour(ofViewer: 3) == first, "not the viewer's own of before")
        #expect(registry.neighbour(ofViewer: 4) == third || registry.neighbour(ofViewer: 4) != nil)
    }

    @Test func aViewersAimIsThatOfItsLastSessionWhileThatIsRemembered() {
        let registry = SessionRegistry(seed: 1, validity: .seconds(60))
        #expect(registry.aim(ofViewer: 1) == .everybody)
        _ = registry.register(for: 1, aim: PodAim(value: "north"), at: Self.now)
        _ = registry.register(for: 2, aim: PodAim(value: "south"), at: Self.now)
        #expect(registry.aim(ofViewer: 1) == PodAim(value: "north"))
        _ = registry.register(for: 1, aim: PodAim(value: "west"), at: Self.now + .seconds(50))
        #expect(registry.aim(ofViewer: 1) == PodAim(value: "west"))
        #expect(registry.aim(ofViewer: 2) == PodAim(value: "south"))
        // Registering is what makes the registry forget: by then the second is, and the third is not.
        _ = registry.register(for: 3, at: Self.now + .seconds(670))
        #expect(registry.aim(ofViewer: 1) == PodAim(value: "west"))
        #expect(registry.aim(ofViewer: 2) == .everybody)
    }
}

@Suite struct MediaTagTests {
    @Test func mediaIDIsReadBackWithAnySuffix() {
        for event in MediaTag.Event.allCases {
            let tag = MediaTag(decision: 0xAB, ad: 3, event: event)
            #expect(tag.mediaID == "google_00000000000000ab-3-\(event.rawValue)")
            #expect(MediaTag(mediaID: tag.mediaID) == tag)
            #expect(MediaTag(mediaID: tag.mediaID + "-anything-else") == tag)
        }
    }

    @Test(
        arguments: [
            "", "google_", "google_00000000000000ab-3", "google_00000000000000ab-3-5", "google_00000000000000ab--1-0",
            "google_zz000000000000ab-3-0", "google_ab-3-0", "google_00000000000000ab-99999999999999999999-0",
            "other_00000000000000ab-3-0",
        ]
    )
    func foreignMediaIDIsRefused(mediaID: String) {
        #expect(MediaTag(mediaID: mediaID) == nil)
    }
}
