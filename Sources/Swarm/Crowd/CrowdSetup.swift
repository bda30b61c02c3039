import AdServing
import Audience
import BodyCoding
import Destinations
import LoadProfile
import Sockets
import Time
import Transport

/// All that a crowd is told before its first viewer joins.
struct CrowdSetup: Sendable {
    struct Join: Sendable, Equatable {
        var number: Int
        var at: Instant
        /// When the viewer leaves, or whoever has replaced it, without being replaced; nil: at the end.
        var leavesAt: Instant?

        init(number: Int, at: Instant, leavesAt: Instant? = nil) {
            (self.number, self.at, self.leavesAt) = (number, at, leavesAt)
        }

        /// Join of a planned visit in a run that starts at an instant.
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
    /// What all loops were given.
    var sessions = GivenSessions()
    /// Number of the first viewer that replaces one who left; the next is one stride further.
    var firstReplacement: Int
    var replacementStride: Int
    /// Trust that all loops share; nil where nothing goes over the own exchange.
    var tls: TLSContext?
    /// Memory for bodies, which all loops share.
    var bodyBudget = BodyBudget(bytes: .max)
    var end = EndOfRun()
    /// What viewers of all loops were told of.
    var channelBreaks = ChannelBreaks()
    var observer: (any ViewerObserver)?
    /// Breaks that start before this instant of the wall clock belong to the warm-up.
    var measuredFromMicroseconds: Int64 = .min
}
