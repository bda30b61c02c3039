import LoadProfile
import Testing

/// What tells viewers apart, and whose pods must match.
@Suite struct AudienceTraitTests {
    private static func yaml(traits: String = "[]", pods: String = "{}", target: String = "embedded") -> String {
        """
        duration: 60s
        target: \(target)
        audience:
          viewers: 10
          traits: \(traits)
        breaks: {source: {every: 20s}}
        pods: \(pods)

        """
    }

    private static func plan(_ yaml: String) throws -> LoadPlan {
        try Samples.reader.read(yaml: yaml, path: "Profiles/traits.yaml")
    }

    @Test func valuesHaveEqualPartsOrShares() throws {
        let traits = "[{name: region, values: {north: 75%, south: 25%}}, {name: tier, values: [free, paid]}]"
        let plan = try Self.plan(Self.yaml(traits: traits))
        #expect(
            plan.audience.traits == [
                AudienceTrait("region", values: [.init("north", share: 0.75), .init("south", share: 0.25)]),
                AudienceTrait("tier", values: [.init("free", share: 0.5), .init("paid", share: 0.5)]),
            ]
        )
        #expect(plan.pods.cohort == ["region", "tier"])
    }

    @Test func aCohortIsOfTheLabelsThatTheProfileSays() throws {
        let traits = "[{name: region, values: [a, b]}, {name: tier, values: [c, d]}]"
        let pods = "{match: cohort, cohort: [tier, persona], matchStitched: all, matchVarying: cohort}"
        let plan = try Self.plan(Self.yaml(traits: traits, pods: pods))
        #expect(plan.pods.match == .cohort && plan.pods.cohort == ["tier", "persona"])
        #expect(plan.pods.matchStitched == .all && plan.pods.matchVarying == .cohort)
        #expect(try Self.plan(Self.yaml(pods: "{match: cohort}")).pods.cohort == ["persona"])
    }

    @Test func plansThatDifferInThemHaveOtherDigests() throws {
        let traits = "[{name: region, values: [a, b]}]"
        let digests = try [
            Self.yaml(), Self.yaml(traits: traits), Self.yaml(traits: "[{name: region, values: [a, c]}]"),
            Self.yaml(traits: traits, pods: "{match: cohort}"), Self.yaml(pods: "{match: cohort}"),
            Self.yaml(pods: "{match: session}"), Self.yaml(pods: "{matchStitched: all}"),
            Self.yaml(pods: "{matchVarying: all}"), Self.yaml(pods: "{matchLadder: cohort}"),
            Self.yaml(pods: "{ignore: [\"?who\"]}"), Self.yaml(pods: "{keep: [\"?who\"]}"),
        ].map { try Self.plan($0).digest }
        #expect(Set(digests).count == digests.count)
    }

    @Test(arguments: [
        ("[{name: viewer, values: [a]}]", "{}", "has a meaning of its own"),
        ("[{name: persona, values: [a]}]", "{}", "has a meaning of its own"),
        ("[{name: 1st, values: [a]}]", "{}", "cannot name a trait"),
        (
            "[{name: region}]", "{}",
            "audience.traits[0]: needs exactly one of values, value, range, digits, file; has none"
        ),
        ("[{name: r, digits: 3, range: 1..2}]", "{}", "has range and digits"),
        ("[{values: [a]}]", "{}", "audience.traits[0].name: is missing"),
        ("[{name: r, range: 3..1}]", "{}", "\"3..1\" is not in order, or too large"),
        ("[{name: r, range: 1-3}]", "{}", "\"1-3\" is no range; allowed: whole numbers such as 18..80"),
        ("[{name: r, range: 198.51.100.0/33}]", "{}", "is no range"),
        ("[{name: r, digits: 0}]", "{}", "is not in range"),
        ("[{name: r, value: '{viewr}'}]", "{}", "has a placeholder {viewr} that has no value here"),
        ("[{name: r, value: '{viewr}'}]", "{}", "did you mean {viewer}?"),
        ("[{name: r, value: '{s}'}, {name: s, values: [a]}]", "{}", "has a placeholder {s} that has no value here"),
        ("[{name: s, by: r, values: {a: b}}, {name: r, values: [a]}]", "{}", "\"r\" is no trait that stands before"),
        ("[{name: r, values: [a, b]}, {name: s, by: r, values: {a: x}}]", "{}", "says nothing for b"),
        ("[{name: r, values: [a]}, {name: s, by: r, values: {a: x, c: y}}]", "{}", "r is never \"c\"; allowed: a"),
        ("[{name: s, by: persona, value: x}]", "{}", "has no effect without values"),
        ("[{file: nowhere.csv}]", "{}", "no readable file at \"nowhere.csv\""),
        ("[{name: viewer, values: [a]}]", "{}", "\"viewer\" has a meaning of its own"),
        ("[{name: r, digits: 4}]", "{match: cohort, cohort: [r]}", "\"r\" is no trait; allowed: persona"),
        ("[{name: region, values: []}]", "{}", "has 0 values"),
        ("[{name: region, values: {a: 50%, b: 60%}}]", "{}", "the shares add up to 110%"),
        ("[{name: region, values: [\"a b\"]}]", "{match: cohort, cohort: [region]}", "\"region\" is no trait"),
        ("[{name: r, values: [a]}, {name: r, values: [b]}]", "{}", "the trait \"r\" stands twice"),
        ("[{name: region, values: [a, b, a]}]", "{}", "values[2]: the value \"a\" stands twice"),
        ("[]", "{match: cohort, cohort: [region]}", "\"region\" is no trait; allowed: persona"),
        (
            "[{name: region, values: [a]}, {name: tier, values: [b]}]", "{match: cohort, cohort: [regoin]}",
            "pods.cohort[0]: \"regoin\" is no trait; allowed: region, tier, persona; did you mean region?"
        ),
        (
            "[]", "{cohort: [persona]}",
            "has no effect without audience.traits, or match, matchStitched, matchLadder or matchVarying: cohort"
        ),
        ("[]", "{match: cohort, cohort: []}", "has no trait in it"),
        ("[]", "{match: everybody}", "is not known"),
        ("[]", "{ignore: [session]}", "has no * in it"),
        ("[]", "{ignore: [\"?\"]}", "does not name a parameter"), ("[]", "{keep: [/a/*]}", "does not name a parameter"),
        ("[]", "{ignore: [\"?a\"], keep: [\"?A\"]}", "has a parameter that ignore leaves out"),
        ("[]", "{slate: [\"a?b\"]}", "is no path"), ("[]", "{slate: [\"id:\"]}", "names no id"),
        ("[]", "{consistency: same}", "unknown field"),
    ])
    func mistakesAreToldOnce(traits: String, pods: String, message: String) {
        let problems = Samples.problems(Self.yaml(traits: traits, pods: pods))
        #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    }

    /// Of what depends on traits nothing is said where the traits could not be read.
    @Test(arguments: [
        "traits: [{name: region, values: [a]}, {nam: tier, values: [b]}]",
        "traits: [{name: region, values: [a]}, {name: 1tier, values: [b]}]", "traits: region",
        "triats: [{name: region, values: [a]}, {name: tier, values: [b]}]",
    ])
    func aLabelThatCannotBeReadHasNoEchoes(_ traits: String) {
        func yaml(_ target: String) -> String {
            """
            duration: 60s
            target: \(target)
            audience:
              viewers: 10
              \(traits)
            breaks: {source: {every: 20s}}
            pods: {match: cohort, cohort: [region, tier]}

            """
        }
        let embedded = "{embedded: {aimBy: who, adTagParameters: {who: '{region}-{tier}'}, custParams: 't={tier}'}}"
        let templates = "{urlTemplates: {content: 'http://127.0.0.1/{tier}/a', pod: 'http://127.0.0.1/{tier}'}}"
        for target in [embedded, templates] {
            let problems = Samples.problems(yaml(target))
            let said = problems.allSatisfy { $0.contains("audience.tr") }
            #expect(said && !problems.isEmpty && problems.count <= 2, "\(problems)")
        }
    }

    @Test func aParameterThatCannotBeReadIsNotMissing() {
        let traits = "[{name: region, values: [a]}]"
        let target = "{embedded: {aimBy: who, adTagParameters: {who: '{regoin}'}}}"
        let problems = Samples.problems(Self.yaml(traits: traits, target: target))
        let fix = "allowed: text, with {viewer}, {primary_id}, {region} in it or not; did you mean {region}?"
        let said = problems.allSatisfy { $0.hasSuffix(fix) }
        #expect(problems.count == 1 && said, "\(problems)")
    }

    @Test func whatViewersSendMayNameALabelAndNothingElse() throws {
        let traits = "[{name: region, values: [a, b]}]"
        func target(_ text: String) -> String { "{embedded: {custParams: \"\(text)\"}}" }
        #expect(Samples.problems(Self.yaml(traits: traits, target: target("r={region}"))).isEmpty)
        let unknown = Samples.problems(Self.yaml(traits: traits, target: target("r={state}")))
        #expect(unknown.contains { $0.contains("has a placeholder {state} that has no value here") }, "\(unknown)")
        #expect(Samples.problems(Self.yaml(target: target("r={state}"))).count == 1)
        // Braces around anything but a name are what they are.
        #expect(Samples.problems(Self.yaml(traits: traits, target: target("{'r': '{region}'}, {1}, { a }"))).isEmpty)
    }

    @Test(arguments: [
        ("'http://127.0.0.1/{region}/a.m3u8?v={viewer}'", nil), ("'http://127.0.0.1/{regoin}.m3u8'", "{regoin}"),
        ("'http://{region}.example/a.m3u8'", "has a placeholder in its host"), ("'http://127.0.0.1/{'", "has a brace"),
    ])
    func theChannelMayBeTheViewersOwn(url: String, mistake: String?) {
        let target =
            "{podServing: {contentURL: \(url), adServer: 'http://127.0.0.1', networkCode: '1', customAssetKey: a}}"
        let problems = Samples.problems(Self.yaml(traits: "[{name: region, values: [a, b]}]", target: target))
        #expect(problems.count == (mistake == nil ? 0 : 1) && problems.allSatisfy { $0.contains(mistake ?? "") })
    }

    @Test func headersMayNameTraitsAndHideWhatTheyHold() throws {
        func yaml(_ value: String) -> String {
            Self.yaml(traits: "[{name: region, values: [a, b]}]") + "connection: {headers: {X-Region: '\(value)'}}\n"
        }
        #expect(try Self.plan(yaml("{region}-{viewer}")).connection.headers == ["X-Region": "{region}-{viewer}"])
        let problems = Samples.problems(yaml("{secret}"))
        #expect(problems.count == 1 && problems[0].contains("the value has a placeholder that has no value here"))
        #expect(!problems[0].contains("{secret}"))
    }

    @Test func kindsOfTraitsAreRead() throws {
        let traits = """
            [{name: age, range: 18..80}, {name: address, range: 198.51.100.0/24}, {name: ppid, digits: 32}, \
            {name: tier, values: {free: 50%, paid: 50%}}, {name: price, by: tier, values: {free: '0', paid: '{age}'}}, \
            {name: text, value: 'a {tier} of {age}'}]
            """
        let plan = try Self.plan(Self.yaml(traits: traits.replacing("\\\n", with: ""), pods: "{match: cohort}"))
        #expect(plan.audience.traits.map(\.name) == ["age", "address", "ppid", "tier", "price", "text"])
        #expect(plan.audience.traits.map(\.isShared) == [true, false, false, true, false, false])
        #expect(plan.audience.traits[0].source == .numbers(18...80))
        #expect(plan.audience.traits[4].source == .by("tier", ["free": "0", "paid": "{age}"]))
        // What is each viewer's own makes no cohort.
        #expect(plan.pods.cohort == ["tier"])
    }
}
