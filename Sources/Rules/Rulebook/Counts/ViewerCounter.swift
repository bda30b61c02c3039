/// Counts of viewers' actions that are neither timed nor judged.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum ViewerCounter: UInt8, NamedCase, Sendable {
    case joined
    case startedWatching
    case left
    case churned
    case registered
    case registrationFailed
    case registrationRetried
    case registrationRenewed
    case registrationFailedOver
    case unchangedPolls
    case bodiesReused
    case bodiesParsed
    case podsFollowed
    case breaksBeforePlayback
    case playoutLimited
    case leftDuringAds
    case enteredPictureInPicture
    case leftPictureInPicture
    case adBreakStarted
    case adPeriodStarted
    case adStarted
    case adFirstQuartile
    case adMidpoint
    case adThirdQuartile
    case adComplete
    case adPeriodEnded
    case adBreakEnded
    case rejoinedLiveEdge
    case pingsSent
    case pingsLost
    case pingsRecorded
    case pingsAccepted
    case pingsUnknown
    case pingsSentByOthers
    case pingsFailed
    /// Requested break time, and the length of the pods received.
    case podAskedMilliseconds
    case podFilledMilliseconds
    /// New playlists whose live edge lay in the future: the clocks of both ends disagree.
    case liveEdgeAhead
    /// Interstitial events: each scheduled one ends as exactly one of finished, cut short, cancelled, failed, skipped and left.
    case eventsScheduled
    case eventsStarted
    case eventsFinished
    case eventsCutShort
    case eventsCancelled
    case eventsFailed
    case eventsSkipped
    /// The viewer left, or the run ended, before the outcome of an event was known.
    case eventsLeft
    /// Skips and jumps that X-RESTRICT forbade.
    case eventsRestricted
    case eventsChanged
    /// The playhead reached the end of the loaded media.
    case stalls
    case stalledMilliseconds
    case variantSwitches
    case seeks
    case deltaUpdates
    case deltaRefetches
    case blockingReloads
    case blockingFallbacks
    case hintsUsed
    case hintsGone
    case steeringSwitches
    case steeringDelayed
    case preloadsTaken
    case assetListsRepeated
    case joinedMidBreak
    case beaconsSent
    case beaconsFailed
    case stitchedBreaks
    /// Requests that would have been sent if impressions were allowed: pings, beacons, segments of ads.
    case pingsWithheld
    case beaconsWithheld
    case adSegmentsWithheld
    /// Part of `pingsUnknown`: pings for listed ids that may be only prefixes of whole ids.
    case pingsOfPrefixes
    /// Requests repeated after a failure.
    case retries
    /// Players that gave up, and those of them that were closed since.
    case playersStopped
    case playersClosed
    /// Viewers that left because nothing was shown; those of them that opened the application again, and those that did not.
    case abandoned
    case reopened
    case lost
    /// Updates skipped because the registration named no address for them.
    case sessionUpdatesWithoutURL
    /// Updates skipped because the session was being registered or updated.
    case sessionUpdatesOverlapped
    /// Breaks whose pod or announcement came in time and was read too late by podswarm.
    case podsHandledLate
    /// Answers that said with Retry-After when to ask again, and requests that waited for it.
    case retryAfterAnswers
    case retryAfterWaits

    package static let names = CaseNames<Self>()
}
