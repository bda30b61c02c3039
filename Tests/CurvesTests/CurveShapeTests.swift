import Curves
import Testing
import Time

/// Shapes with a name.
struct CurveShapeTests {
    private static let day = Duration.seconds(86_400)

    private static func points(
        _ shape: CurveShape,
        over run: Duration,
        _ change: (inout CurveParameters) -> Void = { _ in }
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

    /// Over a day there is room for what is published.
    @Test func longRunsAreAsPublished() {
        #expect(Self.points(.plateau, over: Self.day) == [[0, 0], [1_500, 1]])
        #expect(Self.points(.kickOff, over: Self.day) == [[0, 0], [750, 0.5], [750, 0.5], [810, 1]])
        #expect(
            Self.points(.steps, over: Self.day).map { $0[0] } == [0, 10, 300, 310, 600, 610, 900, 910, 1_200, 1_210]
        )
        #expect(
            Self.points(.halfTime, over: Self.day)
                == [[0, 0], [1_500, 1], [2_700, 1], [2_760, 0.6], [3_600, 0.6], [3_648, 1]]
        )
        #expect(
            Self.points(.breakingNews, over: Self.day)
                == [[0, 0], [150, 0.1], [21_600, 0.1], [21_708, 1], [23_508, 1], [86_400, 0.3]]
        )
        #expect(
            Self.points(.overtime, over: Self.day)
                == [[0, 0], [900, 0.6], [43_200, 0.6], [43_752, 1], [45_552, 1], [45_732, 0.04]]
        )
    }

    @Test func shortRunsHaveTheirPartOfIt() {
        #expect(Self.points(.plateau, over: .seconds(40)) == [[0, 0], [10, 1]])
        #expect(Self.points(.kickOff, over: .seconds(40)) == [[0, 0], [10, 0.5], [10, 0.5], [20, 1]])
        let steps = Self.points(.steps, over: .seconds(40)).map { $0[0] }
        #expect(steps == [0, 8, 8, 16, 16, 24, 24, 32, 32, 40])
        #expect(
            Self.points(.halfTime, over: .seconds(40))
                == [[0, 0], [5, 1], [16, 1], [18, 0.6], [24, 0.6], [26, 1]]
        )
        #expect(
            Self.points(.overtime, over: .seconds(16)) == [
                [0, 0], [2, 0.6], [8, 0.6], [10, 1], [14, 1], [15, 0.04],
            ]
        )
    }

    @Test func whatIsGivenIsTaken() {
        #expect(
            Self.points(.kickOff, over: .seconds(60)) {
                $0.before = 0.25
                $0.join = .seconds(5)
                $0.at = .seconds(20)
                $0.rise = .seconds(2)
            } == [[0, 0], [5, 0.25], [20, 0.25], [22, 1]]
        )
        #expect(
            Self.points(.plateau, over: .seconds(60)) {
                $0.fall = .seconds(10)
                $0.left = 0.2
            } == [[0, 0], [15, 1], [50, 1], [60, 0.2]]
        )
        #expect(
            Self.points(.steps, over: .seconds(60)) {
                $0.step = 0.5
                $0.every = .seconds(10)
                $0.join = .zero
            } == [[0, 0], [0, 0.5], [10, 0.5], [10, 1]]
        )
    }

    /// A parameter that a shape is said to have changes it, and no other does.
    @Test(arguments: CurveShape.allCases) func aShapeHasTheParametersThatChangeIt(_ shape: CurveShape) {
        for name in CurveParameters.Name.allCases {
            let points = Self.points(shape, over: .seconds(600)) { given in
                // Without a fall, a plateau has nothing left.
                if shape == .plateau { given.fall = .seconds(30) }
                switch name {
                case .before: given.before = 0.33
                case .join: given.join = .seconds(3)
                case .at: given.at = .seconds(100)
                case .rise: given.rise = .seconds(4)
                case .hold: given.hold = .seconds(50)
                case .fall: given.fall = .seconds(6)
                case .left: given.left = 0.44
                case .step: given.step = 0.125
                case .every: given.every = .seconds(40)
                }
            }
            let usual = Self.points(shape, over: .seconds(600)) { if shape == .plateau { $0.fall = .seconds(30) } }
            #expect((points != usual) == shape.parameters.contains(name), "\(shape), \(name)")
        }
    }
}
