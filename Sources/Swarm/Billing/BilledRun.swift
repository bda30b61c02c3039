package import Profile
import Transport
import Values
import Viewer

/// Bill of a plan, counted in a virtual run against the reference origin.
///
/// Assumptions: each request is sent at its planned instant, and each answer arrives in full.
package struct BilledRun {
    /// Above about this many requests only some viewers are counted, so that a bill takes about a second at most.
    package var requestLimit = 25_000
    private let plan: LoadPlan

    package init(_ plan: LoadPlan) { self.plan = plan }

    /// Bounds of the pilot run, which otherwise lasts a quarter of the run.
    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    /// A defect of podswarm that makes the run unreliable.
    package struct Defect: Error {
        package let reason: String
    }

    /// Counts the requests of the run; `origin` makes a fresh origin for each of two runs.
    ///
    /// Throws errors of `origin`, and `Defect`.
    package func bill(before origin: () throws -> VirtualOrigin) async throws -> RunBill {
        let first = try origin()
        let viewerPlan = ViewerPlan(plan, endpoints: first.endpoints, timebase: first.timebase)
        let schedule = AudienceSchedule(plan, runStart: first.timebase.wallStart)
        let sample = ViewerSample(of: schedule.visits) { viewerPlan.personaIndex(ofViewer: $0) }
        // A pilot run of a few viewers tells how many viewers fit the limit.
        let glance = min(plan.duration, max(Self.leastGlance, min(plan.duration / 4, Self.longestGlance)))
        let few = sample.sized(share: 0).joiningAtOnce
        let asked = try await count(few, for: glance, viewerPlan, first)
        let requests =
            Double(asked.total.count) / few.viewerSeconds(of: glance)
            * sample.sized(share: 1).viewerSeconds(of: plan.duration)
        let share = Double(requestLimit) / max(requests, 1)
        var bill = try await count(sample.sized(share: share), for: plan.duration, viewerPlan, origin())
        bill.planned = schedule.visits.count
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
        var bill = ledger.bill()
        let pulse = await swarm.pulse()
        bill.unaccounted = pulse.requestsInFlight + pulse.viewersByPhase.reduce(0, +) - pulse.viewers(.gone)
        await swarm.shutDown()
        if let reason = pulse.harnessFailure { throw Defect(reason: reason) }
        return bill
    }
}
