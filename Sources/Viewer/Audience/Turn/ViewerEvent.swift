package import AdServing
package import Rules
package import Values

/// At most one of each kind is pending.
package enum ViewerTimer: UInt8, CaseIterable, Sendable {
    case reload
    case metadata
    case registrationRetry
    case renewal
    /// For the next pod request: building of its URL, or opening of its connection.
    case breakPreparation
    /// A request of a break, or the end of its wait.
    case breakFetch
    case breakStart
    case adProgress
    case pictureInPicture
    case leave
    case reloadAudio
    case reloadSubtitles
    case buffering
    case steering
    /// A failed segment request is due again.
    case retry
    /// Check for nothing shown for as long as a user tolerates.
    case abandonment
    case sessionUpdate
}

/// Large payloads are indirect: an event of a poll is passed in registers and copied with its reference.
package enum ViewerEvent: Sendable {
    case join
    case timer(ViewerTimer)
    indirect case registered(StreamSession)
    case sessionEnded
    /// Without a usable answer; the status is nil without any answer.
    case registrationFailed(status: Int?, retryAfter: Int32? = nil)
    case multivariant(SharedMultivariant)
    /// `age`: seconds that the answer says it spent in caches.
    case playlist(SharedPlaylist, plannedAt: Instant, index: UInt8 = 0, age: UInt8 = 0)
    case playlistFailed(plannedAt: Instant, reason: LoadFailure = .other, index: UInt8 = 0)
    /// A delta update that does not fit the version in hand.
    case deltaUnusable(plannedAt: Instant, index: UInt8)
    /// Answer to a segment or part of the channel, or to a playlist of a variant that was left; nil is success.
    case mediaFinished(index: UInt8, failure: LoadFailure?)
    case steered(SharedSteering)
    case steeringFailed(SteeringFailure)
    indirect case breakAnswered(BreakAnswer)
    case breakCalled(PlannedBreak)
    case metadata(SessionMetadata?)
    case pingAnswered
    case requestFinished(ViewerRole, index: UInt8, succeeded: Bool)
    /// Leave as soon as the open requests are answered.
    case leave
}

package enum ViewerAction: Sendable {
    /// `index`: rendition, asset or download; `breakSerial` is 0 for none.
    case fetch(ViewerRole, url: String, plannedAt: Instant, index: UInt8 = 0, breakSerial: UInt16 = 0)
    /// Load the machine's `playlistURL` repeatedly, until its generation changes.
    case poll(plannedAt: Instant)
    case schedule(ViewerTimer, at: Instant)
    case cancel(ViewerTimer)
    case breakScheduled(PlannedBreak)
    /// Prepares the request, so that nothing is built at its instant.
    case preparePod(url: String)
    /// Opens a connection before the prepared pod request is sent.
    case warm
    case note(ViewerNote, of: PlannedBreak? = nil)
    /// A sentence without a full stop; a defect invalidates the run.
    case defect(String)
    /// The user closes the application and reopens it at this instant; the distant future is never.
    case abandon(reopensAt: Instant)
    /// Connections can be closed.
    case gone
}

package enum ViewerNote: Sendable, Equatable {
    case counted(ViewerCounter)
    case added(ViewerCounter, by: UInt64)
    case breakDue
    /// Nanoseconds from the break's start at the viewer's playhead to the pod in hand; negative is early.
    case breakOnTime(afterStart: Int64, inHandAt: Instant)
    case breakLate(by: Int64, inHandAt: Instant)
    case breakFailed(BreakFailure)
    case breakSkipped(SkipReason)
    /// The viewer could not know of the breaks that its playhead would have met in this time.
    indirect case shutOut(BreakFailure, from: Instant, until: Instant)
    case adEvent(TrackingEvent)
    case podInHand(AdTimeline)
    /// Nanoseconds; only ads that could be played to their end count as filled.
    case breakFilled(asked: Int64, filled: Int64)
    /// Listed for the first time since the viewer watches.
    case breakDiscovered(at: Instant)
    /// Hash over the ad segments of a stitched break; `segments` are names in the last version, without secrets.
    indirect case stitchedObserved(UInt64, segments: [String])
    indirect case finding(FindingCode, expected: String, observed: String)
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
        case unread
    }

    package let role: ViewerRole
    package let serial: UInt16
    /// Index of the asset; for an asset list the number of the attempt.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        (self.role, self.serial, self.index, self.content) = (role, serial, index, content)
    }
}
