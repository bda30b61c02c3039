package import Comparison
package import Results
import Rules

/// A search and its document, which each run extends.
///
/// The runs in the document are the whole state of the search, so an interrupted search continues from it.
package struct CapacityLedger: Sendable {
    package private(set) var document: CapacityDocument
    private var search: CapacitySearch

    package init(_ document: CapacityDocument) {
        self.document = document
        search = CapacitySearch(CapacitySettings(document.asked, seed: document.search.seed))
        for run in document.runs { search.add(CapacityRun(run, of: document.asked.quantity)) }
        // The answer is computed by this version, not by the one that wrote the document.
        answer(nil)
    }

    /// The next step; a function of the runs only.
    package var next: CapacityStep { search.next() }

    /// Counts a run, whole or not; `seconds` include the rest after it.
    package mutating func add(_ run: CapacityRunResult, seconds: Double) {
        document.runs.append(run)
        document.search.endedAtMicroseconds = run.endedAtMicroseconds
        document.search.spentSeconds += seconds
        search.add(CapacityRun(run, of: document.asked.quantity))
        answer(nil)
    }

    /// Ends the search, for now or for good; `reason` replaces the estimate's own reason.
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
        let service = ServiceCurve(breaks, seed: document.search.seed)
        document.law = service.law
        document.projection = service.projection
        document.peak = PeakResult(breaks, upTo: document.answer.value)
    }
}

extension CapacitySettings {
    package init(_ asked: CapacityQuestion, seed: UInt64) {
        let isOfViewers = asked.quantity == .viewers
        self.init(
            floor: asked.floor,
            ceiling: asked.ceiling,
            start: asked.from,
            within: asked.withinPercent / 100,
            share: asked.sharePercent / 100,
            maximumRuns: asked.runsMaximum,
            breaksPerRun: asked.breaksPerRun,
            direction: asked.quantity.isHarderWithMore ? .moreIsHarder : .moreIsEasier,
            variesWithinRun: isOfViewers && asked.watchMaximumSeconds == nil,
            granularity: 1,
            seed: seed
        )
    }
}

extension CapacityRun {
    fileprivate init(_ run: CapacityRunResult, of quantity: CapacityQuestion.Quantity) {
        let trials = run.breaks.map { judged in
            let size = quantity == .viewers ? Double(max(1, judged.planned)) : run.sizes.first ?? 1
            return CapacityTrial(size: size, outcome: judged.outcome)
        }
        self.init(kind: run.kind, trials: trials, isWhole: run.isWhole)
    }
}

extension CapacityRunResult {
    /// `endedBy` of a run whose harder breaks would mostly miss too.
    package static let twoMissed = "two breaks in a row were missed"
    /// `endedBy` of a run that has waited for breaks of the channel until there were enough.
    package static let enoughSeen = "enough breaks were judged"

    package var isWhole: Bool { endedBy.map { [Self.twoMissed, Self.enoughSeen].contains($0) } ?? true }
}
