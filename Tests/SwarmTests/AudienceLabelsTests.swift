import AdServing
import Audience
import LoadProfile
import Testing

@Suite struct AudienceLabelsTests {
    private static let labels = [
        AudienceLabel("region", values: [.init("north", share: 0.75), .init("south", share: 0.25)]),
        AudienceLabel("tier", values: [.init("free", share: 0.5), .init("paid", share: 0.5)]),
    ]

    @Test func valuesAreDrawnByShareAndTheSameInEveryRun() {
        let labels = AudienceLabels(Self.labels, seed: 7)
        let values = (0..<4_000).map { labels.values(ofViewer: $0) }
        #expect((2_900..<3_100).contains(values.count { $0["region"] == "north" }))
        #expect((1_900..<2_100).contains(values.count { $0["tier"] == "free" }))
        // One does not follow from the other.
        #expect((1_400..<1_600).contains(values.count { $0["region"] == "north" && $0["tier"] == "free" }))
        let again = AudienceLabels(Self.labels, seed: 7)
        #expect(values == (0..<4_000).map { again.values(ofViewer: $0) })
        #expect(values != (0..<4_000).map { AudienceLabels(Self.labels, seed: 8).values(ofViewer: $0) })
    }

    /// What is added behind changes nobody's first.
    @Test func aFurtherLabelChangesNoOther() {
        let one = AudienceLabels(Array(Self.labels.prefix(1)), seed: 7)
        let two = AudienceLabels(Self.labels, seed: 7)
        #expect((0..<100).allSatisfy { one.values(ofViewer: $0)["region"] == two.values(ofViewer: $0)["region"] })
    }

    @Test func whatViewersSendSaysWhoTheyAre() {
        let viewer = ViewerIdentity(number: 3, primaryID: "p", labels: ["region": "north"])
        #expect(viewer.filled("r={region}&v={viewer}&p={primary_id}") == "r=north&v=3&p=p")
        #expect(viewer.filled("plain") == "plain" && viewer.filled("{state}") == "{state}")
        let target = MediaTailorTarget(
            server: "http://a",
            asset: "b",
            session: .implicit,
            adsParameters: ["r": "{region}"]
        )
        #expect(target.masterURL(of: viewer).contains("ads.r=north"))
    }
}
