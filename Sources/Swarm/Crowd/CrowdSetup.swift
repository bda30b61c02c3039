import AdServing
import Profile
import Results
import Synchronization
import Transport
import Values
import Viewer

struct CrowdSetup: Sendable {
    struct Join: Sendable, Equatable {
        var number: Int
        var at: Instant
        /// Leaving for good; nil: at the end.
        var leavesAt: Instant?

        init(number: Int, at: Instant, leavesAt: Instant? = nil) {
            (self.number, self.at, self.leavesAt) = (number, at, leavesAt)
        }

        init(_ visit: AudienceSchedule.Visit, from start: Instant) {
            self.init(
                number: visit.number,
                at: start &+ visit.joinsAt,
                leavesAt: visit.leavesAt == .max ? nil : start.later(by: visit.leavesAt)
            )
        }
    }

    var loadPlan: LoadPlan
    var viewerPlan: ViewerPlan
    var endpoints: TargetEndpoints
    var authorisedHosts: AuthorisedHosts
    /// In the order of time.
    var joins: [Join]
    var sessions = GivenSessions()
    var firstReplacement: Int
    var replacementStride: Int
    /// Shared by all loops; nil where all requests go over libcurl.
    var tls: TLSContext?
    /// Shared by all loops.
    var bodyBudget = BodyBudget(bytes: .max)
    var end = EndOfRun()
    /// Shared by all loops.
    var channelBreaks = ChannelBreaks()
    var observer: (any ViewerObserver)?
    var measuredFromMicroseconds: Int64 = .min
}

struct Seats {
    private var coming: ArraySlice<CrowdSetup.Join> = []
    private var free: [Int] = []

    init() {}

    init(_ joins: [CrowdSetup.Join]) { coming = joins[...] }

    var nextJoin: Instant? { coming.first?.at }

    /// `count` includes free seats.
    mutating func seatNext(at now: Instant, of count: Int) -> (join: CrowdSetup.Join, seat: Int)? {
        guard let join = coming.first, join.at <= now else { return nil }
        coming.removeFirst()
        return (join, free.popLast() ?? count)
    }

    mutating func leave(_ seat: Int) { free.append(seat) }
}

/// Kept and arriving answers share one memory budget.
extension BodyBudget: MemoryAccount {}

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
