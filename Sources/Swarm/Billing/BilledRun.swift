import AdServing
import Origin
package import Profile
import Results
package import Rules
import Transport
import Values
package import Viewer

/// Bill of a plan, counted in a virtual run against the reference origin.
///
/// Assumes that each request is sent at its planned instant, and each answer arrives in full.
package struct BilledRun {
    /// Above it only some viewers are counted, so that a bill takes about a second.
    package var requestLimit = 25_000
    private let plan: LoadPlan

    package init(_ plan: LoadPlan) { self.plan = plan }

    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    package struct Defect: Error {
        package let reason: String
    }

    /// `origin` makes a fresh origin for each of two runs; throws its errors, and `Defect`.
    package func bill(before origin: () throws -> VirtualOrigin) async throws -> RunBill {
        let first = try origin()
        let viewerPlan = ViewerPlan(plan, endpoints: first.endpoints, timebase: first.timebase)
        let schedule = AudienceSchedule(plan, runStart: first.timebase.wallStart)
        let sample = ViewerSample(of: schedule.visits) { viewerPlan.personaIndex(ofViewer: $0) }
        // A pilot run of a few viewers tells how many fit the limit.
        let glance = min(plan.duration, max(Self.leastGlance, min(plan.duration / 4, Self.longestGlance)))
        let few = sample.sized(share: 0).joiningAtOnce
        let asked = try await count(few, for: glance, viewerPlan, first)
        let requests =
            Double(asked.total.count) / few.viewerSeconds(of: glance)
            * sample.sized(share: 1).viewerSeconds(of: plan.duration)
        let share = Double(requestLimit) / max(requests, 1)
        var bill = try await count(sample.sized(share: share), for: plan.duration, viewerPlan, origin())
        bill.viewers.planned = schedule.visits.count
        bill.course = plan.audience.curve == nil ? nil : schedule.course(over: plan.duration)
        return bill
    }

    private func count(
        _ sample: ViewerSample,
        for duration: Duration,
        _ viewerPlan: ViewerPlan,
        _ origin: VirtualOrigin
    ) async throws -> RunBill {
        var virtual = plan
        virtual.duration = duration
        virtual.connection.acceptsCompression = false
        let ledger = BillLedger(of: sample, viewerPlan)
        let swarm = try await SwarmRun(
            virtual,
            endpoints: origin.endpoints,
            authorisedHosts: AuthorisedHosts(),
            timebase: origin.timebase,
            place: origin.place(billedBy: ledger),
            visits: sample.counted.sorted { ($0.joinsAt, $0.number) < ($1.joinsAt, $1.number) },
            observer: ledger
        )
        await swarm.sleep(until: swarm.now.later(by: duration))
        await swarm.stop()
        let pulse = await swarm.pulse()
        await swarm.shutDown()
        if let reason = pulse.harnessFailure { throw Defect(reason: reason) }
        return ledger.bill()
    }
}

/// Counts requests, and repeats none whose answer is known.
final class BilledOrigin: VirtualTarget {
    /// More than any channel has segments at one time.
    private static let kept = 4_096

    private let origin: OriginTarget
    private let ledger: BillLedger
    /// Keyed by URL; answers that never change, as their sizes without bodies.
    private var sizes: [String: VirtualAnswer] = [:]
    /// Keyed by URL, valid until the live edge moves.
    private var playlists: [String: VirtualAnswer] = [:]
    private var edge: WallTime?

    init(_ origin: OriginTarget, _ ledger: BillLedger) { (self.origin, self.ledger) = (origin, ledger) }

    func answer(_ request: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        let fetched = fetch(request, at: now)
        ledger.asked(request, bytes: fetched.bodyBytes, at: now)
        return fetched
    }

    func closed(_ connection: VirtualConnection) { origin.closed(connection) }

