import Audience
package import Time
import Viewer

/// The instants at which polls leave together: each is put off to the next one.
///
/// A loop that polls for thousands of viewers wakes up once a slot and not once a poll, which is half of what a paced poll
/// costs. What a slot puts off is planned: lateness counts from the slot's instant.
package struct PollSlots: Sendable {
    private let nanoseconds: Int64

    /// - Parameter length: Zero or less lets every poll leave at its own instant.
    package init(length: Duration) { nanoseconds = max(0, length.nanosecondsHeld) }

    /// The first slot that does not begin before an instant: rules that say how long to wait at least are kept.
    ///
    /// - Parameter deadline: When the poll would leave by itself.
    /// - Returns: The same for all loops and runs of one machine, so that a cadence of whole slots never drifts.
    package func slot(for deadline: Instant) -> Instant {
        guard nanoseconds > 0, deadline > .zero, deadline != .distantFuture else { return deadline }
        let over = deadline.nanoseconds % nanoseconds
        return over == 0 ? deadline : deadline.later(by: nanoseconds - over)
    }
}

extension ViewerTimer {
    /// Whether it wakes a viewer for a poll, and not for what has an instant of its own, as a break has.
    var isOfPolls: Bool {
        switch self {
        case .reload, .reloadAudio, .reloadSubtitles, .metadata, .steering: true
        case .registrationRetry, .renewal, .breakPreparation, .breakFetch, .breakStart, .adProgress, .pictureInPicture,
            .leave, .buffering, .retry, .abandonment, .sessionUpdate:
            false
        }
    }
}
