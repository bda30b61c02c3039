package import CapacityResult
package import Curves
import Time

/// What happens in one run of a search, and who watches.
package enum RunCourse: Equatable, Sendable {
    /// Breaks of the viewers' own, at instants that the search chooses.
    case listed(RunTimetable)
    /// Breaks of the channel, whenever they come.
    case awaited(AwaitedBreaks)

    /// The most who watch at once.
    package var viewers: Int {
        switch self {
        case .listed(let timetable): timetable.viewers
        case .awaited(let awaited): awaited.viewers
        }
    }

    /// The most that the run takes.
    package var duration: Duration {
        switch self {
        case .listed(let timetable): timetable.duration
        case .awaited(let awaited): awaited.duration
        }
    }

    /// How many watch over time, as the profile would say it.
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

    /// After how many judged breaks enough was seen; nil where the run is as long as its breaks are.
    var enough: Int? {
        switch self {
        case .listed: nil
        case .awaited(let awaited): awaited.count
        }
    }

    /// How many are to watch so long after the start of the run.
    package func planned(at offset: Duration) -> Int {
        let level = AudienceCurve(viewers: viewers, points: points).level(at: offset.nanosecondsHeld)
        return max(0, Int(level.rounded()))
    }

    /// The breaks of a run that has ended, with those of which nothing was counted though their time had come.
    ///
    /// - Parameters:
    ///   - judged: What was counted.
    ///   - start: Of the run, in microseconds since the Unix epoch.
    ///   - end: When it ended.
    ///   - grace: So long after its start a break could not be judged yet.
    ///   - abortedBy: The condition that ended the run early; nil where none did.
    /// - Returns: In the order of their starts.
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
