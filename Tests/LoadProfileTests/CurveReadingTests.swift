import Curves
import LoadProfile
import Testing

/// A profile's curve of viewers over time.
@Suite struct CurveReadingTests {
    private static func plan(_ curve: String) throws -> LoadPlan {
        let traits = "[{name: region, values: [north, south]}]"
        return try Samples.plan(Samples.profile(audience: "{viewers: 100, curve: \(curve), traits: \(traits)}"))
    }

    private static func curve(_ text: String) throws -> CurvePlan {
        try #require(try plan(text).audience.curve)
    }

    @Test(arguments: CurveShape.allCases) func aShapeIsItsNameOrAMapping(_ shape: CurveShape) throws {
        let curve = try Self.curve(shape.rawValue)
        #expect(curve == CurvePlan(shape: shape, points: shape.points(over: .seconds(60))))
        #expect(try Self.curve("{shape: \(shape.rawValue)}") == curve)
        #expect(try Self.plan(shape.rawValue).audience.points == curve.points)
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
        #expect(curve.points.map(\.at) == [.zero, .seconds(10), .seconds(10)])
        #expect(curve.points.map(\.share) == [0, 1, 0.5])
    }

    @Test func regionsAreTheValuesOfALabel() throws {
        let curve = try Self.curve("{shape: kick-off, by: region, offsets: {south: 20s}}")
        #expect(curve.regions == .init(trait: "region", offsets: ["south": .seconds(20)]))
    }

    @Test(arguments: [
        (
            "{}",
            BreakLeaves(share: 0.05, within: .seconds(10), returns: 1, returnsWithin: .seconds(120), instants: nil)
        ),
        (
            "{share: 20%, within: 5s, returns: 70%, returnsWithin: 30s, at: [20s, 40s]}",
            BreakLeaves(
                share: 0.2,
                within: .seconds(5),
                returns: 0.7,
                returnsWithin: .seconds(30),
                instants: [.seconds(20), .seconds(40)]
            )
        ),
        ("{share: 0%}", nil),
    ])
    func breaksAreLeftAsTelevisionsAre(leaves: String, expected: BreakLeaves?) throws {
        #expect(try Self.curve("{shape: plateau, leaves: \(leaves)}").breakLeaves == expected)
    }

    @Test func withoutOneTheRampIsTheCurve() throws {
        let audience = try Samples.plan().audience
        #expect(audience.curve == nil && audience.ramp == .seconds(10))
        #expect(audience.points == [CurvePoint(at: .zero, share: 0), CurvePoint(at: .seconds(10), share: 1)])
        #expect(try Self.plan("plateau").audience.ramp == .zero)
    }

    @Test func anOverrideSetsAParameter() throws {
        let plan = try Samples.plan(set: "audience.curve={shape: kick-off, rise: 5s}")
        #expect(plan.audience.curve?.points.last?.at == .seconds(20))
    }
}
