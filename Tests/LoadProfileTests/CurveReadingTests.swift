import Curves
import LoadProfile
import ProfileSyntax
import Testing

/// What profiles say of how many watch over time.
@Suite struct CurveReadingTests {
    private static func yaml(_ curve: String, more: String = "", breaks: String = "{source: {every: 20s}}") -> String {
        """
        duration: 60s
        target: embedded
        audience:
          viewers: 100
          curve: \(curve)
          traits: [{name: region, values: [north, south]}, {name: tier, values: [free]}]
          \(more)
        breaks: \(breaks)

        """
    }

    private static func plan(_ yaml: String) throws -> LoadPlan {
        try Samples.reader.read(yaml: yaml, path: "Profiles/curve.yaml")
    }

    private static func curve(_ text: String) throws -> CurvePlan {
        try #require(try plan(yaml(text)).audience.curve)
    }

    @Test(arguments: CurveShape.allCases) func aShapeIsItsNameOrAMapping(_ shape: CurveShape) throws {
        let curve = try Self.curve(shape.rawValue)
        #expect(curve == CurvePlan(shape: shape, points: shape.points(over: .seconds(60))))
        #expect(try Self.curve("{shape: \(shape.rawValue)}") == curve)
        #expect(try Self.plan(Self.yaml(shape.rawValue)).audience.points == curve.points)
    }

    @Test func aShapeTakesParameters() throws {
        var given = CurveParameters()
        given.before = 0.3
        given.rise = .milliseconds(1_500)
        let curve = try Self.curve("{shape: kick-off, before: 30%, rise: 1500ms}")
        #expect(curve.points == CurveShape.kickOff.points(given, over: .seconds(60)))
    }

