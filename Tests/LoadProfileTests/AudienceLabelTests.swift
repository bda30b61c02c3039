import LoadProfile
import Testing

/// What tells viewers apart, and whose pods must match.
@Suite struct AudienceLabelTests {
    private static func yaml(labels: String = "[]", pods: String = "{}", target: String = "embedded") -> String {
        """
        duration: 60s
        target: \(target)
        audience:
          viewers: 10
          labels: \(labels)
        breaks: {source: {every: 20s}}
        pods: \(pods)

        """
    }

    private static func plan(_ yaml: String) throws -> LoadPlan {
        try Samples.reader.read(yaml: yaml, path: "Profiles/labels.yaml")
    }

    @Test func valuesHaveEqualPartsOrShares() throws {
        let labels = "[{name: region, values: {north: 75%, south: 25%}}, {name: tier, values: [free, paid]}]"
        let plan = try Self.plan(Self.yaml(labels: labels))
        #expect(
            plan.audience.labels == [
                AudienceLabel("region", values: [.init("north", share: 0.75), .init("south", share: 0.25)]),
                AudienceLabel("tier", values: [.init("free", share: 0.5), .init("paid", share: 0.5)]),
            ]
        )
        #expect(plan.pods.cohort == ["region", "tier"])
    }

    @Test func aCohortIsOfTheLabelsThatTheProfileSays() throws {
        let labels = "[{name: region, values: [a, b]}, {name: tier, values: [c, d]}]"
        let pods = "{match: cohort, cohort: [tier, persona], matchStitched: all, matchVarying: cohort}"
        let plan = try Self.plan(Self.yaml(labels: labels, pods: pods))
        #expect(plan.pods.match == .cohort && plan.pods.cohort == ["tier", "persona"])
        #expect(plan.pods.matchStitched == .all && plan.pods.matchVarying == .cohort)
        #expect(try Self.plan(Self.yaml(pods: "{match: cohort}")).pods.cohort == ["persona"])
    }

    @Test func plansThatDifferInThemHaveOtherDigests() throws {
        let labels = "[{name: region, values: [a, b]}]"
        let digests = try [
            Self.yaml(), Self.yaml(labels: labels), Self.yaml(labels: "[{name: region, values: [a, c]}]"),
            Self.yaml(labels: labels, pods: "{match: cohort}"), Self.yaml(pods: "{match: cohort}"),
            Self.yaml(pods: "{match: session}"), Self.yaml(pods: "{matchStitched: all}"),
            Self.yaml(pods: "{matchVarying: all}"), Self.yaml(pods: "{matchLadder: cohort}"),
            Self.yaml(pods: "{ignore: [\"?who\"]}"), Self.yaml(pods: "{keep: [\"?who\"]}"),
        ].map { try Self.plan($0).digest }
        #expect(Set(digests).count == digests.count)
    }

    @Test(arguments: [
        ("[{name: viewer, values: [a]}]", "{}", "has a meaning of its own"),
        ("[{name: persona, values: [a]}]", "{}", "has a meaning of its own"),
        ("[{name: 1st, values: [a]}]", "{}", "cannot name a label"),
        ("[{name: region}]", "{}", "is missing"),
        ("[{name: region, values: []}]", "{}", "has 0 values"),
        ("[{name: region, values: {a: 50%, b: 60%}}]", "{}", "the shares add up to 110%"),
        ("[{name: region, values: [\"a b\"]}]", "{}", "cannot be a label's value"),
        ("[{name: r, values: [a]}, {name: r, values: [b]}]", "{}", "the label \"r\" stands twice"),
        ("[{name: region, values: [a, b, a]}]", "{}", "values[2]: the value \"a\" stands twice"),
        ("[]", "{match: cohort, cohort: [region]}", "\"region\" is no label; allowed: persona"),
        (
            "[{name: region, values: [a]}, {name: tier, values: [b]}]", "{match: cohort, cohort: [regoin]}",
            "pods.cohort[0]: \"regoin\" is no label; allowed: region, tier, persona; did you mean region?"
        ),
        (
            "[]", "{cohort: [persona]}",
            "has no effect without audience.labels, or match, matchStitched, matchLadder or matchVarying: cohort"
        ),
        ("[]", "{match: cohort, cohort: []}", "has no label in it"),
        ("[]", "{match: everybody}", "is not known"),
        ("[]", "{ignore: [session]}", "has no * in it"),
        ("[]", "{ignore: [\"?\"]}", "does not name a parameter"), ("[]", "{keep: [/a/*]}", "does not name a parameter"),
        ("[]", "{ignore: [\"?a\"], keep: [\"?A\"]}", "has a parameter that ignore leaves out"),
        ("[]", "{slate: [\"a?b\"]}", "is no path"), ("[]", "{slate: [\"id:\"]}", "names no id"),
        ("[]", "{consistency: same}", "unknown field"),
    ])
    func mistakesAreToldOnce(labels: String, pods: String, message: String) {
        let problems = Samples.problems(Self.yaml(labels: labels, pods: pods))
        #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    }

    /// Of what depends on labels nothing is said where the labels could not be read.
    @Test(arguments: [
        "labels: [{name: region, values: [a]}, {nam: tier, values: [b]}]",
        "labels: [{name: region, values: [a]}, {name: 1tier, values: [b]}]", "labels: region",
        "lables: [{name: region, values: [a]}, {name: tier, values: [b]}]",
    ])
    func aLabelThatCannotBeReadHasNoEchoes(_ labels: String) {
        func yaml(_ target: String) -> String {
            """
            duration: 60s
            target: \(target)
            audience:
              viewers: 10
              \(labels)
            breaks: {source: {every: 20s}}
            pods: {match: cohort, cohort: [region, tier]}

            """
        }
        let embedded = "{embedded: {aimBy: who, adTagParameters: {who: '{region}-{tier}'}, custParams: 't={tier}'}}"
        let templates = "{urlTemplates: {content: 'http://127.0.0.1/{tier}/a', pod: 'http://127.0.0.1/{tier}'}}"
        for target in [embedded, templates] {
            let problems = Samples.problems(yaml(target))
            let said = problems.allSatisfy { $0.contains("audience.la") }
            #expect(said && !problems.isEmpty && problems.count <= 2, "\(problems)")
        }
    }

    @Test func aParameterThatCannotBeReadIsNotMissing() {
        let labels = "[{name: region, values: [a]}]"
        let target = "{embedded: {aimBy: who, adTagParameters: {who: '{regoin}'}}}"
        let problems = Samples.problems(Self.yaml(labels: labels, target: target))
        let said = problems.allSatisfy { $0.hasSuffix("allowed: text, with {region} in it or not") }
        #expect(problems.count == 1 && said, "\(problems)")
    }

    @Test func whatViewersSendMayNameALabelAndNothingElse() throws {
        let labels = "[{name: region, values: [a, b]}]"
        func target(_ text: String) -> String { "{embedded: {custParams: \"\(text)\"}}" }
        #expect(Samples.problems(Self.yaml(labels: labels, target: target("r={region}"))).isEmpty)
        let unknown = Samples.problems(Self.yaml(labels: labels, target: target("r={state}")))
        #expect(unknown.contains { $0.contains("has a placeholder {state} that has no value here") }, "\(unknown)")
        // Without labels braces are what they are.
        #expect(Samples.problems(Self.yaml(target: target("r={state}"))).isEmpty)
    }
}
