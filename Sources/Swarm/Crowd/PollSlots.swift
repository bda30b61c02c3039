package import Values
import Viewer

/// The instants at which polls leave together: each poll waits for the next one.
///
/// A loop that polls for thousands of viewers wakes up once a slot and not once a poll, which is half of a paced poll's cost.
/// The delay is planned: lateness counts from the slot's instant.
package struct PollSlots: Sendable {
    private let nanoseconds: Int64

    /// Zero or less lets every poll leave at its own instant.
    package init(length: Duration) { nanoseconds = max(0, length.nanosecondsHeld) }

    /// The first slot that does not begin before an instant: minimum waits are kept.
    ///
    /// The slots of all loops and runs of one machine are the same, so that a cadence of whole slots never drifts.
    package func slot(for deadline: Instant) -> Instant {
        guard nanoseconds > 0, deadline > .zero, deadline != .distantFuture else { return deadline }
        let over = deadline.nanoseconds % nanoseconds
        return over == 0 ? deadline : deadline.later(by: nanoseconds - over)
    }
}

extension ViewerTimer {
    var isOfPolls: Bool {
        switch self {
        case .reload, .reloadAudio, .reloadSubtitles, .metadata, .steering: true
        case .registrationRetry, .renewal, .breakPreparation, .breakFetch, .breakStart, .adProgress, .pictureInPicture,
            .leave, .buffering, .retry, .abandonment, .sessionUpdate:
            false
        }
    }
}
