import Glibc
import Profile
import Values
import Viewer

struct StripedAudience {
    let joins: [[CrowdSetup.Join]]
    let planned: Int
    /// Number of viewers over time; nil where all join and stay.
    let course: AudienceCourse?
    /// The first number that no planned viewer has, in this process or another.
    private let nextNumber: Int
    private let stripe: AudienceStripe

    /// `visits` replace those of the plan; without `loops` the plan or the number of cores decides.
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

    /// Number of the first viewer of a loop that replaces one that left; the next is one stride further.
    func firstReplacement(loop: Int) -> Int { nextNumber + stripe.index + stripe.count * loop }

    var replacementStride: Int { stripe.count * joins.count }
}
