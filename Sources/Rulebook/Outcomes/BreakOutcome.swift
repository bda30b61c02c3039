/// What a break came to for one viewer.
///
/// What the measurement is told follows from this value alone.
package enum BreakOutcome: Sendable, Equatable {
    /// Its ads were played to their end.
    case finished
    /// A playout limit ended its ads.
    case cutShort
    /// The viewer pressed skip.
    case skipped
    /// Nothing of it was played, for no fault of the target.
    case leftOut(SkipReason)
    /// The viewer could not ask yet because it had only just begun to join.
    case beforePlayback
    /// Nothing of it could be played.
    case failed(BreakFailure)
    /// Its source took it back before it began.
    case cancelled
    /// The viewer left before it was over.
    case left
    /// It was over before the viewer knew of it.
    case past

    /// What breaks come to whose pods were to be asked for while this one was not over.
    ///
    /// While its ads played, such a break is left out; while its pod was still awaited, the target has lost it too. A viewer
    /// that is shut out loses it for the same cause.
    package var ofMissed: BreakOutcome {
        switch self {
        case .failed(let failure): .failed(failure.isShutOut ? failure : .deadlineMissed)
        case .beforePlayback: .beforePlayback
        default: .leftOut(.duringAds)
        }
    }

    /// What is counted; nil where the break was none of the viewer's.
    package var counter: ViewerCounter? {
        switch self {
        case .finished: .eventsFinished
        case .cutShort: .eventsCutShort
        case .skipped, .leftOut, .beforePlayback: .eventsSkipped
        case .failed: .eventsFailed
        case .cancelled: .eventsCancelled
        case .left: .eventsLeft
        case .past: nil
        }
    }
}