    @Test func pointsAreTakenAsTheyStand() throws {
        let curve = try Self.curve("{points: [{at: 0s, share: 0%}, {at: 10s, share: 1}, {at: 10s, share: 0.5}]}")
        #expect(curve.shape == nil)
        #expect(
            curve.points == [
                CurvePoint(at: .zero, share: 0), CurvePoint(at: .seconds(10), share: 1),
                CurvePoint(at: .seconds(10), share: 0.5),
            ]
        )
    }

    @Test func regionsAreTheValuesOfALabel() throws {
        let curve = try Self.curve("{shape: kick-off, by: region, offsets: {south: 20s}}")
        #expect(curve.regions == .init(trait: "region", offsets: ["south": .seconds(20)]))
    }

    @Test func breaksAreLeftAsTelevisionsAre() throws {
        let usual = BreakLeaves(
            share: 0.05,
            within: .seconds(10),
            returns: 1,
            returnsWithin: .seconds(120),
            instants: nil
        )
        #expect(try Self.curve("{shape: plateau, leaves: {}}").breakLeaves == usual)
        let text = "{share: 20%, within: 5s, returns: 70%, returnsWithin: 30s, at: [20s, 40s]}"
        #expect(
            try Self.curve("{shape: plateau, leaves: \(text)}").breakLeaves
                == BreakLeaves(
                    share: 0.2,
                    within: .seconds(5),
                    returns: 0.7,
                    returnsWithin: .seconds(30),
                    instants: [.seconds(20), .seconds(40)]
                )
        )
        #expect(try Self.curve("{shape: plateau, leaves: {share: 0%}}").breakLeaves == nil)
    }

    @Test func withoutOneTheRampIsTheCurve() throws {
        let plan = try Samples.reader.read(yaml: Samples.minimal, path: "Profiles/minimal.yaml")
        #expect(plan.audience.curve == nil && plan.audience.ramp == .seconds(10))
        #expect(
            plan.audience.points == [CurvePoint(at: .zero, share: 0), CurvePoint(at: .seconds(10), share: 1)]
        )
        #expect(try Self.plan(Self.yaml("plateau")).audience.ramp == .zero)
    }

    @Test func aDigestIsOfThePointsHoweverTheyAreSpelled() throws {
        let middle = "{at: 15s, share: 50%}"
        let spelled = "{points: [{at: 0s, share: 0%}, \(middle), \(middle), {at: 30s, share: 1}]}"
        #expect(try Self.plan(Self.yaml(spelled)).digest == Self.plan(Self.yaml("kick-off")).digest)
        let digests = try [
            "kick-off", "plateau", "{shape: kick-off, rise: 5s}",
            "{shape: kick-off, by: region, offsets: {south: 20s}}",
            "{shape: kick-off, by: region, offsets: {north: 20s}}", "{shape: kick-off, leaves: {}}",
            "{shape: kick-off, leaves: {share: 6%}}", "{shape: kick-off, leaves: {within: 6s}}",
            "{shape: kick-off, leaves: {returns: 6%}}", "{shape: kick-off, leaves: {returnsWithin: 6s}}",
            "{shape: kick-off, leaves: {at: [6s]}}",
        ].map { try Self.plan(Self.yaml($0)).digest }
        #expect(Set(digests).count == digests.count)
    }

    @Test(arguments: [
        (
            "kickoff", "",
            "\"kickoff\" is not known; allowed: plateau, steps, kick-off, half-time, breaking-news, overtime"
        ),
        ("kickoff", "", "did you mean kick-off?"),
        ("[kick-off]", "", "audience.curve: a list where a mapping is needed"),
        ("{leaves: {}}", "", "audience.curve: has neither a shape nor points"),
        ("{shape: steps, points: []}", "", "audience.curve: has a shape and points"),
        ("kick-off", "ramp: 5s", "audience.ramp: stands beside audience.curve, which says when viewers join"),
        (
            "{shape: kick-off, hold: 5s}", "",
            "audience.curve.hold: has no effect on the shape kick-off; allowed: before, join"
        ),
        ("{points: [{at: 0s, share: 1}], rise: 5s}", "", "audience.curve.rise: has no effect without a shape"),
        ("{shape: plateau, left: 5%}", "", "audience.curve.left: has no effect without fall"),
        ("{shape: steps, step: 0%}", "", "\"0%\" is not in range; allowed: a percentage from 0.1% to 100%"),
        ("{points: []}", "", "audience.curve.points: has no point in it"),
        ("{points: [{at: 0s}]}", "", "audience.curve.points[0].share: is missing"),
        ("{points: [10s]}", "", "audience.curve.points[0].share: is missing"),
        (
            "{points: [{at: 5s, share: 1}, {at: 2s, share: 0}]}", "",
            "what is to be at 2s comes after what is to be at 5s"
        ),
        ("{points: [{at: 0s, share: 1}, {at: 61s, share: 0}]}", "", "goes on until 1m1s, and the run ends at 1m"),
        (
            "{points: [{at: 0s, share: 90%}]}", "",
            "never reaches 100%, and audience.viewers is the most who watch at once"
        ),
        ("{shape: kick-off, at: 50s, rise: 20s}", "", "audience.curve: goes on until 1m10s"),
        (
            "{shape: kick-off, join: 20s, at: 10s}", "",
            "audience.curve: what is to be at 10s comes after what is to be at 20s"
        ),
        ("{shape: plateau, by: region}", "", "audience.curve.by: has no effect without offsets"),
        ("{shape: plateau, offsets: {north: 1s}}", "", "audience.curve.offsets: needs by"),
        (
            "{shape: plateau, by: regoin, offsets: {}}", "",
            "\"regoin\" is no trait; allowed: region, tier; did you mean region?"
        ),
        (
            "{shape: plateau, by: region, offsets: {east: 1s}}", "",
            "audience.curve.offsets.east: is no value of the trait region; allowed: north, south"
        ),
        ("{shape: plateau, leaves: {at: []}}", "", "audience.curve.leaves.at: has no break in it"),
        ("{shape: plateau, leaves: {at: [9s, 8s]}}", "", "the breaks are not in ascending order"),
        ("{shape: plateau, leaves: {at: [60s]}}", "", "the break at 1m is not before the end of the run at 1m"),
        ("{shape: plateau, leaves: {after: 60s}}", "", "audience.curve.leaves.after: unknown field"),
    ])
    func mistakesAreRefused(curve: String, more: String, message: String) {
        let problems = Samples.problems(Self.yaml(curve, more: more)).joined(separator: "\n")
        #expect(problems.contains(message), "\(problems)")
    }

    @Test func breaksThatNobodyKnowsBeforeMustBeSaid() {
        let unknown = "{source: dateRange}"
        let leaves = Self.yaml("{shape: plateau, leaves: {}}", breaks: unknown)
        #expect(
            Samples.problems(leaves) == [
                """
                Profiles/bad.yaml:5:35: audience.curve.leaves: the breaks of this profile are not known before the run: \
                say in at when they start; allowed: at, or breaks.source with every or list
                """
            ]
        )
        #expect(Samples.problems(Self.yaml("{shape: plateau, leaves: {at: [20s]}}", breaks: unknown)) == [])
        #expect(Samples.problems(Self.yaml("{shape: plateau, leaves: {}}", breaks: "{source: {list: [20s]}}")) == [])
    }

    @Test func moreWhoComeBackThanAMachineHoldsAreRefused() {
        let overrides = ["duration=720h", "audience.viewers=100000"]
        let problems = Samples.problems(Self.yaml("{shape: plateau, leaves: {}}"), overrides: overrides)
        #expect(problems.joined().contains("viewers would come back in all; allowed: at most 5000000"), "\(problems)")
    }

    @Test func anOverrideSetsAParameter() throws {
        let overrides = try [Override(parsing: "audience.curve={shape: kick-off, rise: 5s}")]
        let plan = try Samples.reader.read(yaml: Samples.minimal, path: "Profiles/a.yaml", overrides: overrides)
        #expect(plan.audience.curve?.points.last?.at == .seconds(20))
    }
}
