/// Actions that are neither timed nor judged; public as ``RequestKind`` is.
public enum ViewerCounter: UInt8, NamedCase, Sendable {
    case joined, startedWatching, left, churned
    case registered, registrationFailed, registrationRetried, registrationRenewed, registrationFailedOver
    case unchangedPolls, bodiesReused, bodiesParsed
    case podsFollowed, breaksBeforePlayback, playoutLimited, leftDuringAds
    case enteredPictureInPicture, leftPictureInPicture
    case adBreakStarted, adPeriodStarted, adStarted, adFirstQuartile, adMidpoint, adThirdQuartile, adComplete,
        adPeriodEnded, adBreakEnded, rejoinedLiveEdge
    case pingsSent, pingsLost, pingsRecorded, pingsAccepted, pingsUnknown, pingsSentByOthers, pingsFailed
    /// Requested break time, and the length of the pods received.
    case podAskedMilliseconds
    case podFilledMilliseconds
    /// The live edge lay in the future: the clocks of both ends disagree.
    case liveEdgeAhead
    /// Each scheduled event ends as exactly one of finished, cut short, cancelled, failed, skipped and left.
    case eventsScheduled
    case eventsStarted, eventsFinished, eventsCutShort, eventsCancelled, eventsFailed, eventsSkipped
    /// The viewer left, or the run ended, before the outcome was known.
    case eventsLeft
    /// Skips and jumps that X-RESTRICT forbade.
    case eventsRestricted
    case eventsChanged
    /// The playhead reached the end of the loaded media.
    case stalls
    case stalledMilliseconds, variantSwitches, seeks
    case deltaUpdates, deltaRefetches, blockingReloads, blockingFallbacks, hintsUsed, hintsGone
    case steeringSwitches, steeringDelayed, preloadsTaken, assetListsRepeated, joinedMidBreak
    case beaconsSent, beaconsFailed, stitchedBreaks
    /// Requests that would have been sent if impressions were allowed.
    case pingsWithheld
    case beaconsWithheld, adSegmentsWithheld
    /// Part of `pingsUnknown`: listed ids that may be only prefixes of whole ids.
    case pingsOfPrefixes
    case retries
    /// `playersClosed` is part of `playersStopped`, which gave up.
    case playersStopped
    case playersClosed
    /// Nothing was shown; abandoned viewers reopened the application or were lost.
    case abandoned
    case reopened, lost
    /// Updates skipped because the registration named no address for them.
    case sessionUpdatesWithoutURL
    /// Updates skipped because the session was being registered or updated.
    case sessionUpdatesOverlapped
    /// Pods and announcements that came in time and that podswarm read too late.
    case podsHandledLate
    /// Answers with Retry-After, and requests that waited for it.
    case retryAfterAnswers
    case retryAfterWaits
    /// Viewers of loaded content that were shown its first picture, and their time from then until they left, stalls
    /// included.
    case firstPictures
    case watchedMilliseconds

    package static let names = CaseNames<Self>()
}

/// Limits of `report.by`: a viewer's values are counted by numbers of a byte.
package enum ReportedGroups {
    package static let mostNames = 8
    /// Over all names.
    package static let mostValues = 64
}
