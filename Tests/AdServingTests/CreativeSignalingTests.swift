import Testing

@testable import AdServing

@Suite struct CreativeSignalingTests {
    private static let types = [
        "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "clickTracking",
    ]

    private func slot(start: Duration = .zero, duration: Duration, _ name: String) -> CreativeSignaling.Item {
        .init(
            start: start,
            duration: duration,
            tracking: Self.types.map { .init(type: $0, urls: ["https://\(name)/\($0)"]) }
        )
    }

    @Test func beaconsFallAtTheirMoments() {
        let beacons = CreativeSignaling(kind: .slot, items: [slot(duration: .seconds(20), "a")]).beacons(
            total: .seconds(20)
        )
        #expect(beacons.map(\.offset) == [0, 0, 5, 10, 15, 20].map { .seconds($0) })
        #expect(beacons.map(\.event) == Array(Self.types.prefix(6)))
        #expect(beacons.map(\.url) == Self.types.prefix(6).map { "https://a/\($0)" })
    }

    @Test func anItemWithoutALengthLastsAsLongAsItsCarrier() {
        let beacons = CreativeSignaling(kind: .slot, items: [slot(duration: .zero, "a")]).beacons(total: .seconds(8))
        #expect(beacons.map(\.offset) == [0, 0, 2, 4, 6, 8].map { .seconds($0) })
    }

    /// Of the second asset of a list, whose slot says where in the whole it stands.
    @Test func whatAnAssetCarriesCountsFromTheAssetsOwnStart() {
        let second = CreativeSignaling(kind: .slot, items: [slot(start: .seconds(12), duration: .seconds(8), "b")])
        #expect(second.beacons(ofAsset: .seconds(8)).map(\.offset) == [0, 0, 2, 4, 6, 8].map { .seconds($0) })
        #expect(second.beacons(total: .seconds(20)).map(\.offset) == [12, 12, 14, 16, 18, 20].map { .seconds($0) })
        let open = CreativeSignaling(kind: .slot, items: [slot(start: .seconds(12), duration: .zero, "b")])
        #expect(open.beacons(ofAsset: .seconds(8)).map(\.offset) == [0, 0, 2, 4, 6, 8].map { .seconds($0) })
    }

    @Test func aPodHasItsSlotsAndEndsAfterThem() {
        let pod = CreativeSignaling.Item(
            duration: .seconds(20),
            tracking: [
                .init(type: "podStart", urls: ["https://pod/start"]),
                .init(type: "complete", urls: ["https://pod/complete"]),
                .init(type: "progress", offset: .seconds(3), urls: ["https://pod/3"]),
                .init(type: "progress", offset: .seconds(30), urls: ["https://pod/never"]),
            ],
            slots: [slot(duration: .seconds(10), "a"), slot(start: .seconds(10), duration: .seconds(10), "b")]
        )
        let beacons = CreativeSignaling(kind: .pod, items: [pod]).beacons(total: .seconds(20))
        #expect((beacons.first?.url, beacons.last?.url) == ("https://pod/start", "https://pod/complete"))
        #expect(beacons.count == 15)
        #expect(beacons.first { $0.url == "https://pod/3" }?.offset == .seconds(3))
        #expect(
            beacons.filter { $0.offset == .seconds(10) }.map(\.url) == [
                "https://a/complete", "https://b/impression", "https://b/start",
            ]
        )
    }

    /// The envelope of Shaka Player's tests, which has neither version nor type, in base64 as a date range carries it.
    @Test func readsADateRangesAttribute() throws {
        let text =
            "{\"payload\":[{\"start\":0,\"duration\":5,\"tracking\":[{\"type\":\"impression\",\"urls\":[\"impression\"]}]}]}"
        let plain = try #require(CreativeSignaling(attribute: text))
        #expect(plain.kind == .slot)
        let beacon = TrackingBeacon(event: "impression", offset: .zero, url: "impression")
        #expect(plain.beacons(total: .seconds(5)) == [beacon])
        let base64 =
            "eyJwYXlsb2FkIjpbeyJzdGFydCI6MCwiZHVyYXRpb24iOjUsInRyYWNraW5nIjpbeyJ0eXBlIjoiaW1wcmVzc2lvbiIsInVybHMiOlsiaW1w"
            + "cmVzc2lvbiJdfV19XX0="
        #expect(CreativeSignaling(attribute: base64) == plain)
    }

    @Test(arguments: [
        "", "e30=", "{\"payload\":[]}", "{\"type\":\"verification\",\"payload\":[{\"duration\":1}]}",
        "{\"payload\":[1]}",
        "{\"payload\":[{\"duration\":-1}]}", "{\"payload\":[{\"duration\":1,\"tracking\":[{\"urls\":[\"a\"]}]}]}",
        "!!!",
    ])
    func brokenSignalingIsNone(_ text: String) { #expect(CreativeSignaling(attribute: text) == nil) }

    @Test func nothingNestsDeeperThanTheFormat() {
        let open = "{\"payload\":[{\"duration\":1,\"slots\":["
        let nested = String(repeating: "{\"duration\":1,\"slots\":[", count: 300)
        let close = String(repeating: "]}", count: 301)
        let found = CreativeSignaling(attribute: open + nested + close + "]}")
        #expect(found?.items.first?.slots.first?.slots.isEmpty ?? true)
    }
}
