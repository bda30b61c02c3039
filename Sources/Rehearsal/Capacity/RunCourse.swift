package import Profile
package import Results
import Values

/// Breaks and audience of one run of a search.
package enum RunCourse: Equatable, Sendable {
    /// The viewers' own breaks, at instants that the search chooses.
    case listed(RunTimetable)
    case awaited(AwaitedBreaks)

    /// Peak of concurrent viewers.
    package var viewers: Int {
        switch self {
        case .listed(let timetable): timetable.viewers
        case .awaited(let awaited): awaited.viewers
        }
    }

    package var duration: Duration {
        switch self {
        case .listed(let timetable): timetable.duration
        case .awaited(let awaited): awaited.duration
        }
    }

    package var points: [CurvePoint] {
        switch self {
        case .listed(let timetable): timetable.points
        case .awaited(let awaited): awaited.points
        }
    }

    /// Breaks that begin earlier after the start of the run are not judged.
    var firstJudged: Duration {
        switch self {
        case .listed: .zero
        case .awaited(let awaited): awaited.settled
        }
    }

    /// Judged breaks after which the run ends; nil for a run with a fixed timetable.
    var enough: Int? {
        switch self {
        case .listed: nil
        case .awaited(let awaited): awaited.count
        }
    }

    /// Planned viewers at an offset from the start of the run.
    package func planned(at offset: Duration) -> Int {
        let level = AudienceCurve(viewers: viewers, points: points).level(at: offset.nanosecondsHeld)
        return max(0, Int(level.rounded()))
    }

    /// Adds lost breaks: those that were due but not counted, or one if a condition ended the run.
    ///
    /// Instants are in microseconds since the Unix epoch. A break can be judged from `grace` after its start on. Breaks are in
    /// the order of their starts.
    package func withLost(
        _ judged: [JudgedBreak],
        start: Int64,
        end: Int64,
        grace: Duration,
        abortedBy: String?
    ) -> [JudgedBreak] {
        switch self {
        case .listed(let timetable):
            timetable.withLost(judged, start: start, end: end, grace: grace, abortedBy: abortedBy)
        case .awaited(let awaited): awaited.withLost(judged, end: end, abortedBy: abortedBy)
        }
    }
}
