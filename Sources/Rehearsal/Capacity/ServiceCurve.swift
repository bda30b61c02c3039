import Comparison
import Results

/// The rate at which viewers get their pods, by audience.
struct ServiceCurve {
    private(set) var law: LawResult?
    private(set) var projection: ProjectionResult?

    /// `seed` is that of the intervals; breaks with podswarm as the limit are ignored.
    init(_ breaks: [JudgedBreak], seed: UInt64) {
        let points = breaks.compactMap { judged -> ScalabilityLaw.Point? in
            guard judged.limits.isEmpty, judged.planned > 0, let rate = judged.servedPerSecond else { return nil }
            return ScalabilityLaw.Point(size: Double(judged.planned), rate: rate)
        }
        guard let fitted = try? ScalabilityLaw(points, seed: seed) else { return }
        let peak = fitted.peak
        law = LawResult(
            lambda: fitted.lambda,
            sigma: fitted.sigma,
            kappa: fitted.kappa,
            peakViewers: peak,
            peakPerSecond: peak.flatMap { fitted.projected(at: $0.value) },
            points: points.count
        )
        let reach = fitted.largest * ScalabilityLaw.reach
        projection = fitted.projected(at: reach).map { rate in
            ProjectionResult(viewers: reach, measuredViewers: fitted.largest, servedPerSecond: rate)
        }
    }
}

extension PeakResult {
    /// Peak of the largest audience whose break held, up to the capacity; nil if none held.
    init?(_ breaks: [JudgedBreak], upTo capacity: Double?) {
        let held = breaks.filter { $0.outcome == .held && Double($0.planned) <= (capacity ?? .infinity) }
        guard let largest = held.max(by: { $0.planned < $1.planned }) else { return nil }
        self.init(
            viewers: largest.planned,
            podRequestsPerSecond: largest.peakPodRequestsPerSecond,
            requestsPerSecond: largest.peakRequestsPerSecond
        )
    }
}

extension KneeResult {
    /// Knee of the requests with which most breaks begin; nil if their latency does not bend.
    init?(_ breaks: [JudgedBreak]) {
        let asked = breaks.filter(\.limits.isEmpty).compactMap { judged in
            judged.beginning.map { (size: Double(judged.planned), requests: $0) }
        }
        guard let kind = asked.last?.requests.kind else { return nil }
        let points = asked.compactMap { size, requests -> (size: Double, latency: Double)? in
            guard requests.kind == kind, let p99 = requests.p99Microseconds else { return nil }
            return (size, Double(p99))
        }
        guard let knee = LatencyKnee(points) else { return nil }
        self.init(kind: kind, viewers: knee.size, p99Microseconds: knee.latency)
    }
}