    private func fetch(_ asked: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        let (url, edge) = (asked.request.url, origin.service.liveEdge(at: now))
        if edge != self.edge {
            playlists.removeAll(keepingCapacity: true)
            self.edge = edge
        }
        if var known = sizes[url] ?? (asked.role == .playlist ? playlists[url] : nil) {
            known.releasedAt = now
            return known
        }
        var fetched = origin.answer(asked, at: now)
        // Another host is assumed to accept every request and to answer with nothing.
        if fetched.failure == .unauthorisedHost || fetched.failure == .connectRefused {
            (fetched.failure, fetched.status, fetched.body, fetched.isImmutable) = (nil, 204, nil, false)
        }
        guard (200..<300).contains(fetched.status), fetched.redirects == 0, fetched.releasedAt == now else {
            return fetched
        }
        if asked.role == .playlist {
            playlists.keep(fetched, for: url, atMost: Self.kept)
        } else if !asked.role.traits.contains(.keepsBody), fetched.isImmutable {
            var known = VirtualAnswer(url: url, releasedAt: now)
            (known.status, known.bodyBytes) = (204, fetched.bodyBytes)
            sizes.keep(known, for: url, atMost: Self.kept)
        }
        return fetched
    }
}

/// Requests of a run, counted before it.
package struct RunBill: Sendable, Equatable {
    package struct Line: Equatable, Codable, Sendable {
        package var count = 0
        /// Two standard errors of the count; nil if all viewers were counted.
        package var samplingError: Int?
        /// Encoded bodies; nil if only the target knows their size.
        package var bodyBytes: Int?
        /// From the stand-in origin; nil if `bodyBytes` is known.
        package var estimatedBodyBytes: Int?
        /// Most requests within 100 ms, at `peakAtMilliseconds` since the start.
        package var peakPer100Milliseconds = 0
        package var peakAtMilliseconds = 0

        private enum CodingKeys: String, CodingKey {
            case count, samplingError, bodyBytes, estimatedBodyBytes, peakAtMilliseconds
            case peakPer100Milliseconds = "peak_per_100ms"
        }
    }

    package struct Viewers: Equatable, Codable, Sendable {
        /// All without replacements; in a document the peak of concurrent viewers.
        package var planned = 0
        /// Including viewers that replace others.
        package var joined = 0
        package var replaced = 0
        /// Counted individually, without replacements; their sums are extrapolated.
        package var counted = 0
    }

    package struct Breaks: Equatable, Codable, Sendable {
        /// That at least one viewer is due for.
        package var count = 0
        /// Sum over the viewers.
        package var due = 0
    }

    /// Requests that would be sent if impressions were allowed.
    package struct Withheld: Equatable, Codable, Sendable {
        package var pings = 0
        package var beacons = 0
        package var adSegments = 0
    }

    package struct Second: Sendable, Equatable {
        package var atSeconds: Int
        package var requests: Double
        package var bodyBytes: Double
        package var joins: Double

        package init(atSeconds: Int, requests: Double, bodyBytes: Double, joins: Double) {
            (self.atSeconds, self.requests, self.bodyBytes, self.joins) = (atSeconds, requests, bodyBytes, joins)
        }
    }

    package var isOfSample: Bool { viewers.counted < viewers.planned }

    package var lines: [RequestKind: Line] = [:]
    package var total = Line()
    /// The seconds with the most requests, the most body bytes, and the most joins.
    package var busySeconds: [Second] = []
    package var viewers = Viewers()
    package var breaks = Breaks()
    /// Their requests are registrations.
    package var renewals = 0
    package var withheld = Withheld()
    /// Nil where all join and stay.
    package var course: AudienceCourse?
}

/// Counts a virtual run, whose requests must come in the order of time.
///
/// `@unchecked Sendable`: a virtual run calls it on the thread that began it.
final class BillLedger: ViewerObserver, @unchecked Sendable {
    private struct Column {
        var count = 0.0
        var bodyBytes = 0.0
        /// Requests by place in the sample.
        var byPlace: [Double]
        var step: Int64 = 0
        var inStep = 0.0
        var peak = 0.0
        var peakStep: Int64 = 0

        mutating func add(bytes: Int, step: Int64, weight: Double, by place: Int?) {
            count += weight
            bodyBytes += Double(bytes) * weight
            if let place { byPlace[place] += 1 }
            if step != self.step {
                self.step = step
                inStep = 0
            }
            inStep += weight
            guard inStep > peak else { return }
            peak = inStep
            peakStep = step
        }

