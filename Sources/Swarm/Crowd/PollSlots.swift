package import Values
import Viewer

/// Polls wait for the next slot: a loop wakes up once a slot and not once a poll, which is half of a paced poll's cost.
///
/// Lateness counts from the slot's instant.
package struct PollSlots: Sendable {
    private let nanoseconds: Int64

    /// Zero or less lets every poll leave at its own instant.
    package init(length: Duration) { nanoseconds = max(0, length.nanosecondsHeld) }

    /// Never before the instant: minimum waits are kept.
    ///
    /// All loops and runs of one machine have the same slots, so that a cadence of whole slots never drifts.
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
