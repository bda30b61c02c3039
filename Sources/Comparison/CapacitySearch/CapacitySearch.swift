package import Results
import Rules
import Values

/// A search for the largest size (or the smallest) at which breaks still hold in a given share.
///
/// Its document's runs are the whole state: an interrupted search continues from it. Escalation finds the order of magnitude,
/// search runs narrow the posterior's 90 % interval, a confirming run checks the answer; if it contradicts, the search goes on.
///
/// In 300 simulated searches each, the interval contained the truth in 87 % or more, after five runs in the median
/// (`CapacityCalibrationTests`). Noise was 4 % between runs and 6 % between breaks, with heavy tails or after-effects of misses.
/// Noise of 10 and 15 % gave less than 80 %, after eleven runs.
extension CapacityDocument {
    package var next: CapacityStep { Knowledge(asked, runs).next(seed: search.seed) }

    /// Returns the next step, from the same posterior as the answer; `seconds` include the rest after the run.
    @discardableResult
    package mutating func add(_ run: CapacityRunResult, seconds: Double) -> CapacityStep {
        runs.append(run)
        search.endedAtMicroseconds = run.endedAtMicroseconds
        search.spentSeconds += seconds
        let known = Knowledge(asked, runs)
        conclude(nil, known)
        return known.next(seed: search.seed)
    }

    /// `reason` is put before the estimate's own.
    package mutating func end(_ state: State, reason: String? = nil) {
        self.state = state
        conclude(reason)
    }

    /// Computes the answer from the runs; another version may have written the document.
    package mutating func conclude(_ reason: String? = nil) { conclude(reason, Knowledge(asked, runs)) }

    private mutating func conclude(_ reason: String?, _ known: Knowledge) {
        let breaks = breaks
        answer = CapacityAnswer(known.estimate, of: asked, endedBy: reason)
        gaveFirst = Bottleneck(breaks)
        guard asked.quantity == .viewers else { return }
        knee = KneeResult(breaks)
        // Ignores breaks with podswarm as the limit.
        let rates = breaks.compactMap { judged -> ScalabilityLaw.Point? in
            guard judged.limits.isEmpty, judged.planned > 0, let rate = judged.servedPerSecond else { return nil }
            return ScalabilityLaw.Point(size: Double(judged.planned), rate: rate)
        }
        let fitted = ScalabilityLaw(rates, seed: search.seed)
        (law, projection) = (fitted?.law, fitted?.projection)
        peak = PeakResult(breaks, upTo: answer.value)
    }
}

package enum CapacityStep: Equatable, Sendable {
    package enum Cause: Sendable {
        /// The interval is narrow enough and a confirming run agreed.
        case narrow
        /// The capacity lies beyond the allowed sizes or the generator's limit.
        case bounded
        case runsUsedUp
    }

    /// One break of each size in this order.
    ///
    /// An escalation lists all sizes up to the ceiling; the caller ends it after two misses in a row.
    case run(CapacityRunResult.Kind, sizes: [Double])
    case done(Cause)
}

extension CapacityRunResult {
    /// `endedBy` of a run whose harder breaks would mostly miss too.
    package static let twoMissed = "two breaks in a row were missed"
    /// `endedBy` of a run that waits for breaks of the channel.
    package static let enoughSeen = "enough breaks were judged"

    package var isWhole: Bool { endedBy.map { [Self.twoMissed, Self.enoughSeen].contains($0) } ?? true }

    /// Viewers or milliseconds.
    package func size(of judged: JudgedBreak, _ quantity: CapacityQuestion.Quantity) -> Double {
        quantity == .viewers ? Double(max(1, judged.planned)) : sizes.first ?? 1
    }
}

extension CapacityAnswer {
    init(_ estimate: CapacityEstimate, of asked: CapacityQuestion, endedBy reason: String?) {
        self = estimate.answer
        let width = estimate.relativeWidth ?? .infinity
        if kind == .found, width * 100 > asked.withinPercent + 1e-9 { kind = .wide }
        text = text(of: asked)
        let words = [reason, estimate.words(of: asked)].compactMap(\.self).joined(separator: "; ")
        self.reason = words.isEmpty ? nil : words
    }

    private func text(of asked: CapacityQuestion) -> String {
        let share = MetricText.percent(asked.sharePercent)
        guard let value else { return Self.unknown.text }
        let number = GroupedDigits.text(rounding: value)
        let ends = [lower, upper].compactMap(\.self).map { GroupedDigits.text(rounding: $0) }
        let interval = ends.count == 2 ? " (90% interval: \(ends[0]) to \(ends[1]))" : ""
        guard asked.quantity == .viewers else {
            let word = asked.quantity == .jitter ? "jitter" : "lead"
            let what =
                "\(word) of \(number) ms holds the breaks of \(GroupedDigits.counted(asked.viewers ?? 0, "viewer"))"
            switch kind {
            case .found, .wide: return "A \(what) in \(share) of breaks\(interval)."
            case .atLeast: return "A \(what); less was not asked for."
            case .below: return "Not even a \(what)."
            case .unknown: return Self.unknown.text
            }
        }
        let isOne = number == "1"
        let what = isOne ? "1 viewer holds" : "\(number) viewers hold"
        switch kind {
        case .found, .wide: return "\(what) in \(share) of breaks\(interval)."
        case .atLeast: return "At least \(what); more was out of reach."
        case .below: return "Not even the break of \(number) viewer\(isOne ? "" : "s") holds."
        case .unknown: return Self.unknown.text
        }
    }
}

extension CapacityEstimate {
    fileprivate func words(of asked: CapacityQuestion) -> String? {
        switch reason {
        case .nothingTried, .measured: nil
        case .everythingHeld:
            asked.ceilingReason.map { "the ceiling is that of this machine (\($0)); add machines" }
                ?? "everything held up to the ceiling (--ceiling)"
        case .generatorLimited: "podswarm or its machine was the limit beyond that: add machines"
        case .nothingHeld: "nothing that was tried held"
        }
    }
}

extension PeakResult {
    /// Nil if no break held.
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
