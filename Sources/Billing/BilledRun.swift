package import Audience
package import LoadProfile
package import Origin
import Swarm
package import Time

/// What a plan asks for, counted in a run on a clock that jumps, against the reference origin.
///
/// What no viewer can know is taken for good: each request is sent at the instant at which it was planned, and each
/// answer comes in full.
package struct BilledRun {
    /// Where requests go; all of it is below `base`.
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

    /// For how long a few viewers are asked first, where a quarter of the run is not.
    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    /// What the run asks for.
    ///
    /// - Parameter origin: Makes one that nobody has asked yet.
    /// - Returns: The bill.
    package func bill(origin: () throws -> OriginService) rethrows -> RunBill {
        let timebase = Timebase(start: VirtualRun.start, wallStart: start)
        let viewerPlan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        let schedule = AudienceSchedule(plan, runStart: start)
        let sample = ViewerSample(of: schedule.visits) { viewerPlan.personaIndex(ofViewer: $0) }
        // How much viewers ask for is known when a few have asked for a while.
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
        let unaccounted = run.outcome().unaccounted
        var bill = ledger.bill()
        bill.unaccounted = unaccounted
        return bill
    }
}
