import Testing

@testable import LoadProfile

/// What a profile says of viewers that tell the ad server something else in mid-session.
@Suite struct SessionUpdateReadingTests {
    private struct Unexpected: Error {}

    private static func yaml(_ target: String, pods: String = "{}") -> String {
        """
        duration: 60s
        target: \(target)
        audience: {viewers: 10, traits: [{name: region, values: [a, b]}]}
        breaks: {source: {every: 20s}}
        pods: \(pods)

        """
    }

    private static func embedded(_ updates: String, _ more: String = "") -> String {
        "{embedded: {adTagParameters: {npa: '0'}, \(more)sessionUpdates: \(updates)}}"
    }

    private static func podServing(_ updates: String) -> String {
        "{podServing: {contentURL: 'http://127.0.0.1/a', adServer: 'http://127.0.0.1', networkCode: 1, "
            + "customAssetKey: a, sessionUpdates: \(updates)}}"
    }

    private static let usual = "{share: 10%, every: 9s, adTagParameters: {npa: '1'}}"

    @Test func whatIsLeftOutIsAsRegistrationsAre() throws {
        let plan = try Samples.reader.read(yaml: Self.yaml(Self.embedded(Self.usual)), path: "a.yaml")
        guard case .embedded(let origin) = plan.target else { throw Unexpected() }
        let usual = SessionUpdatePlan(share: 0.1, every: .seconds(9), adTagParameters: ["npa": "1"])
        #expect(origin.session.updates == usual)
        #expect(usual.body == .form && usual.extent == .all)
        let plain = try Samples.reader.read(yaml: Samples.minimal, path: "a.yaml")
        guard case .embedded(let origin) = plain.target else { throw Unexpected() }
        #expect(origin.session.updates == nil)
    }

    @Test func eachAssumptionHasItsSetting() throws {
        let updates = "{share: 10%, every: 9s, adTagParameters: {who: '{region}'}, body: json, sends: changed}"
        let plan = try Samples.reader.read(yaml: Self.yaml(Self.podServing(updates)), path: "a.yaml")
        guard case .podServing(let target) = plan.target else { throw Unexpected() }
        #expect(target.session.updates?.body == .json && target.session.updates?.extent == .changed)
        #expect(target.session.updates?.adTagParameters == ["who": "{region}"])
    }

    private static let noCohort =
        "may be given other pods than its cohort, and than before; allowed: no cohort in pods.match and its like and no "
        + "pods.repeatShare, or no parameter that aims pods"

    static let mistakes: [(target: String, pods: String, said: String)] = [
        (
            embedded("{share: 10%, every: 9s}"), "{}",
            "sessionUpdates.adTagParameters: has no parameter in it, so that an update would change nothing; "
                + "allowed: names of parameters with their new values"
        ),
        (
            embedded("{every: 9s, adTagParameters: {npa: '1'}}"), "{}",
            "sessionUpdates.share: is missing and has no default"
        ),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {npa: '0'}}"), "{}",
            "sessionUpdates.adTagParameters: says what viewers register with anyway; allowed: other values than those of "
                + "target.embedded.adTagParameters"
        ),
        (
            embedded("{share: 10%, adTagParameters: {npa: '1'}}"), "{}",
            "sessionUpdates.every: 1m (the default) is not shorter than the run of 1m"
        ),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {cust_params: a=b}}", "custParams: c=d, "), "{}",
            "sessionUpdates.adTagParameters: has cust_params, which each pod request tells again as "
                + "target.embedded.custParams says; allowed: one of the two"
        ),
        (
            embedded(usual, "shape: url-templates, "), "{}",
            "target.embedded.sessionUpdates: has no effect in this shape; allowed: pod-serving"
        ),
        (
            embedded(usual, "aimBy: npa, "), "{match: cohort, cohort: [region]}",
            noCohort
        ),
        (podServing(usual), "{match: cohort}", noCohort),
        (podServing(usual), "{repeatShare: 1%}", noCohort),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {auth-token: a}}"), "{}",
            "podswarm makes this parameter itself; give its key as authTokenKey"
        ),
        (embedded("{share: 10%, every: 9s, adTagParameters: {npa: '1'}, method: PUT}"), "{}", "sessionUpdates.method"),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {who: '{regoin}'}}"), "{}",
            "target.embedded.sessionUpdates.adTagParameters.who: \"{regoin}\" has a placeholder {regoin} that has no value "
                + "here; allowed: text, with {viewer}, {primary_id}, {region} in it or not; did you mean {region}?"
        ),
        (
            podServing("{share: 10%, every: 9s, adTagParameters: {who: '{regoin}'}}"), "{}",
            "target.podServing.sessionUpdates.adTagParameters.who: \"{regoin}\" has a placeholder {regoin} that has no value "
                + "here; allowed: text, with {viewer}, {primary_id}, {region} in it or not; did you mean {region}?"
        ),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {'n pa': '1'}}"), "{}",
            "sessionUpdates.adTagParameters.n pa: \"n pa\" cannot name a parameter"
        ),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {npa: '1'}, body: jsn}"), "{}",
            "sessionUpdates.body: \"jsn\" is not known; allowed: form, json; did you mean json?"
        ),
        (
            embedded("{share: 10%, every: 9s, adTagParameters: {npa: '1'}, sends: change}"), "{}",
            "sessionUpdates.sends: \"change\" is not known; allowed: all, changed; did you mean changed?"
        ),
        (
            embedded("{share: 110%, every: 9s, adTagParameters: {npa: '1'}}"), "{}",
            "sessionUpdates.share: \"110%\" is not in range"
        ),
        (
            embedded("{share: 10%, every: 500ms, adTagParameters: {npa: '1'}}"), "{}",
            "sessionUpdates.every: \"500ms\" is not in range"
        ),
    ]

    @Test(arguments: [("region=a", []), ("region={region}", ["allowed: one of the two, or the same text"])])
    func registrationsAndPodRequestsDoNotContradictEachOther(text: String, said: [String]) {
        let target = "{embedded: {custParams: 'region=a', adTagParameters: {cust_params: '\(text)'}}}"
        let problems = Samples.problems(Self.yaml(target))
        #expect(problems.count == said.count, "\(problems)")
        #expect(zip(problems, said).allSatisfy { $0.contains("target.embedded.custParams: says") && $0.contains($1) })
    }

    @Test(arguments: mistakes)
    func whatHasNoEffectIsAMistakeWithAFix(target: String, pods: String, said: String) {
        let problems = Samples.problems(Self.yaml(target, pods: pods))
        #expect(problems.count == 1 && problems.allSatisfy { $0.contains(said) }, "\(problems)")
    }

    @Test func whatAimsNoPodChangesNobodysCohort() {
        let target = Self.embedded(Self.usual, "aimBy: who, ")
            .replacing("{npa: '0'}", with: "{npa: '0', who: '{region}'}")
        let pods = "{match: cohort, cohort: [region], repeatShare: 1%}"
        #expect(Samples.problems(Self.yaml(target, pods: pods)).isEmpty)
        let aimed = Self.embedded(Self.usual, "aimBy: npa, ")
        #expect(Samples.problems(Self.yaml(aimed, pods: "{match: session}")).isEmpty)
    }
}
