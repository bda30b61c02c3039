import HLS
import Measurement

// What the breaks of a viewer are told by its playback.
extension ViewerMachine {
    /// A version of the live playlist that brings anything new.
    mutating func programmeChanged(_ shared: SharedPlaylist, now: Int64, actions: inout [ViewerAction]) {
        self.considerAnnounced(shared.announced, now: now, actions: &actions)
    }

    /// The end of what is buffered has moved.
    mutating func bufferAdvanced(now: Int64, actions: inout [ViewerAction]) {}

    /// The playhead is not where it would have been: a stall or a seek has ended, or playback has begun.
    mutating func playheadShifted(now: Int64, actions: inout [ViewerAction]) {}
}
