package import AdServing
package import Rulebook
package import Time

/// What a viewer can be woken for; one deadline of each kind is pending at a time.
package enum ViewerTimer: UInt8, CaseIterable, Sendable {
    case reload
    case metadata
    case registrationRetry
    case renewal
    /// The request of the viewer's own pod is to be made out, or its connection opened.
    case breakPreparation
    /// Something of a break is to be asked for, or not waited for any longer.
    case breakFetch
    /// The playhead reaches a break.
    case breakStart
    case adProgress
    case pictureInPicture
    case leave
    /// The other renditions' reload loops.
    case reloadAudio
    case reloadSubtitles
    /// More is to be buffered.
    case buffering
    case steering
    /// A request that failed is to be made again.
    case retry
    /// Nothing may have been shown for as long as a person bears.
    case abandonment
    /// What the ad server knows of the viewer is to be changed.
    case sessionUpdate
}

/// What the shell tells a viewer machine; answers come already understood, as values.
///
/// Large payloads stand apart: an event of a poll is passed on in registers and copied with its reference.
package enum ViewerEvent: Sendable {
    case join
    case timer(ViewerTimer)
    indirect case registered(StreamSession)
    /// The target says that the viewer's session is over.
    case sessionEnded
    /// No usable answer; the status is nil where none came.
    case registrationFailed(status: Int?)
    case multivariant(SharedMultivariant)
    /// `index` is that of the request; `age` is how many seconds the answer had spent in caches, -1 where it does not say.
    case playlist(SharedPlaylist, plannedAt: Instant, index: UInt8 = 0, age: Int32 = -1)
    case playlistFailed(plannedAt: Instant, reason: LoadFailure = .other, index: UInt8 = 0)
    /// A delta update that the version in hand does not fill.
    case deltaUnusable(plannedAt: Instant, index: UInt8)
    /// A segment or partial segment of the channel was answered, or a playlist of a variant that the viewer has left; nil
    /// says that it came.
    case mediaFinished(index: UInt8, failure: LoadFailure?)
    case steered(SharedSteering)
    case steeringFailed(SteeringFailure)
    /// What came of a request of a break.
    indirect case breakAnswered(BreakAnswer)
    /// Somebody calls for a break of all viewers.
    case breakCalled(PlannedBreak)
    case metadata(SessionMetadata?)
    case pingAnswered
    /// An answer that is counted and not read.
    case requestFinished(ViewerRole, index: UInt8, succeeded: Bool)
    /// The viewer is to leave as soon as its requests in flight are answered.
    case leave
}

/// What a viewer machine wants done.
package enum ViewerAction: Sendable {
    /// `index` tells requests of one role apart that are under way at once: which rendition, asset or download.
    /// `breakSerial` is of the viewer's break that the request is for; 0 for none.
    case fetch(ViewerRole, url: String, plannedAt: Instant, index: UInt8 = 0, breakSerial: UInt16 = 0)
    /// The live playlist is to be loaded, again and again from the machine's `playlistURL`, until its generation changes.
    case poll(plannedAt: Instant)
    case schedule(ViewerTimer, at: Instant)
    case cancel(ViewerTimer)
    /// The viewer's own break that comes next.
    case breakScheduled(PlannedBreak)
    /// The pod will soon be asked for at this URL: its request can be prepared, so that nothing is built at its instant.
    case preparePod(url: String)
    /// A connection is to be open when the prepared pod request is sent.
    case warm
    /// What happened, and the break that it happened to.
    case note(ViewerNote, of: PlannedBreak? = nil)
    /// The person closes the application, because nothing is shown, and opens it again then; the distant future: never.
    case abandon(reopensAt: Instant)
    /// Nothing is in flight and nothing will be asked again: connections can go.
    case gone
}

/// What happened to a viewer, for the measurement.
package enum ViewerNote: Sendable, Equatable {
    case counted(ViewerCounter)
    case added(ViewerCounter, by: UInt64)
    case breakDue
    /// `afterStart` is the nanoseconds from the break's instant at the viewer's playhead to the pod in hand; negative is
    /// early. `inHandAt` is when it was in hand.
    case breakOnTime(afterStart: Int64, inHandAt: Instant)
    case breakLate(by: Int64, inHandAt: Instant)
    case breakFailed(BreakFailure)
    case breakSkipped(SkipReason)
    /// The viewer could not know of the breaks that its playhead would have met in this time.
    indirect case shutOut(BreakFailure, from: Instant, until: Instant)
    case adEvent(TrackingEvent)
    case podInHand(AdTimeline)
    /// The break is over for a viewer that asked for its content: nanoseconds asked for, and those that ads filled that
    /// could be played to their end.
    case breakFilled(asked: Int64, filled: Int64)
    /// The break stands in the playlist for the first time since the viewer watches.
    case breakDiscovered(at: Instant)
    /// A hash over the ad segments of a stitched break, to be held against those of other viewers.
    ///
    /// `segments` are the names of those that the last version lists, without secrets.
    indirect case stitchedObserved(UInt64, segments: [String])
    indirect case finding(FindingCode, expected: String, observed: String)
    /// A delta update of the playlist at the URL led elsewhere than the whole playlist.
    indirect case deltaMismatched(DeltaMismatch, url: String, at: Instant)
}