        func line(of sample: ViewerSample) -> RunBill.Line {
            var line = RunBill.Line()
            (line.count, line.bodyBytes) = (rounded(count), rounded(bodyBytes))
            let error = rounded(sample.error(of: byPlace))
            line.samplingError = error > 0 ? error : nil
            line.peakPer100Milliseconds = rounded(peak)
            line.peakAtMilliseconds = Int(clamping: peakStep * 100)
            return line
        }
    }

    private static let stepNanoseconds: Int64 = 100_000_000
    private static let measures: [any KeyPath<RunBill.Second, Double> & Sendable] = [\.requests, \.bodyBytes, \.joins]

    private let sample: ViewerSample
    private let plan: ViewerPlan
    private var all: Column
    /// Ordered by kind.
    private var columns: [Column]
    private var sums: [WritableKeyPath<RunBill, Int>: Double] = [:]
    private var second = RunBill.Second(atSeconds: 0, requests: 0, bodyBytes: 0, joins: 0)
    private var busiest: [RunBill.Second] = []
    private var breaks: Set<String> = []
    /// Places in the sample, by viewer number and by seat.
    private var places: [Int: Int] = [:]
    private var placesOfSeats: [Int: Int] = [:]

    init(of sample: ViewerSample, _ plan: ViewerPlan) {
        (self.sample, self.plan) = (sample, plan)
        all = Column(byPlace: [Double](repeating: 0, count: sample.counted.count))
        columns = Array(repeating: all, count: RequestKind.allCases.count)
        for (place, visit) in sample.counted.enumerated() { places[visit.number] = place }
    }

    func asked(_ request: VirtualRequest, bytes: Int, at now: WallTime) {
        let nanoseconds = (now.microseconds &- plan.timebase.wallStart.microseconds) &* 1_000
        let (step, weight) = (nanoseconds / Self.stepNanoseconds, weight(of: request.viewer))
        // A replacement counts in the place of the viewer that had its seat.
        if let place = places[request.viewer] { placesOfSeats[request.seat] = place }
        let place = placesOfSeats[request.seat]
        columns[Int(request.role.kind.rawValue)].add(bytes: bytes, step: step, weight: weight, by: place)
        all.add(bytes: bytes, step: step, weight: weight, by: place)
        pass(to: nanoseconds)
        second.requests += weight
        second.bodyBytes += Double(bytes) * weight
    }

    private func weight(of viewer: Int) -> Double { sample.weight(ofPersona: plan.personaIndex(ofViewer: viewer)) }

    private func pass(to nanoseconds: Int64) {
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
            bill.lines[kind] = columns[Int(kind.rawValue)].line(of: sample)
        }
        bill.total = all.line(of: sample)
        bill.busySeconds = busiestSoFar
        for (field, sum) in sums { bill[keyPath: field] = rounded(sum) }
        (bill.viewers.counted, bill.breaks.count) = (sample.counted.count, breaks.count)
        return bill
    }

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        if case .join = event {
            pass(to: now.nanoseconds(since: plan.timebase.start))
            second.joins += weight(of: number)
            if places[number] == nil { sums[\.viewers.replaced, default: 0] += weight(of: number) }
        }
        for case .note(let note, let planned) in actions {
            switch note {
            case .counted(let counter): count(counter, 1, number)
            case .added(let counter, let amount): count(counter, amount, number)
            case .breakDue:
                sums[\.breaks.due, default: 0] += weight(of: number)
                if let planned { breaks.insert(planned.scheduled.key) }
            default: break
            }
        }
    }

    private func count(_ counter: ViewerCounter, _ amount: UInt64, _ number: Int) {
        let sum: WritableKeyPath<RunBill, Int>? =
            switch counter {
            case .joined: \.viewers.joined
            case .registrationRenewed: \.renewals
            case .pingsWithheld: \.withheld.pings
            case .beaconsWithheld: \.withheld.beacons
            case .adSegmentsWithheld: \.withheld.adSegments
            default: nil
            }
        if let sum { sums[sum, default: 0] += Double(amount) * weight(of: number) }
    }

    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence) {}

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}
}

private func rounded(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? .max }

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
