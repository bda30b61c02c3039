import Profile
import Testing
import Values

/// Shapes with a name; the files of LoadProfileTests/Curves have the points of each.
struct CurveShapeTests {
    private static func points(
        _ shape: CurveShape,
        over run: Duration,
        _ change: (inout CurveParameters) -> Void
    ) -> [[Double]] {
        var given = CurveParameters()
        change(&given)
        return shape.points(given, over: run).map { [Double($0.at.millisecondsHeld) / 1_000, $0.share] }
    }

    @Test(arguments: CurveShape.allCases) func everyShapeFitsEveryRun(_ shape: CurveShape) {
        for seconds in [1, 2, 7, 60, 90, 600, 3_600, 7_200, 86_400, 2_592_000] {
            let run = Duration.seconds(seconds)
            let points = shape.points(over: run)
            let inOrder = zip(points, points.dropFirst()).allSatisfy { $0.at <= $1.at }
            #expect(inOrder, "\(shape) over \(seconds) s: \(points)")
            #expect(points.allSatisfy { $0.at >= .zero && $0.at <= run && (0...1).contains($0.share) })
            #expect(points.map(\.share).max() == 1)
        }
    }

    /// A parameter that a shape is said to have changes it, and no other does.
    @Test(arguments: CurveShape.allCases) func aShapeHasTheParametersThatChangeIt(_ shape: CurveShape) {
        let changes: [(String, (inout CurveParameters) -> Void)] = [
            ("before", { $0.before = 0.33 }), ("join", { $0.join = .seconds(3) }), ("at", { $0.at = .seconds(100) }),
            ("rise", { $0.rise = .seconds(4) }), ("hold", { $0.hold = .seconds(50) }), ("left", { $0.left = 0.44 }),
            ("fall", { $0.fall = .seconds(6) }), ("step", { $0.step = 0.125 }), ("every", { $0.every = .seconds(40) }),
        ]
        for (name, change) in changes {
            let points = Self.points(shape, over: .seconds(600)) { given in
                // Without a fall, a plateau has nothing left.
                if shape == .plateau { given.fall = .seconds(30) }
                change(&given)
            }
            let usual = Self.points(shape, over: .seconds(600)) { if shape == .plateau { $0.fall = .seconds(30) } }
            #expect((points != usual) == shape.parameters.contains(name), "\(shape), \(name)")
        }
    }
}
