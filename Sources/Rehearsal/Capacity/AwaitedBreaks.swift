package import Profile
package import Results
import Values

/// One run of a search with breaks that the channel schedules.
///
/// Their times are unknown, so one audience joins, settles, and watches until enough breaks were judged.
package struct AwaitedBreaks: Equatable, Sendable {
    /// Time for sessions and playlists after the last join: an assumption.
    private static let settling = Duration.seconds(10)

    package let viewers: Int
    /// Judged breaks after which the run ends.
    package let count: Int
    package let joining: Duration
    /// Longest watch time after the audience has settled.
    package let longest: Duration

    /// `viewers` and `count` are at least 1; `joinsPerSecond` is that of the profile's own audience.
    package init(viewers: Int, count: Int, longest: Duration, joinsPerSecond: Double) {
        self.viewers = max(1, viewers)
        self.count = max(1, count)
        self.longest = max(longest, .seconds(1))
        joining = RunTimetable.joining(self.viewers, perSecond: joinsPerSecond)
    }

    /// Earlier breaks are not judged, because the audience is not complete.
    package var settled: Duration { joining + Self.settling }

    package var duration: Duration { settled + longest }

    package var points: [CurvePoint] { [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: 1)] }

    /// Adds a lost break if a condition ended the run.
    ///
    /// A target that loses enough for a condition to end the run would have missed the next break. `end` is in microseconds
    /// since the Unix epoch. Breaks are in the order of their starts.
    package func withLost(_ judged: [JudgedBreak], end: Int64, abortedBy: String?) -> [JudgedBreak] {
        guard let abortedBy else { return judged }
        return judged + [.lost(startMicroseconds: end, planned: viewers, reason: "the run was ended by \(abortedBy)")]
    }
}
