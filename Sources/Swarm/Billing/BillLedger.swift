import AdServing
import Results
import Rules
import Values
import Viewer

/// Unchecked, because a virtual run calls it on the thread that began it.
final class BillLedger: ViewerObserver, @unchecked Sendable {
    private let sample: ViewerSample
    private let plan: ViewerPlan
    private var tally: BillTally
    private var breaks: Set<String> = []
    /// Places in the sample, by viewer number and by seat.
    private var places: [Int: Int] = [:]
    private var placesOfSeats: [Int: Int] = [:]

    init(of sample: ViewerSample, _ plan: ViewerPlan) {
        (self.sample, self.plan) = (sample, plan)
        tally = BillTally(of: sample)
        for (place, visit) in sample.counted.enumerated() { places[visit.number] = place }
    }

    func asked(_ request: VirtualRequest, bytes: Int, at now: WallTime) {
        // A replacement counts in the place of the viewer that had its seat.
        if let place = places[request.viewer] { placesOfSeats[request.seat] = place }
        tally.add(
            request.role.kind,
            bytes: bytes,
            at: nanoseconds(of: now),
            weight: weight(of: request.viewer),
            by: placesOfSeats[request.seat]
        )
    }

    private func nanoseconds(of now: WallTime) -> Int64 {
        (now.microseconds &- plan.timebase.wallStart.microseconds) &* 1_000
    }

    private func weight(of viewer: Int) -> Double { sample.weight(ofPersona: plan.personaIndex(ofViewer: viewer)) }

    func bill() -> RunBill {
        var bill = tally.bill()
        bill.breaks = breaks.count
        return bill
    }

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        if case .join = event {
            tally.join(at: now.nanoseconds(since: plan.timebase.start), weight: weight(of: number))
            if places[number] == nil { tally.add(\.replaced, weight: weight(of: number)) }
        }
        for case .note(let note, let planned) in actions { take(note, of: planned, number) }
    }

    private func take(_ note: ViewerNote, of planned: PlannedBreak?, _ number: Int) {
        switch note {
        case .counted(let counter): count(counter, 1, number)
        case .added(let counter, let amount): count(counter, amount, number)
        case .breakDue:
            tally.add(\.breaksDue, weight: weight(of: number))
            if let planned { breaks.insert(planned.scheduled.key) }
        default: break
        }
    }

    private func count(_ counter: ViewerCounter, _ amount: UInt64, _ number: Int) {
        let sum: WritableKeyPath<RunBill, Int>? =
            switch counter {
            case .joined: \.joined
            case .registrationRenewed: \.renewals
            case .pingsWithheld: \.pingsWithheld
            case .beaconsWithheld: \.beaconsWithheld
            case .adSegmentsWithheld: \.adSegmentsWithheld
            default: nil
            }
        if let sum { tally.add(sum, amount, weight: weight(of: number)) }
    }

    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence) {}

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}
}
