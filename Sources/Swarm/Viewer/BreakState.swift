import AdServing
package import HLS

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
    var hadOne = false
    /// In picture in picture when the playhead reached the break: ads start on return.
    var isDeferred = false
    /// Whether the pod never came: breaks that pass meanwhile are lost to the target as well.
    var hasFailed = false
    /// Whether it is already noted what the break came to.
    var isResolved = false
    /// Whether it is noted what became of the break as an event.
    var isSettled = true
    var isRepeatDrawn = false
    /// Pings go out one after another, so that a slow target is not met with ever more connections.
    var isPinging = false
    var planned: PlannedBreak?
    /// When the pod is to be asked for, monotonic nanoseconds.
    var fetchAt: Int64 = 0
    /// When the playhead reaches the break, monotonic nanoseconds.
    var startAt: Int64 = 0
    /// When the pod was in hand, monotonic nanoseconds.
    var inHandAt: Int64 = 0
    /// The pod's URL, built shortly before it is asked for; empty until then.
    var podURL = ""
    /// Where the session of that URL has its pings sent; a renewed one may have another place before the ads begin.
    var podVerificationURL: String?
    private var kept: [BreakCourse] = []

    var scheduled: ScheduledBreak? { self.planned?.scheduled }

    /// What is known of a break that goes on; a viewer between breaks carries an empty reference.
    var course: BreakCourse {
        get { self.kept.first ?? BreakCourse() }
        _modify {
            if self.kept.isEmpty {
                self.kept.append(BreakCourse())
            }
            yield &self.kept[0]
        }
    }

    var keepsCourse: Bool { !self.kept.isEmpty }

    /// Lets go of what only a break that goes on needs, but for pings whose ids may still become known.
    mutating func endCourse() {
        guard let course = self.kept.first else { return }
        if course.tracking.pending.isEmpty {
            self.kept = []
        } else {
            self.kept[0].loading = nil
            self.kept[0].content = nil
        }
    }

    /// True while no ads play: segments of the channel are wanted.
    var playsContent: Bool { self.phase != .playing }

    /// True from asking for a pod to the end of its ads.
    var isGoingOn: Bool { self.phase != .none && self.phase != .scheduled }

    /// True while the viewer's own break has the playhead: no interstitial can begin.
    var holdsPlayhead: Bool { self.phase == .waiting || self.phase == .playing }

    var wantsMetadata: Bool {
        switch self.phase {
        case .ready, .waiting, .playing: self.course.tracking.mediaIDs.isEmpty || !self.course.tracking.pending.isEmpty
        case .none, .scheduled, .asking: !self.course.tracking.pending.isEmpty
        }
    }
}

/// What a viewer knows of a break while it goes on.
struct BreakCourse: Sendable {
    /// The pod whose parts are loaded one after another.
    var loading: PodLoading?
    var content: AdTimeline?
    var adProgress = AdProgress()
    /// Requests for the pod that were made and failed.
    var failedAttempts: UInt8 = 0
    var tracking = TrackingState()
}

/// How far the loading of a pod has come.
struct PodLoading: Sendable {
    let pod: LoadedPod
    /// Place in the pod's list of segments of the one to load next.
    var nextItem = 0
}

/// A pod's or an asset's media playlist and the URL that its references resolve against.
package final class LoadedPod: Sendable {
    let playlist: MediaPlaylist
    let url: String
    let content: AdTimeline

    package init(_ playlist: MediaPlaylist, url: String) {
        self.playlist = playlist
        self.url = url
        self.content = AdTimeline(playlist)
    }
}
