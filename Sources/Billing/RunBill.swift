package import Audience
package import Rulebook

/// What a run will ask for, counted before it.
package struct RunBill: Sendable, Equatable {
    /// Requests of one kind, or of all.
    package struct Line: Sendable, Equatable {
        package var count = 0
        /// Two standard errors of the count: how far off it may be because only some viewers were counted.
        package var error = 0
        /// Bytes of the answers' bodies, as they are sent.
        package var bodyBytes = 0
        /// The most of them that are sent within 100 ms.
        package var peak = 0
        /// When those 100 ms begin, in milliseconds from the start of the run.
        package var peakAtMilliseconds = 0

        package init() {}
    }

    /// One whole second of the run.
    package struct Second: Sendable, Equatable {
        /// When it begins, from the start of the run.
        package var atSeconds: Int
        package var requests: Double
        package var bodyBytes: Double
        package var joins: Double

        package init(atSeconds: Int, requests: Double, bodyBytes: Double, joins: Double) {
            self.atSeconds = atSeconds
            self.requests = requests
            self.bodyBytes = bodyBytes
            self.joins = joins
        }
    }

    /// By kind; kinds that nobody asks for are left out.
    package var lines: [RequestKind: Line] = [:]
    package var total = Line()
    /// The seconds in which most is asked, most is answered, and most viewers come.
    package var busySeconds: [Second] = []
    /// Viewers that join, those that replace others among them.
    package var joined = 0
    /// Viewers that replace others.
    package var replaced = 0
    /// Breaks that at least one viewer is due for.
    package var breaks = 0
    /// The same summed over the viewers.
    package var breaksDue = 0
    /// Sessions that are renewed; their requests are registrations.
    package var renewals = 0
    /// What would be sent if impressions were allowed.
    package var pingsWithheld = 0
    package var beaconsWithheld = 0
    package var adSegmentsWithheld = 0
    /// How many were counted one by one; their sums stand for all.
    package var counted = 0
    /// Viewers that the plan lets join, those apart that replace others.
    package var planned = 0
    /// Viewers that never left and requests without an end: more than 0 is a defect of podswarm.
    package var unaccounted = 0
    /// How many of them are to watch over time; nil where all join and stay.
    package var course: AudienceCourse?

    package init() {}
}
