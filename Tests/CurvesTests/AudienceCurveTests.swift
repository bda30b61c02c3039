import Profile
import Testing
import Values

struct AudienceCurveTests {
    private static let second: Int64 = 1_000_000_000

    private static func points(_ pairs: [(seconds: Double, share: Double)]) -> [CurvePoint] {
        pairs.map { CurvePoint(at: .milliseconds(Int64($0.seconds * 1_000)), share: $0.share) }
    }

    /// Up and down by chance, with jumps, to the whole audience once.
    private static func wild(seed: UInt64) -> [CurvePoint] {
        var chance = SplitMix64(seed: seed)
        var at = 0.0
        return (0..<12).map { number in
            at += chance.unit() < 0.2 ? 0 : (chance.unit() * 40).rounded()
            return CurvePoint(at: .milliseconds(Int64(at * 1_000)), share: number == 5 ? 1 : chance.unit())
        }
    }

    private static func watching(_ stays: [AudienceCurve.Stay], at instant: Int64) -> Int {
        stays.count { $0.from <= instant && instant < $0.until }
    }

    /// At the moments at which somebody comes or goes, and between them.
    private static func expect(_ curve: AudienceCurve, isKeptBy stays: [AudienceCurve.Stay], _ words: String) {
        let moments = Set(stays.flatMap { [$0.from, $0.until] }.filter { $0 < .max }).sorted()
        let between = zip(moments, moments.dropFirst()).map { ($0 + $1) / 2 }
        for instant in moments + between + [0, (moments.last ?? 0) + second] {
            let (seen, level) = (watching(stays, at: instant), curve.level(at: instant))
            #expect(abs(Double(seen) - level) <= 1 + 1e-6, "\(words), at \(instant): \(seen), and not \(level)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyInstantHasAsManyViewersAsTheCurveSays(seed: UInt64) {
        for viewers in [1, 2, 7, 100, 333] {
            let curve = AudienceCurve(viewers: viewers, points: Self.wild(seed: seed))
            let stays = curve.stays(seed: seed)
            Self.expect(curve, isKeptBy: stays, "\(viewers) viewers, seed \(seed)")
            #expect(stays.allSatisfy { $0.from <= $0.until })
            #expect(zip(stays, stays.dropFirst()).allSatisfy { $0.from <= $1.from })
        }
    }

    @Test(arguments: CurveShape.allCases) func aShapeIsKeptToAViewer(_ shape: CurveShape) {
        for run in [Duration.seconds(10), .seconds(3_600)] {
            let curve = AudienceCurve(viewers: 250, points: shape.points(over: run))
            Self.expect(curve, isKeptBy: curve.stays(seed: 1), "\(shape) over \(run)")
        }
    }

    @Test func aRampIsJoinedEvenly() {
        let ramp: Int64 = 7_000_000_001
        let curve = AudienceCurve(
            viewers: 97,
            points: [CurvePoint(at: .zero, share: 0), CurvePoint(at: .nanoseconds(ramp), share: 1)]
        )
        let expected = (0..<97).map { AudienceCurve.Stay(from: Int64(Double(ramp) * Double($0) / 97)) }
        #expect(curve.stays(seed: 3) == expected)
    }

    @Test func atOnceIsAtOneInstant() {
        let curve = AudienceCurve(viewers: 5, points: [CurvePoint(at: .seconds(2), share: 1)])
        #expect(curve.stays(seed: 1) == [AudienceCurve.Stay](repeating: .init(from: 2 * Self.second), count: 5))
        #expect(curve.level(at: 2 * Self.second - 1) == 0 && curve.level(at: 2 * Self.second) == 5)
    }

    @Test func sharesMeanWholeViewers() {
        for share in [0.1, 0.3, 0.7, 0.29, 0.57] {
            let curve = AudienceCurve(viewers: 100, points: [CurvePoint(at: .zero, share: share)])
            #expect(curve.stays(seed: 1).count == Int((share * 100).rounded()))
        }
    }

    @Test func whoeverComesBackIsANewOne() {
        let curve = AudienceCurve(viewers: 10, points: Self.points([(0, 1), (10, 1), (20, 0.4), (30, 1)]))
        let stays = curve.stays(seed: 1)
        #expect(stays.count == 16)
        #expect(stays.count { $0.until < .max } == 6)
        #expect(stays.suffix(6).allSatisfy { $0.from >= 20 * Self.second && $0.until == .max })
    }

    @Test func theSeedChoosesWhoLeavesAndNothingElse() {
        let curve = AudienceCurve(viewers: 200, points: Self.points([(0, 0), (10, 1), (20, 1), (30, 0.5)]))
        let (one, other) = (curve.stays(seed: 1), curve.stays(seed: 2))
        #expect(one == curve.stays(seed: 1))
        #expect(one != other)
        #expect(one.map(\.from) == other.map(\.from))
        #expect(one.map(\.until).sorted() == other.map(\.until).sorted())
        // Neither the first nor the last alone.
        let leavers = one.indices.filter { one[$0].until < .max }
        #expect((60..<140).contains(leavers.reduce(0, +) / leavers.count))
    }
}
