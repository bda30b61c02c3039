import AdServing
import Glibc
import Profile
import Results
import Synchronization
import Transport
import Values
package import Viewer

struct CrowdSetup: Sendable {
    var loadPlan: LoadPlan
    var viewerPlan: ViewerPlan
    var endpoints: TargetEndpoints
    var authorisedHosts: AuthorisedHosts
    /// In the order of time.
    var visits: [AudienceSchedule.Visit] = []
    var sessions = GivenSessions()
    var firstReplacement = 0
    var replacementStride: Int
    /// Shared by all loops; nil where all requests go over libcurl.
    var tls: TLSContext?
    /// Shared by all loops.
    var bodyBudget = BodyBudget(bytes: .max)
    var end = EndOfRun()
    /// Shared by all loops.
    var channelBreaks = ChannelBreaks()
    var observer: (any ViewerObserver)?
    var exchanges = ExchangesAsked()

    var measuredFromMicroseconds: Int64 {
        let warmUp = loadPlan.windows.warmUp ?? .zero
        return warmUp > .zero ? (viewerPlan.timebase.wallStart + warmUp).microseconds : .min
    }
}

/// The instant at which a run began to end, visible to every loop at once, however busy.
final class EndOfRun: Sendable {
    private let nanoseconds = Atomic<Int64>(.max)

    /// Only the first call counts.
    func begin(at now: Instant) {
        _ = nanoseconds.compareExchange(expected: .max, desired: now.nanoseconds, ordering: .relaxed)
    }

    var beganAt: Instant? {
        let value = nanoseconds.load(ordering: .relaxed)
        return value == .max ? nil : Instant(nanoseconds: value)
    }
}

/// Breaks that viewers of any loop were due for; safe to use from any thread.
final class ChannelBreaks: Sendable {
    /// More than start within the period examined.
    private static let kept = 128

    private let met = Mutex<[ChannelBreak]>([])

    func add(_ breaks: [ChannelBreak], since start: Int64) -> [ChannelBreak] {
        met.withLock { met in
            met.removeAll { $0.startMicroseconds < start }
            for one in breaks where !met.contains(one) && met.count < Self.kept { met.append(one) }
            return met
        }
    }
}

struct StripedAudience {
    /// One element for each loop.
    let visits: [[AudienceSchedule.Visit]]
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
        let loops = max(1, min(most, GeneratorPlan.mostLoops, stripe.share(of: plan.audience.viewers)))
        let visits = visits ?? schedule.visits
        var byLoop = [[AudienceSchedule.Visit]](repeating: [], count: loops)
        for visit in visits { byLoop[stripe.loop(of: visit.number, among: loops)].append(visit) }
        (self.visits, self.stripe) = (byLoop, stripe)
        planned = visits.count
        course = plan.audience.curve == nil ? nil : schedule.course(over: plan.duration)
        nextNumber = whole.nextNumber
    }

    func firstReplacement(loop: Int) -> Int { nextNumber + stripe.index + stripe.count * loop }

    var replacementStride: Int { stripe.count * visits.count }
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

    package func share(of viewers: Int) -> Int { max(0, (viewers - index + count - 1) / count) }

    package func contains(_ number: Int) -> Bool { number % count == index }

    func loop(of number: Int, among loops: Int) -> Int { number / count % loops }

    package func part(of schedule: AudienceSchedule) -> AudienceSchedule {
        self == .whole ? schedule : schedule.part(contains)
    }
}
