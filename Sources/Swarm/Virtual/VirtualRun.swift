package import Audience
import Destinations
import EventLoop
package import LoadProfile
package import Time
import Viewer

/// A run without sockets and without waiting: a crowd on a clock that jumps, and a target in this process.
///
/// The crowd is that of a real run: what a plan asks for and comes to is not worked out a second time by other rules.
package struct VirtualRun {
    /// Any instant will do that is not the clock's own zero.
    package static let start = Instant(nanoseconds: 1_000_000_000_000)

    private let plan: LoadPlan
    private let clock = VirtualClock(at: Self.start)
    private let crowd: Crowd
    private let end = EndOfRun()

    /// - Parameters:
    ///   - plan: What to do.
    ///   - viewerPlan: The same for viewers, with a run that begins at `start`.
    ///   - endpoints: Where requests go.
    ///   - visits: Who joins, in the order of time.
    ///   - nextNumber: Number of the first replacement viewer.
    ///   - target: Answers.
    ///   - transit: How long an answer is on its way.
    ///   - observer: Watches every step.
    package init(
        _ plan: LoadPlan,
        _ viewerPlan: ViewerPlan,
        endpoints: TargetEndpoints,
        visits: [AudienceSchedule.Visit],
        nextNumber: Int,
        target: any VirtualTarget,
        transit: Duration,
        observer: (any ViewerObserver)? = nil
    ) {
        self.plan = plan
        crowd = VirtualTransport.crowd(
            CrowdSetup(
                loadPlan: plan,
                viewerPlan: viewerPlan,
                endpoints: endpoints,
                authorisedHosts: AuthorisedHosts(),
                joins: visits.map { CrowdSetup.Join($0, from: Self.start) },
                firstReplacement: nextNumber,
                replacementStride: 1,
                end: end,
                observer: observer
            ),
            clock: clock,
            target,
            VirtualNetwork(latency: transit)
        )
    }

    /// Runs to the last answer; to be called once.
    ///
    /// - Returns: Viewers that have not left and requests without an end: more than 0 is a defect of podswarm.
    package func finish() -> Int {
        clock.run(until: Self.start.later(by: plan.duration))
        end.begin(at: clock.now)
        crowd.stop {}
        clock.run(until: .distantFuture)
        let present = crowd.viewers.count { $0.machine.phase != .gone }
        defer { crowd.transport.shutDown {} }
        return present + crowd.transport.inFlight
    }
}
