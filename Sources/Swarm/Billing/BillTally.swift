import AdServing
import Results
package import Rules
import Values
package import Viewer

/// Requests must come in the order of time.
struct BillTally {
    private struct Column {
        var count = 0.0
        var bodyBytes = 0.0
        var step: Int64 = 0
        var inStep = 0.0
        var peak = 0.0
        var peakStep: Int64 = 0

        mutating func add(bytes: Int, step: Int64, weight: Double) {
            count += weight
            bodyBytes += Double(bytes) * weight
            if step != self.step {
                self.step = step
                inStep = 0
            }
            inStep += weight
            guard inStep > peak else { return }
            peak = inStep
            peakStep = step
        }

        func line(error: Double) -> RunBill.Line {
            var line = RunBill.Line()
            line.count = BillTally.rounded(count)
            line.error = BillTally.rounded(error)
            line.bodyBytes = BillTally.rounded(bodyBytes)
            line.peak = BillTally.rounded(peak)
            line.peakAtMilliseconds = Int(clamping: peakStep * 100)
            return line
        }
    }

    private static let stepNanoseconds: Int64 = 100_000_000

    private let sample: ViewerSample
    private var columns = [Column](repeating: Column(), count: RequestKind.allCases.count)
    private var sums: [WritableKeyPath<RunBill, Int>: Double] = [:]
    /// Indexed by kind and by place in the sample.
    private var byPlace: [[Double]]
    private var all = Column()
    private var second = RunBill.Second(atSeconds: 0, requests: 0, bodyBytes: 0, joins: 0)
    private var busiest: [RunBill.Second] = []
    private static let measures: [any KeyPath<RunBill.Second, Double> & Sendable] = [\.requests, \.bodyBytes, \.joins]

    init(of sample: ViewerSample) {
        self.sample = sample
        let places = [Double](repeating: 0, count: sample.counted.count)
        byPlace = Array(repeating: places, count: RequestKind.allCases.count)
    }

    /// `nanoseconds` count from the start of the run; `weight` is the number of viewers that the asking one represents.
    mutating func add(_ kind: RequestKind, bytes: Int, at nanoseconds: Int64, weight: Double, by place: Int?) {
        let step = nanoseconds / Self.stepNanoseconds
        columns[Int(kind.rawValue)].add(bytes: bytes, step: step, weight: weight)
        all.add(bytes: bytes, step: step, weight: weight)
        if let place { byPlace[Int(kind.rawValue)][place] += 1 }
        pass(to: nanoseconds)
        second.requests += weight
        second.bodyBytes += Double(bytes) * weight
    }

    mutating func add(_ sum: WritableKeyPath<RunBill, Int>, _ number: UInt64 = 1, weight: Double) {
        sums[sum, default: 0] += Double(number) * weight
    }

    mutating func join(at nanoseconds: Int64, weight: Double) {
        pass(to: nanoseconds)
        second.joins += weight
    }

    private mutating func pass(to nanoseconds: Int64) {
        let now = Int(clamping: nanoseconds / 1_000_000_000)
        guard now > second.atSeconds else { return }
        busiest = busiestSoFar
        second = RunBill.Second(atSeconds: now, requests: 0, bodyBytes: 0, joins: 0)
    }

    /// One second for each measure.
    private var busiestSoFar: [RunBill.Second] {
        guard !busiest.isEmpty else { return Self.measures.map { _ in second } }
        return zip(Self.measures, busiest).map { second[keyPath: $0] > $1[keyPath: $0] ? second : $1 }
    }

    func bill() -> RunBill {
        var bill = RunBill()
        for kind in RequestKind.allCases where columns[Int(kind.rawValue)].count > 0 {
            let error = sample.error(of: byPlace[Int(kind.rawValue)])
            bill.lines[kind] = columns[Int(kind.rawValue)].line(error: error)
        }
        let ofEach = sample.counted.indices.map { place in byPlace.reduce(0) { $0 + $1[place] } }
        bill.total = all.line(error: sample.error(of: ofEach))
        bill.busySeconds = busiestSoFar
        for (field, sum) in sums { bill[keyPath: field] = Self.rounded(sum) }
        bill.counted = sample.counted.count
        return bill
    }

    private static func rounded(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? .max }
}

