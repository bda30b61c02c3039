import AdServing
import HLS

/// The break a viewer is waiting for, asking for, or playing: one at a time.
struct BreakState: Sendable {
    enum Phase: UInt8, Sendable {
        /// No break is in sight.
        case none
        case scheduled
        /// The pod was asked for and is not in hand.
        case asking
        /// The pod is in hand before the playhead reached the break.
        case ready
        /// The playhead is at the break and the pod is not in hand.
        case waiting
        case playing
    }

    var phase = Phase.none
    var scheduled: ScheduledBreak?
    var identifier: PodIdentifier?
    /// When the playhead reaches the break, monotonic nanoseconds.
    var startAt: Int64 = 0
    /// When the pod was in hand, monotonic nanoseconds.
    var inHandAt: Int64 = 0
    var hadOne = false
    /// In picture in picture when the playhead reached the break: ads start on return.
    var isDeferred = false
    /// Whether the pod never came: breaks that pass meanwhile are lost to the target as well.
    var hasFailed = false
    /// Whether it is already noted what the break came to.
    var isResolved = false
    var podPlaylist: MediaPlaylist?
    var podPlaylistURL = ""
    /// Place in the pod's list of segments of the one to load next.
    var nextPodItem = 0
    var content: AdTimeline?
    var adProgress = AdProgress()
    var tracking = TrackingState()
    var isRepeatDrawn = false

    /// True while no ads play: segments of the channel are wanted.
    var playsContent: Bool { self.phase != .playing }

    var wantsMetadata: Bool {
        switch self.phase {
        case .ready, .waiting, .playing: self.tracking.mediaIDs.isEmpty || !self.tracking.pending.isEmpty
        case .none, .scheduled, .asking: !self.tracking.pending.isEmpty
        }
    }
}
