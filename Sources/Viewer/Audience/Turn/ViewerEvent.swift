package import AdServing
package import Rules
package import Values

/// Timers of a viewer; at most one of each kind is pending.
package enum ViewerTimer: UInt8, CaseIterable, Sendable {
    case reload
    case metadata
    case registrationRetry
    case renewal
    /// Building of the next pod request's URL, or opening of its connection.
    case breakPreparation
    /// A request of a break, or the end of its wait.
    case breakFetch
    case breakStart
    case adProgress
    case pictureInPicture
    case leave
    case reloadAudio
    case reloadSubtitles
    /// More is to be buffered.
    case buffering
    case steering
    /// A failed segment request is due again.
    case retry
    /// Check for nothing shown for as long as a user tolerates.
    case abandonment
    case sessionUpdate
}

/// Event from the shell to a viewer machine; answers are already parsed.
///
/// Large payloads are indirect: an event of a poll is passed in registers and copied with its reference.
package enum ViewerEvent: Sendable {
    case join
    case timer(ViewerTimer)
    indirect case registered(StreamSession)
    /// The target reported the end of the viewer's session.
    case sessionEnded
    /// Without a usable answer; the status is nil without any answer.
    case registrationFailed(status: Int?, retryAfter: Int32? = nil)
    case multivariant(SharedMultivariant)
    /// `index` is that of the request; `age` is the seconds that the answer says it spent in caches.
    case playlist(SharedPlaylist, plannedAt: Instant, index: UInt8 = 0, age: UInt8 = 0)
    case playlistFailed(plannedAt: Instant, reason: LoadFailure = .other, index: UInt8 = 0)
    /// A delta update that does not fit the version in hand.
    case deltaUnusable(plannedAt: Instant, index: UInt8)
    /// Answer to a segment or partial segment of the channel, or to a playlist of a variant that was left; nil is success.
    case mediaFinished(index: UInt8, failure: LoadFailure?)
    case steered(SharedSteering)
    case steeringFailed(SteeringFailure)
    indirect case breakAnswered(BreakAnswer)
    case breakCalled(PlannedBreak)
    case metadata(SessionMetadata?)
    case pingAnswered
    /// An answer that is counted and not read.
    case requestFinished(ViewerRole, index: UInt8, succeeded: Bool)
    /// Leave as soon as the open requests are answered.
    case leave
}

package enum ViewerAction: Sendable {
    /// `index` distinguishes simultaneous requests of one role: rendition, asset or download.
    ///
    /// `breakSerial` is that of the viewer's break; 0 for none.
    case fetch(ViewerRole, url: String, plannedAt: Instant, index: UInt8 = 0, breakSerial: UInt16 = 0)
    /// Load the live playlist repeatedly from the machine's `playlistURL`, until its generation changes.
    case poll(plannedAt: Instant)
    case schedule(ViewerTimer, at: Instant)
    case cancel(ViewerTimer)
    /// The viewer's next own break.
    case breakScheduled(PlannedBreak)
    /// The pod will soon be requested at this URL: the request can be prepared, so that nothing is built at its instant.
    case preparePod(url: String)
    /// Open a connection before the prepared pod request is sent.
    case warm
    case note(ViewerNote, of: PlannedBreak? = nil)
    /// Podswarm itself erred, as a sentence without a full stop; nothing of the run can be trusted any more.
    case defect(String)
    /// The user closes the application because nothing is shown, and reopens it at an instant; the distant future is never.
    case abandon(reopensAt: Instant)
    /// No request is open and none will follow, so connections can be closed.
    case gone
}

package enum ViewerNote: Sendable, Equatable {
    case counted(ViewerCounter)
    case added(ViewerCounter, by: UInt64)
    case breakDue
    /// `afterStart` is nanoseconds from the break's start at the viewer's playhead to the pod in hand; negative is early.
    case breakOnTime(afterStart: Int64, inHandAt: Instant)
    case breakLate(by: Int64, inHandAt: Instant)
    case breakFailed(BreakFailure)
    case breakSkipped(SkipReason)
    /// The viewer could not know of the breaks that its playhead would have met in this time.
    indirect case shutOut(BreakFailure, from: Instant, until: Instant)
    case adEvent(TrackingEvent)
    case podInHand(AdTimeline)
    /// Nanoseconds of ads requested for a finished break, and nanoseconds filled by ads that could be played to their end.
    case breakFilled(asked: Int64, filled: Int64)
    /// The break is listed for the first time since the viewer watches.
    case breakDiscovered(at: Instant)
    /// Hash over the ad segments of a stitched break, to compare with other viewers.
    ///
    /// `segments` are the names of those that the last version lists, without secrets.
    indirect case stitchedObserved(UInt64, segments: [String])
    indirect case finding(FindingCode, expected: String, observed: String)
    /// The merge of a delta update differs from the full playlist at the URL.
    indirect case deltaMismatched(DeltaMismatch, url: String, at: Instant)
}

package struct BreakAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        /// Nil if media ids of ads are not read.
        case segment(SegmentMediaIDs?)
        case failed(BreakLoadFailure)
        /// Counted and not read: the break is over, or the request was a repeat for comparison.
        case unread
    }

    package let role: ViewerRole
    package let serial: UInt16
    /// Index of the asset; for an asset list the number of the attempt.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        self.role = role
        self.serial = serial
        self.index = index
        self.content = content
    }
}