/// Requests of a run, counted before it.
package struct RunBill: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var count = 0
        /// Two standard errors, because only some viewers were counted.
        package var error = 0
        /// As sent.
        package var bodyBytes = 0
        /// Most requests within 100 ms.
        package var peak = 0
        /// Start of the peak, from the start of the run.
        package var peakAtMilliseconds = 0
    }

    package struct Second: Sendable, Equatable {
        /// From the start of the run.
        package var atSeconds: Int
        package var requests: Double
        package var bodyBytes: Double
        package var joins: Double

        package init(atSeconds: Int, requests: Double, bodyBytes: Double, joins: Double) {
            self.atSeconds = atSeconds
            self.requests = requests
            self.bodyBytes = bodyBytes
            self.joins = joins
        }
    }

    package var lines: [RequestKind: Line] = [:]
    package var total = Line()
    /// The seconds with the most requests, the most body bytes, and the most joins.
    package var busySeconds: [Second] = []
    /// Including viewers that replace others.
    package var joined = 0
    package var replaced = 0
    /// Breaks that at least one viewer is due for.
    package var breaks = 0
    /// Summed over the viewers.
    package var breaksDue = 0
    /// Their requests are registrations.
    package var renewals = 0
    /// Requests that would be sent if impressions were allowed.
    package var pingsWithheld = 0
    package var beaconsWithheld = 0
    package var adSegmentsWithheld = 0
    /// Viewers counted one by one; their sums are extrapolated.
    package var counted = 0
    /// Without replacements.
    package var planned = 0
    /// Viewers that never left and requests without an end: a defect of podswarm.
    package var unaccounted = 0
    /// Nil where all join and stay.
    package var course: AudienceCourse?
}

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

/// Stratified: some viewers of each persona, spread evenly over its visits.
struct ViewerSample {
    /// A single viewer would not show its persona's variance.
    private static let fewest = 2

    private struct Stratum {
        let persona: UInt8
        var visits: [AudienceSchedule.Visit] = []
        /// In `counted`.
        var places: Range<Int> = 0..<0

        var weight: Double { Double(visits.count) / Double(max(places.count, 1)) }
    }

    private var strata: [Stratum]
    private(set) var counted: [AudienceSchedule.Visit] = []

    /// `visits` are in the order of joining; `persona` maps a viewer's number to its persona's index.
    init(of visits: [AudienceSchedule.Visit], persona: (Int) -> UInt8) {
        let byPersona = Dictionary(grouping: visits) { persona($0.number) }
        strata = byPersona.sorted { $0.key < $1.key }.map { Stratum(persona: $0.key, visits: Self.spread($0.value)) }
    }

    /// Every n-th of the result joins and leaves as all of them do.
    private static func spread(_ visits: [AudienceSchedule.Visit]) -> [AudienceSchedule.Visit] {
        let together = max(Int(Double(visits.count).squareRoot()), 1)
        return stride(from: 0, to: visits.count, by: together).flatMap { first in
            visits[first..<min(first + together, visits.count)]
                .sorted { ($0.leavesAt, $0.joinsAt, $0.number) < ($1.leavesAt, $1.joinsAt, $1.number) }
        }
    }

    func sized(share: Double) -> ViewerSample {
        var sample = self
        sample.counted = []
        for index in strata.indices {
            let all = strata[index].visits
            let wanted = Int((Double(all.count) * min(max(share, 0), 1)).rounded())
            let size = min(all.count, max(wanted, Self.fewest))
            let first = sample.counted.count
            // Neither the earliest nor the latest of a part represents the others.
            sample.counted += (0..<size).map { all[(2 * $0 + 1) * all.count / (2 * size)] }
            sample.strata[index].places = first..<sample.counted.count
        }
        return sample
    }

    /// Number of viewers that a counted one represents.
    func weight(ofPersona persona: UInt8) -> Double { strata.first { $0.persona == persona }?.weight ?? 1 }

    var joiningAtOnce: ViewerSample {
        var sample = self
        for place in counted.indices {
            sample.counted[place].joinsAt = 0
            sample.counted[place].leavesAt = .max
        }
        return sample
    }

    func viewerSeconds(of run: Duration) -> Double {
        let end = run.nanosecondsHeld
        let nanoseconds = strata.reduce(0.0) { sum, stratum in
            counted[stratum.places].reduce(sum) {
                $0 + Double(max(min($1.leavesAt, end) &- $1.joinsAt, 0)) * stratum.weight
            }
        }
        return max(nanoseconds / 1e9, 1)
    }

    /// Two standard errors, by stratified sampling without replacement (Cochran, Sampling Techniques, 5.3).
    func error(of figures: [Double]) -> Double {
        let variance = strata.reduce(0.0) { sum, stratum in
            let (all, some) = (Double(stratum.visits.count), Double(stratum.places.count))
            guard some > 1, some < all else { return sum }
            let part = figures[stratum.places]
            let mean = part.reduce(0, +) / some
            let spread = part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (some - 1)
            return sum + all * all * (1 - some / all) * spread / some
        }
        return 2 * variance.squareRoot()
    }
}
