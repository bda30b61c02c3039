import AdServing
import Testing

@Suite struct DoubledPingTests {
    private func signaling(_ tracking: [CreativeSignaling.Tracking], inSlot: Bool = false) -> CreativeSignaling {
        let item = CreativeSignaling.Item(duration: .seconds(10), tracking: tracking)
        guard inSlot else { return CreativeSignaling(kind: .slot, items: [item]) }
        return CreativeSignaling(
            kind: .pod,
            items: [CreativeSignaling.Item(duration: .seconds(20), tracking: [], slots: [item])]
        )
    }

    @Test(arguments: [false, true])
    func oneAddressTwiceForOneEventIsDoubled(inSlot: Bool) {
        let start = CreativeSignaling.Tracking(type: "start", urls: ["https://a/1"])
        #expect(signaling([start, start], inSlot: inSlot).doubledEvent == "start")
        let within = CreativeSignaling.Tracking(type: "midpoint", urls: ["https://a/1", "https://a/1"])
        #expect(signaling([start, within], inSlot: inSlot).doubledEvent == "midpoint")
    }

    @Test func severalPartiesMayCountOneEvent() {
        let first = CreativeSignaling.Tracking(type: "start", urls: ["https://a/1", "https://b/1"])
        let second = CreativeSignaling.Tracking(type: "start", urls: ["https://c/1"])
        #expect(signaling([first, second]).doubledEvent == nil)
    }

    @Test func oneAddressForSeveralEventsIsNotDoubled() {
        let events = ["start", "complete"].map { CreativeSignaling.Tracking(type: $0, urls: ["https://a/1"]) }
        let progress = [1, 2].map {
            CreativeSignaling.Tracking(type: "progress", offset: .seconds($0), urls: ["https://a/1"])
        }
        #expect(signaling(events + progress).doubledEvent == nil)
        #expect(signaling(progress + progress).doubledEvent == "progress")
    }

    @Test func theSameAddressInTwoAdsIsNotDoubled() {
        let start = CreativeSignaling.Tracking(type: "start", urls: ["https://a/1"])
        let slot = CreativeSignaling.Item(duration: .seconds(10), tracking: [start])
        #expect(CreativeSignaling(kind: .slot, items: [slot, slot]).doubledEvent == nil)
    }

    @Test(arguments: [
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"1","type":"start"}"#, "start"),
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"2","type":"start"}"#, nil),
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"1","type":"complete"}"#, nil),
        (#""a":{"ad":"1","type":"progress"},"b":{"ad":"1","type":"progress"}"#, nil),
        (#""a":{"ad":"9","type":"start"},"b":{"ad":"9","type":"start"}"#, nil), ("", nil),
    ])
    func twoMediaIDsOfOneEventAreDoubled(tags: String, event: String?) throws {
        let metadata = try Array("{\"tags\":{\(tags)}}".utf8).withUnsafeBytes { try SessionMetadata(json: $0) }
        #expect(metadata.doubledEvent(ofAds: ["1", "2"]) == event)
    }
}
