/// Outcome of a break for one viewer; all recorded figures follow from this value alone.
package enum BreakOutcome: Sendable, Equatable {
    /// Its ads were played to their end.
    case finished
    /// A playout limit ended its ads.
    case cutShort
    case skipped
    /// None of it was played, and the target was not at fault.
    case leftOut(SkipReason)
    /// The viewer could not ask yet because it had only just begun to join.
    case beforePlayback
    /// None of it could be played.
    case failed(BreakFailure)
    /// Its source withdrew it before it began.
    case cancelled
    /// The viewer left before it was over.
    case left
    /// It was over before the viewer knew of it.
    case past

    /// Outcome of breaks whose pods were due during this one.
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

    /// Nil where the viewer never took part in the break.
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
