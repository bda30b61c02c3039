import ExampleRuns
import Rehearsal

@testable import Comparison
@testable import Results

/// A target of which it is known what it holds, so that answers follow from arithmetic.
struct ScriptedTarget {
    /// The most viewers, or the least milliseconds, that hold.
    var capacity: Double
    /// More viewers than these are too much for the generator.
    var generator = Double.infinity

    /// What the runs of a search come to, one break after the other.
    func run(_ kind: CapacityRunResult.Kind, _ sizes: [Double], of asked: CapacityQuestion, at second: Int)
        -> CapacityRunResult
    {
        var (breaks, lost): ([JudgedBreak], Int) = ([], 0)
        for size in sizes {
            breaks.append(judged(size, asked))
            lost = breaks.last?.outcome == .held ? 0 : lost + 1
            if kind == .escalation, lost == 2 { break }
        }
        return CapacityRunResult(
            kind: CapacityRunResult.Kind(rawValue: kind.rawValue) ?? .search,
            startedAtMicroseconds: Int64(second) * 1_000_000,
            endedAtMicroseconds: Int64(second + 60) * 1_000_000,
            sizes: sizes,
            result: nil,
            endedBy: kind == .escalation && lost == 2 ? CapacityRunResult.twoMissed : nil,
            breaks: breaks
        )
    }

    private func judged(_ size: Double, _ asked: CapacityQuestion) -> JudgedBreak {
        let isOfViewers = asked.quantity == .viewers
        let holds = isOfViewers ? size <= capacity : size >= capacity
        let isMade = size <= generator || !isOfViewers
        let viewers = isOfViewers ? Int(size) : asked.viewers ?? 0
        let outcome: JudgedBreak.Outcome = !isMade ? .censored : holds ? .held : .missed
        // A rate with a peak at the capacity, and times that bend there.
        let load = Double(viewers) / max(capacity, 1)
        var judged = JudgedBreak.lost(startMicroseconds: 0, planned: viewers, reason: "breaks.on_time >= 99%: 50%")
        (judged.watching, judged.due, judged.onTime) = (viewers, UInt64(viewers), UInt64(viewers))
        judged.outcome = outcome
        if outcome == .held { judged.broken = [] }
        if !isMade { judged.limits = ["podswarm used more than 95% of its 1 core"] }
        judged.peakPodRequestsPerSecond = Double(viewers) / 2
        judged.peakRequestsPerSecond = Double(viewers) * 2
        judged.servedPerSecond = 1_000 * load / (1 + load * load)
        let p99 = Int64(min(50_000 + 1e6 * load * load * load * load, 6e7))
        judged.requests = [.init(kind: "pod_manifest", count: UInt64(viewers), p99Microseconds: p99)]
        return judged
    }
}

extension CapacityDocument {
    mutating func finish(on target: ScriptedTarget, runs most: Int = 100) {
        for _ in 0..<most {
            guard case .run(let kind, let sizes) = next else { return end(.ended) }
            add(target.run(kind, sizes, of: asked, at: self.runs.count * 100), seconds: 70)
        }
    }

    static func new(
        _ quantity: CapacityQuestion.Quantity = .viewers,
        from: Double = 100,
        ceiling: Double = 20_000,
        ceilingReason: String? = nil,
        runs: Int = 12,
        watchSeconds: Double? = nil
    ) -> CapacityDocument {
        CapacityDocument(
            asked: CapacityQuestion(
                quantity: quantity,
                hold: ["breaks.on_time >= 99%"],
                sharePercent: 95,
                withinPercent: 10,
                from: from,
                floor: 1,
                ceiling: ceiling,
                ceilingReason: ceilingReason,
                breaksPerRun: 10,
                runsMaximum: runs,
                timeMaximumSeconds: 7_200,
                spacingMilliseconds: 20_000,
                restMilliseconds: 0,
                watchMaximumSeconds: watchSeconds,
                viewers: quantity == .viewers ? nil : 5_000
            ),
            search: SearchDescription(
                id: "20261121T200000Z",
                profile: "searched",
                profileDigest: "sha256:00ff",
                seed: 7,
                labels: ["release": "1.4.2"],
                target: "embedded",
                host: ExampleRun.host,
                startedAtMicroseconds: ExampleRun.start,
                endedAtMicroseconds: ExampleRun.start
            )
        )
    }
}
