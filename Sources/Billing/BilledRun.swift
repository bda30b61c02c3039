package import Audience
package import LoadProfile
package import Origin
import Swarm
package import Time

/// Bill of a plan, counted in a virtual run against the reference origin.
///
/// Assumptions: each request is sent at its planned instant, and each answer arrives in full.
package struct BilledRun {
    /// Addresses of the requests, all of them below `base`.
    package var endpoints: TargetEndpoints
    /// Scheme, host and port under which the origin is asked.
    package var base: String
    /// When the first viewer joins.
    package var start: WallTime
    /// How long an answer takes.
    package var answerTime = Duration.milliseconds(1)
    /// Beyond about so many requests only some viewers are counted: no bill is to take longer than a second or so.
    package var requestLimit = 25_000
    private let plan: LoadPlan

    package init(_ plan: LoadPlan, endpoints: TargetEndpoints, base: String, start: WallTime) {
        self.plan = plan
        self.endpoints = endpoints
        self.base = base
        self.start = start
    }

    /// Bounds of the pilot run, which otherwise lasts a quarter of the run.
    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    /// Counts the requests of the run.
    ///
    /// - Parameter origin: Makes a fresh origin for each of two runs.
    /// - Returns: The bill.
    package func bill(origin: () throws -> OriginService) rethrows -> RunBill {
        let timebase = Timebase(start: VirtualRun.start, wallStart: start)
        let viewerPlan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        let schedule = AudienceSchedule(plan, runStart: start)
        let sample = ViewerSample(of: schedule.visits) { viewerPlan.personaIndex(ofViewer: $0) }
        // A pilot run of a few viewers tells how many viewers fit the limit.
        let glance = min(plan.duration, max(Self.leastGlance, min(plan.duration / 4, Self.longestGlance)))
        let few = sample.sized(share: 0).joiningAtOnce
        let asked = try count(few, for: glance, viewerPlan, schedule, origin())
        let requests =
            Double(asked.total.count) / few.viewerSeconds(of: glance)
            * sample.sized(share: 1).viewerSeconds(of: plan.duration)
        let share = Double(requestLimit) / max(requests, 1)
        var bill = try count(sample.sized(share: share), for: plan.duration, viewerPlan, schedule, origin())
        bill.planned = schedule.visits.count
        bill.course = plan.audience.curve == nil ? nil : schedule.course(over: plan.duration)
        return bill
    }

    private func count(
        _ sample: ViewerSample,
        for duration: Duration,
        _ viewerPlan: ViewerPlan,
        _ schedule: AudienceSchedule,
        _ origin: OriginService
    ) -> RunBill {
        var virtual = plan
        virtual.duration = duration
        // Bodies are read as they are before they are compressed.
        virtual.connection.acceptsCompression = false
        let ledger = BillLedger(of: sample, viewerPlan)
        let run = VirtualRun(
            virtual,
            viewerPlan,
            endpoints: endpoints,
            visits: sample.counted.sorted { ($0.joinsAt, $0.number) < ($1.joinsAt, $1.number) },
            nextNumber: schedule.nextNumber,
            target: OriginTarget(origin, at: base, acceptsGzip: plan.connection.acceptsCompression, ledger),
            transit: answerTime,
            observer: ledger
        )
        let unaccounted = run.finish()
        var bill = ledger.bill()
        bill.unaccounted = unaccounted
        return bill
    }
}
