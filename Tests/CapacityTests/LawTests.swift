import Glibc
import Results
import Testing
import Values

@testable import Comparison

@Suite struct LawTests {
    typealias Point = ScalabilityLaw.Point

    private func points(
        _ sizes: [Double],
        lambda: Double = 40,
        sigma: Double = 0.02,
        kappa: Double = 0.000_1,
        noise: Double = 0,
        seed: UInt64 = 1
    ) -> [Point] {
        var chance = SplitMix64(seed: seed)
        return sizes.map { size in
            let rate = lambda * size / (1 + sigma * (size - 1) + kappa * size * (size - 1))
            // Twelve uniform numbers are near enough to a normal one.
            let deviation = (0..<12).reduce(-6.0) { sum, _ in sum + chance.unit() }
            return Point(size: size, rate: rate * exp(noise * deviation))
        }
    }

    @Test func exactPointsGiveTheirLawBack() throws {
        let law = try #require(ScalabilityLaw(points([1, 4, 16, 32, 64, 128]), seed: 1))
        #expect(abs(law.curve.lambda / 40 - 1) < 1e-6)
        #expect(abs(law.curve.sigma / 0.02 - 1) < 1e-6)
        #expect(abs(law.curve.kappa / 0.000_1 - 1) < 1e-6)
        let peak = try #require(law.peak)
        #expect(abs(peak.value - (0.98 / 0.000_1).squareRoot()) < 1e-3)
    }

    @Test func aLineHasNeitherContentionNorCoherency() throws {
        let law = try #require(ScalabilityLaw([1, 10, 100, 1_000].map { Point(size: $0, rate: 7 * $0) }, seed: 1))
        #expect(law.curve.sigma < 1e-9)
        #expect(law.curve.kappa < 1e-9)
        #expect(law.peak == nil)
        #expect(abs(try #require(law.projected(at: 2_000)).value - 14_000) < 1)
    }

    @Test func ratesThatGrowFasterThanSizesAreHeldAtTheBound() throws {
        let growing = [10, 40, 160, 640].map { Point(size: $0, rate: pow($0, 1.1)) }
        let law = try #require(ScalabilityLaw(growing, seed: 1))
        #expect((law.curve.sigma, law.curve.kappa) == (0, 0))
    }

    @Test func nothingIsSaidBeyondTwiceWhatWasMeasured() throws {
        let law = try #require(ScalabilityLaw(points([1, 2, 4, 8, 16, 32]), seed: 1))
        #expect(law.peak == nil, "the peak at 99 is three times as far as the points")
        #expect(law.projected(at: 64) != nil)
        #expect(law.projected(at: 65) == nil)
        #expect(law.projected(at: 0) == nil)
    }

    @Test func pointsThatAreNotSpreadAreRefused() {
        let unusable = [.nan, 0, -1, .infinity].map { Point(size: $0, rate: $0) }
        for refused in [
            [], points([10, 10, 40, 80]), points([100, 101, 102, 500]), points([10, 15, 20, 30]), unusable,
        ] { #expect(ScalabilityLaw(refused, seed: 1) == nil) }
    }

    @Test func intervalsContainTheTruthAboutAsOftenAsTheySay() throws {
        var (peaks, rates) = (0, 0)
        for seed in 0..<60 as Range<UInt64> {
            let drawn = points([2, 4, 8, 16, 32, 48, 64, 96, 128], noise: 0.03, seed: seed)
            let law = try #require(ScalabilityLaw(drawn, seed: seed))
            let truth = points([200])[0].rate
            let rate = try #require(law.projected(at: 200))
            if rate.lower <= truth, rate.upper ?? .infinity >= truth { rates += 1 }
            if let peak = law.peak, peak.lower <= 99, peak.upper ?? .infinity >= 99 { peaks += 1 }
        }
        #expect((45...60).contains(rates), "\(rates)")
        #expect((45...60).contains(peaks), "\(peaks)")
    }

    private let sizes = [100.0, 200, 400, 800, 1_600, 3_200]

    @Test func latencyThatTurnsUpHasAKnee() throws {
        let latencies = [21.0, 22, 24, 28, 80, 160]
        let points = zip(sizes, latencies).map { (size: $0, latency: $1) }
        let knee = try #require(LatencyKnee(points))
        #expect((knee.size, knee.latency) == (800, 28))
    }

    @Test func aLineAndALevelHaveNoKnee() {
        #expect(LatencyKnee(sizes.map { (size: $0, latency: $0) }) == nil)
        #expect(LatencyKnee(sizes.map { (size: $0, latency: $0 == 400 ? 20.1 : 20) }) == nil)
        #expect(LatencyKnee([]) == nil)
        #expect(LatencyKnee(sizes.map { (size: $0, latency: .nan) }) == nil)
    }
}
