import AdServing

@testable import Profile

extension BreakPlan {
    /// Breaks of ten seconds that are called for, besides those of other sources.
    static func called(
        _ trigger: TriggerPlan = TriggerPlan(),
        besides others: [Source] = [],
        lead: Duration = .zero
    ) -> BreakPlan {
        BreakPlan(
            source: Source(others + [.trigger(trigger)]),
            podIdentifier: .synchronised,
            identifierTemplate: "break-{start}",
            podDuration: .seconds(10),
            trigger: .rendezvous,
            lead: lead,
            jitter: .zero,
            grace: .seconds(1),
            preconnect: .zero
        )
    }
}
