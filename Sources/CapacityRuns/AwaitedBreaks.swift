package import CapacityResult
package import Curves
import Time

/// One run of a search through breaks that the channel schedules.
///
/// When they come is not known, and so one audience joins, settles, and watches until enough of them were judged.
package struct AwaitedBreaks: Equatable, Sendable {
    /// Sessions and playlists are there so long after the last join: an assumption.
    private static let settling = Duration.seconds(10)

    package let viewers: Int
    /// After so many judged breaks the run has seen enough.
    package let count: Int
    /// How long the audience takes to join.
    package let joining: Duration
    /// So long it watches at most, from when it has settled.
    package let longest: Duration

    /// - Parameters:
    ///   - viewers: Of the whole run, one at least.
    ///   - count: How many breaks are enough, one at least.
    ///   - longest: How long the audience watches at most.
    ///   - joinsPerSecond: How fast the profile's own audience joins.
    package init(viewers: Int, count: Int, longest: Duration, joinsPerSecond: Double) {
        self.viewers = max(1, viewers)
        self.count = max(1, count)
        self.longest = max(longest, .seconds(1))
        joining = RunTimetable.joining(self.viewers, perSecond: joinsPerSecond)
    }

    /// Breaks that begin earlier find an audience that is not all there, and are not judged.
    package var settled: Duration { joining + Self.settling }

    /// The most that the run takes.
    package var duration: Duration { settled + longest }

    /// How many watch over time, as the profile would say it.
    package var points: [CurvePoint] { [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: 1)] }

    /// The breaks of a run that has ended, with the one that cannot be told where a condition ended it.
    ///
    /// A target that loses so much that a condition ends the run would have missed the next break.
    ///
    /// - Parameters:
    ///   - judged: What was counted.
    ///   - end: Of the run, in microseconds since the Unix epoch.
    ///   - abortedBy: The condition that ended the run; nil where none did.
    /// - Returns: In the order of their starts.
    package func withLost(_ judged: [JudgedBreak], end: Int64, abortedBy: String?) -> [JudgedBreak] {
        guard let abortedBy else { return judged }
        return judged + [.lost(startMicroseconds: end, planned: viewers, reason: "the run was ended by \(abortedBy)")]
    }
}
