import AdServing
import Audience
import LoadProfile
import Players
import Testing

@Suite struct AudienceTraitsTests {
    private static let traits = [
        AudienceTrait("region", values: [.init("north", share: 0.75), .init("south", share: 0.25)]),
        AudienceTrait("tier", values: [.init("free", share: 0.5), .init("paid", share: 0.5)]),
    ]

    @Test func valuesAreDrawnByShareAndTheSameInEveryRun() {
        let traits = AudienceTraits(Self.traits, seed: 7)
        let values = (0..<4_000).map { traits.values(ofViewer: $0) }
        #expect((2_900..<3_100).contains(values.count { $0["region"] == "north" }))
        #expect((1_900..<2_100).contains(values.count { $0["tier"] == "free" }))
        // One does not follow from the other.
        #expect((1_400..<1_600).contains(values.count { $0["region"] == "north" && $0["tier"] == "free" }))
        let again = AudienceTraits(Self.traits, seed: 7)
        #expect(values == (0..<4_000).map { again.values(ofViewer: $0) })
        #expect(values != (0..<4_000).map { AudienceTraits(Self.traits, seed: 8).values(ofViewer: $0) })
    }

    /// What is added behind changes nobody's first.
    @Test func aFurtherLabelChangesNoOther() {
        let one = AudienceTraits(Array(Self.traits.prefix(1)), seed: 7)
        let two = AudienceTraits(Self.traits, seed: 7)
        #expect((0..<100).allSatisfy { one.values(ofViewer: $0)["region"] == two.values(ofViewer: $0)["region"] })
    }

    @Test func valuesFollowFromWhatStandsBefore() throws {
        let personas = [PersonaShare(try #require(Self.plan).audience.personas[0].persona, share: 1)]
        let name = personas[0].persona.name
        let table = TraitTable(columns: ["city", "zone"], rows: [["a", "1"], ["b", "2"], ["c", "3"]])
        guard case .addresses(let block)? = Self.plan?.audience.traits.first?.source else {
            Issue.record("there are no addresses")
            return
        }
        let traits = AudienceTraits(
            Self.traits + [
                AudienceTrait("age", .numbers(18...20)), AudienceTrait("address", .addresses(block)),
                AudienceTrait("ppid", .digits(40)), AudienceTrait("agent", .by("persona", [name: "Player/{tier}"])),
                AudienceTrait("price", .by("tier", ["free": "0", "paid": "{age}"])),
                AudienceTrait("city", .column(0, of: table)), AudienceTrait("zone", .column(1, of: table)),
            ],
            personas: personas,
            seed: 7
        )
        let values = (0..<600).map { traits.values(ofViewer: $0) }
        #expect(Set(values.compactMap { $0["age"] }) == ["18", "19", "20"])
        #expect(values.allSatisfy { $0["address"]?.hasPrefix("198.51.100.") ?? false })
        #expect(Set(values.compactMap { $0["ppid"] }).count == 600)
        #expect(values.allSatisfy { $0["ppid"]?.utf8.count == 40 })
        #expect(values.allSatisfy { $0["agent"] == "Player/\($0["tier"] ?? "")" })
        #expect(values.allSatisfy { $0["price"] == ($0["tier"] == "free" ? "0" : $0["age"]) })
        #expect(
            values.enumerated().allSatisfy {
                $1["city"] == table.rows[$0 % 3][0] && $1["zone"] == table.rows[$0 % 3][1]
            }
        )
        #expect(traits.placeholders(in: "{age} {viewer} {none} {1}") == ["age", "viewer"])
        #expect(traits.areShared(["age", "tier"]) && !traits.areShared(["ppid"]) && !traits.areShared(["viewer"]))
    }

    private static let plan = try? ProfileReader().read(
        yaml: """
            duration: 60s
            target: embedded
            audience: {viewers: 1, personas: [hlsjs], traits: [{name: a, range: 198.51.100.0/24}]}
            breaks: {source: {every: 20s}}

            """,
        path: "a.yaml"
    )

    @Test func whatViewersSendSaysWhoTheyAre() {
        let viewer = ViewerIdentity(number: 3, primaryID: "p", traits: ["region": "north"])
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
