/// Counts of viewers' actions that are neither timed nor judged.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum ViewerCounter: UInt8, CaseIterable, Sendable {
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

    /// The stable name used in thresholds and results.
    public var name: String {
        switch self {
        case .joined: "joined"
        case .startedWatching: "started_watching"
        case .left: "left"
        case .churned: "churned"
        case .registered: "registered"
        case .registrationFailed: "registration_failed"
        case .registrationRetried: "registration_retried"
        case .registrationRenewed: "registration_renewed"
        case .registrationFailedOver: "registration_failed_over"
        case .unchangedPolls: "unchanged_polls"
        case .bodiesReused: "bodies_reused"
        case .bodiesParsed: "bodies_parsed"
        case .podsFollowed: "pods_followed"
        case .breaksBeforePlayback: "breaks_before_playback"
        case .playoutLimited: "playout_limited"
        case .leftDuringAds: "left_during_ads"
        case .enteredPictureInPicture: "entered_picture_in_picture"
        case .leftPictureInPicture: "left_picture_in_picture"
        case .adBreakStarted: "ad_break_started"
        case .adPeriodStarted: "ad_period_started"
        case .adStarted: "ad_started"
        case .adFirstQuartile: "ad_first_quartile"
        case .adMidpoint: "ad_midpoint"
        case .adThirdQuartile: "ad_third_quartile"
        case .adComplete: "ad_complete"
        case .adPeriodEnded: "ad_period_ended"
        case .adBreakEnded: "ad_break_ended"
        case .rejoinedLiveEdge: "rejoined_live_edge"
        case .pingsSent: "pings_sent"
        case .pingsLost: "pings_lost"
        case .pingsRecorded: "pings_recorded"
        case .pingsAccepted: "pings_accepted"
        case .pingsUnknown: "pings_unknown"
        case .pingsSentByOthers: "pings_sent_by_others"
        case .pingsFailed: "pings_failed"
        case .podAskedMilliseconds: "pod_asked_ms"
        case .podFilledMilliseconds: "pod_filled_ms"
        case .liveEdgeAhead: "live_edge_ahead"
        case .eventsScheduled: "events_scheduled"
        case .eventsStarted: "events_started"
        case .eventsFinished: "events_finished"
        case .eventsCutShort: "events_cut_short"
        case .eventsCancelled: "events_cancelled"
        case .eventsFailed: "events_failed"
        case .eventsSkipped: "events_skipped"
        case .eventsLeft: "events_left"
        case .eventsRestricted: "events_restricted"
        case .eventsChanged: "events_changed"
        case .stalls: "stalls"
        case .stalledMilliseconds: "stalled_ms"
        case .variantSwitches: "variant_switches"
        case .seeks: "seeks"
        case .deltaUpdates: "delta_updates"
        case .deltaRefetches: "delta_refetches"
        case .blockingReloads: "blocking_reloads"
        case .blockingFallbacks: "blocking_fallbacks"
        case .hintsUsed: "hints_used"
        case .hintsGone: "hints_gone"
        case .steeringSwitches: "steering_switches"
        case .steeringDelayed: "steering_delayed"
        case .preloadsTaken: "preloads_taken"
        case .assetListsRepeated: "asset_lists_repeated"
        case .joinedMidBreak: "joined_mid_break"
        case .beaconsSent: "beacons_sent"
        case .beaconsFailed: "beacons_failed"
        case .stitchedBreaks: "stitched_breaks"
        case .pingsWithheld: "pings_withheld"
        case .beaconsWithheld: "beacons_withheld"
        case .adSegmentsWithheld: "ad_segments_withheld"
        case .pingsOfPrefixes: "pings_of_prefixes"
        case .retries: "retries"
        case .playersStopped: "players_stopped"
        case .playersClosed: "players_closed"
        case .abandoned: "abandoned"
        case .reopened: "reopened"
        case .lost: "lost"
        case .sessionUpdatesWithoutURL: "session_updates_without_url"
        case .sessionUpdatesOverlapped: "session_updates_overlapped"
        case .podsHandledLate: "pods_handled_late"
        }
    }

    /// The counter with this stable name, or nil.
    public init?(name: String) {
        guard let counter = Self.byName[name] else { return nil }
        self = counter
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
