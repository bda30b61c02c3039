import Profile
import Testing

/// Traits that tell viewers apart, and the viewers whose pods must match.
@Suite struct AudienceTraitTests {
    private static func plan(_ traits: String = "[]", pods: String = "{}") throws -> LoadPlan {
        try Samples.plan(Samples.profile(audience: "{viewers: 10, traits: \(traits)}", and: "pods: \(pods)"))
    }

    @Test func valuesHaveEqualPartsOrShares() throws {
        let traits = "[{name: region, values: {north: 75%, south: 25%}}, {name: tier, values: [free, paid]}]"
        let plan = try Self.plan(traits)
        #expect(
            plan.audience.traits == [
                AudienceTrait("region", .values([.init("north", share: 0.75), .init("south", share: 0.25)])),
                AudienceTrait("tier", .values([.init("free", share: 0.5), .init("paid", share: 0.5)])),
            ]
        )
        #expect(plan.pods.cohort == ["region", "tier"])
    }

    @Test func aCohortIsOfTheLabelsThatTheProfileSays() throws {
        let pods = "{match: cohort, cohort: [tier, persona], matchStitched: all, matchVarying: cohort}"
        let plan = try Self.plan("[{name: region, values: [a, b]}, {name: tier, values: [c, d]}]", pods: pods)
        #expect(plan.pods.match == .cohort && plan.pods.cohort == ["tier", "persona"])
        #expect(plan.pods.matchStitched == .all && plan.pods.matchVarying == .cohort)
        #expect(try Self.plan(pods: "{match: cohort}").pods.cohort == ["persona"])
    }

    @Test func kindsOfTraitsAreRead() throws {
        let traits = """
            [{name: age, range: 18..80}, {name: address, range: 198.51.100.0/24}, {name: ppid, digits: 32}, \
            {name: tier, values: {free: 50%, paid: 50%}}, {name: price, by: tier, values: {free: '0', paid: '{age}'}}, \
            {name: text, value: 'a {tier} of {age}'}]
            """
        let plan = try Self.plan(traits, pods: "{match: cohort}")
        #expect(plan.audience.traits.map(\.name) == ["age", "address", "ppid", "tier", "price", "text"])
        #expect(plan.audience.traits.map(\.isShared) == [true, false, false, true, false, false])
        #expect(plan.audience.traits[0].source == .numbers(18...80))
        #expect(plan.audience.traits[4].source == .by("tier", ["free": "0", "paid": "{age}"]))
        // What is each viewer's own makes no cohort.
        #expect(plan.pods.cohort == ["tier"] && !plan.audience.traits.contains(where: \.isSecret))
        let cohorts = try ["token", "X", "device"].map { try Self.plan("[{name: \($0), values: [a]}]").pods.cohort[0] }
        #expect(cohorts == ["persona", "X", "device"])
    }

    /// Values sent, named or made as secrets make no cohort by themselves, and no output shows them.
    @Test(arguments: [
        ("connection: {headers: {Authorization: 'Bearer {a}'}}", "embedded"),
        ("connection: {headers: {Cookie: 'tier={tier}; sid={a}'}}", "embedded"),
        ("connection: {headers: {X-Token: '{b}'}}", "embedded"),
        ("", "{embedded: {custParams: 'tier={tier}&auth={a}'}}"),
        ("", "{embedded: {adTagParameters: {cust_params: 'tier={tier}', hdnts: '{a}'}}}"),
        ("", Samples.podServing(channel: "http://127.0.0.1:8080/{tier}/session/{a}/live.m3u8")),
        ("", Samples.podServing(channel: "http://127.0.0.1/{tier}/live.m3u8?name={tier}&token={a}")),
    ]) func secretsAreNoNames(connection: String, target: String) throws {
        let traits = "[{name: a, values: [one-for-all, two]}, {name: b, value: 'x {a}'}, {name: tier, values: [c, d]}]"
        let (audience, rest) = ("{viewers: 10, traits: \(traits)}", "report: {by: [a, tier]}\n" + connection)
        let plan = try Samples.plan(Samples.profile(target: target, audience: audience, and: rest))
        #expect(plan.audience.traits.map(\.isSecret) == [true, true, false] && plan.pods.cohort == ["tier"])
        #expect(plan.secrets.contains("one-for-all"))
        #expect(plan.reportedValues.map(\.values) == [["…b687ced1", "…13684410"], ["c", "d"]])
    }

    @Test func aHeaderKeepsThePlaceholdersOfTraits() throws {
        let text = Samples.profile(
            audience: "{viewers: 10, traits: [{name: region, values: [a, b]}]}",
            and: "connection: {headers: {X-Region: '{region}-{viewer}'}}"
        )
        #expect(try Samples.plan(text).connection.headers == ["X-Region": "{region}-{viewer}"])
    }
}
