package import Rules
package import Viewer

/// Requests of a run, counted before it.
package struct RunBill: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var count = 0
        /// Two standard errors of the count: its uncertainty because only some viewers were counted.
        package var error = 0
        /// Bytes of the answers' bodies, as they are sent.
        package var bodyBytes = 0
        /// The most requests within 100 ms.
        package var peak = 0
        /// Start of those 100 ms, in milliseconds from the start of the run.
        package var peakAtMilliseconds = 0

        package init() {}
    }

    package struct Second: Sendable, Equatable {
        /// From the start of the run.
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

    /// Without kinds that have no request.
    package var lines: [RequestKind: Line] = [:]
    package var total = Line()
    /// The seconds with the most requests, the most body bytes, and the most joins.
    package var busySeconds: [Second] = []
    /// Viewers that join, including those that replace others.
    package var joined = 0
    package var replaced = 0
    /// Breaks that at least one viewer is due for.
    package var breaks = 0
    /// Breaks due, summed over the viewers.
    package var breaksDue = 0
    /// Renewed sessions; their requests are registrations.
    package var renewals = 0
    /// Requests that would be sent if impressions were allowed.
    package var pingsWithheld = 0
    package var beaconsWithheld = 0
    package var adSegmentsWithheld = 0
    /// Viewers counted one by one; their sums are extrapolated to all.
    package var counted = 0
    /// Viewers that the plan lets join, without replacements.
    package var planned = 0
    /// Viewers that never left and requests without an end: more than 0 is a defect of podswarm.
    package var unaccounted = 0
    /// Number of viewers over time; nil where all join and stay.
    package var course: AudienceCourse?

    package init() {}
}
