import TestSupport
import Testing

@testable import Profile

@Suite struct CurveReadingTests {
    private static func plan(_ curve: String) throws -> LoadPlan {
        let traits = "[{name: region, values: [north, south]}]"
        return try Samples.plan(Samples.profile(audience: "{viewers: 100, curve: \(curve), traits: \(traits)}"))
    }

    private static func curve(_ text: String) throws -> CurvePlan { try #require(try plan(text).audience.curve) }

    @Test(arguments: CurveShape.allCases) func aShapeIsItsNameOrAMapping(_ shape: CurveShape) throws {
        let curve = try Self.curve(shape.rawValue)
        #expect(curve == CurvePlan(shape: shape, points: shape.points(over: .seconds(60))))
        #expect(try Self.curve("{shape: \(shape.rawValue)}") == curve)
        #expect(try Self.plan(shape.rawValue).audience.points == curve.points)
    }

    @Test(arguments: try CaseFile.all(in: "Tests/LoadProfileTests/Curves"))
    func hasTheseShares(_ file: CaseFile) throws {
        let points = try Samples.plan(file.text).audience.points
        let lines = points.map { point in
            "\(Int((point.at / .milliseconds(1)).rounded())) ms: \((point.share * 1_000_000).rounded() / 10_000)%"
        }
        try file.expect(lines)
    }

    @Test func regionsAreTheValuesOfALabel() throws {
        let curve = try Self.curve("{shape: kick-off, by: region, offsets: {south: 20s}}")
        #expect(curve.regions == .init(trait: "region", offsets: ["south": .seconds(20)]))
    }

    @Test(arguments: [
        ("{}", BreakLeaves(share: 0.05, within: .seconds(10), returns: 1, returnsWithin: .seconds(120), instants: nil)),
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

    @Test func aCurveStandsInForTheRamp() throws {
        let minimal = try Samples.plan().audience
        #expect(minimal.curve == nil && minimal.ramp == .seconds(10))
        #expect(try Self.plan("plateau").audience.ramp == .zero)
        #expect(try Self.curve("{points: [{at: 0s, share: 100%}]}").shape == nil)
    }

    @Test func anOverrideSetsAParameter() throws {
        let plan = try Samples.plan(set: "audience.curve={shape: kick-off, rise: 5s}")
        #expect(plan.audience.curve?.points.last?.at == .seconds(20))
    }
}
