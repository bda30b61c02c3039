import Glibc
import Profile
import Values
package import Viewer

struct StripedAudience {
    let joins: [[CrowdSetup.Join]]
    let planned: Int
    let course: AudienceCourse?
    /// No planned viewer of any process has it.
    private let nextNumber: Int
    private let stripe: AudienceStripe

    /// `visits` replace those of the plan.
    init(
        _ plan: LoadPlan,
        _ stripe: AudienceStripe,
        _ timebase: Timebase,
        visits: [AudienceSchedule.Visit]? = nil,
        loops wanted: Int? = nil
    ) {
        let whole = AudienceSchedule(plan, runStart: timebase.wallStart)
        let schedule = stripe.part(of: whole)
        let most = wanted ?? plan.generator.loops ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let loops = max(1, min(most, stripe.share(of: plan.audience.viewers)))
        var joins = [[CrowdSetup.Join]](repeating: [], count: loops)
        let visits = visits ?? schedule.visits
        for visit in visits {
            joins[stripe.loop(of: visit.number, among: loops)].append(
                CrowdSetup.Join(visit, from: timebase.start)
            )
        }
        self.joins = joins
        self.stripe = stripe
        planned = visits.count
        course = plan.audience.curve == nil ? nil : schedule.course(over: plan.duration)
        nextNumber = whole.nextNumber
    }

    func firstReplacement(loop: Int) -> Int { nextNumber + stripe.index + stripe.count * loop }

    var replacementStride: Int { stripe.count * joins.count }
}

/// Every `count`-th viewer, from `index` on, for one of several processes.
///
/// Viewers keep their numbers of an undivided run, and so their joins, cohorts and random choices.
package struct AudienceStripe: Sendable, Equatable {
    package let index: Int
    package let count: Int

    package static let whole = AudienceStripe(0, of: 1)

    package init(_ index: Int, of count: Int) {
        self.count = max(1, count)
        self.index = min(max(0, index), self.count - 1)
    }

    /// Number of these viewers in the stripe.
    package func share(of viewers: Int) -> Int { max(0, (viewers - index + count - 1) / count) }

    package func contains(_ number: Int) -> Bool { number % count == index }

    func loop(of number: Int, among loops: Int) -> Int { number / count % loops }

    /// The visits of the stripe's viewers.
    package func part(of schedule: AudienceSchedule) -> AudienceSchedule {
        self == .whole ? schedule : schedule.part(contains)
    }
}
