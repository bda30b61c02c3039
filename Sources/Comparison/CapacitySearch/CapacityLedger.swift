import Results
import Rules
import Values

/// A search and its document, whose runs are the whole state: an interrupted search continues from it.
package struct CapacityLedger: Sendable {
    package private(set) var document: CapacityDocument
    private var search: CapacitySearch

    package init(_ document: CapacityDocument) {
        self.document = document
        search = CapacitySearch(document.asked, seed: document.search.seed)
        for run in document.runs { search.add(CapacityRun(run, of: document.asked.quantity)) }
        // This version computes the answer, not the one that wrote the document.
        answer(nil)
    }

    package var next: CapacityStep { search.next() }

    /// `seconds` include the rest after the run.
    package mutating func add(_ run: CapacityRunResult, seconds: Double) {
        document.runs.append(run)
        document.search.endedAtMicroseconds = run.endedAtMicroseconds
        document.search.spentSeconds += seconds
        search.add(CapacityRun(run, of: document.asked.quantity))
        answer(nil)
    }

    /// `reason` is put before the estimate's own.
    package mutating func end(_ state: CapacityDocument.State, reason: String? = nil) {
        document.state = state
        answer(reason)
    }

    private mutating func answer(_ reason: String?) {
        let breaks = document.breaks
        document.answer = CapacityAnswer(search.estimate, of: document.asked, endedBy: reason)
        document.gaveFirst = Bottleneck(breaks)
        guard document.asked.quantity == .viewers else { return }
        document.knee = KneeResult(breaks)
        (document.law, document.projection) = Self.service(breaks, seed: document.search.seed)
        document.peak = PeakResult(breaks, upTo: document.answer.value)
    }
}

extension CapacityRunResult {
    /// `endedBy` of a run whose harder breaks would mostly miss too.
    package static let twoMissed = "two breaks in a row were missed"
    /// `endedBy` of a run that waits for breaks of the channel.
    package static let enoughSeen = "enough breaks were judged"

    package var isWhole: Bool { endedBy.map { [Self.twoMissed, Self.enoughSeen].contains($0) } ?? true }
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
        let number = asked.quantity.number(value)
        let ends = [lower, upper].compactMap(\.self).map { asked.quantity.number($0) }
        let interval = ends.count == 2 ? " (90% interval: \(ends[0]) to \(ends[1]))" : ""
        guard asked.quantity == .viewers else {
            let what = "\(asked.quantity.word) of \(number) ms holds the breaks of \(asked.audience)"
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

extension CapacityQuestion {
    fileprivate var audience: String { "\(quantity.number(Double(viewers ?? 0))) viewers" }
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

extension CapacityQuestion.Quantity {
    package func number(_ value: Double) -> String { GroupedDigits.text(rounding: value) }

    fileprivate var word: String {
        switch self {
        case .viewers: "audience"
        case .jitter: "jitter"
        case .lead: "lead"
        }
    }
}

extension CapacityLedger {
    /// The rate at which viewers get their pods, by audience; ignores breaks with podswarm as the limit.
    private static func service(_ breaks: [JudgedBreak], seed: UInt64) -> (LawResult?, ProjectionResult?) {
        let points = breaks.compactMap { judged -> ScalabilityLaw.Point? in
            guard judged.limits.isEmpty, judged.planned > 0, let rate = judged.servedPerSecond else { return nil }
            return ScalabilityLaw.Point(size: Double(judged.planned), rate: rate)
        }
        guard let fitted = ScalabilityLaw(points, seed: seed) else { return (nil, nil) }
        let peak = fitted.peak
        let law = LawResult(
            lambda: fitted.curve.lambda,
            sigma: fitted.curve.sigma,
            kappa: fitted.curve.kappa,
            peakViewers: peak,
            peakPerSecond: peak.flatMap { fitted.projected(at: $0.value) },
            points: points.count
        )
        let reach = fitted.largest * ScalabilityLaw.reach
        let projection = fitted.projected(at: reach).map {
            ProjectionResult(viewers: reach, measuredViewers: fitted.largest, servedPerSecond: $0)
        }
        return (law, projection)
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
