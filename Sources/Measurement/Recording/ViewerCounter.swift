/// Things viewers do that are counted and neither timed nor judged.
package enum ViewerCounter: UInt8, CaseIterable, Sendable {
    case joined
    case left
    case churned
    case registered
    case registrationFailed
    case registrationRenewed
    case registrationFailedOver
    case polls
    case unchangedPolls
    case bodiesReused
    case bodiesParsed
    case metadataPolls
    case podsFollowed
    case breaksDeferredByPictureInPicture
    case breaksLostByPictureInPicture
    case playoutLimited
    case adBreakStarted
    case adPeriodStarted
    case adStarted
    case adFirstQuartile
    case adMidpoint
    case adThirdQuartile
    case adComplete
    case adPeriodEnded
    case adBreakEnded
    case pingsSent
    case pingsRecorded
    case pingsAccepted
    case pingsUnknown
    case pingsFailed
    case unauthorisedHostSkipped

    static let count = allCases.count

    /// The stable name used in thresholds and results.
    package var name: String {
        switch self {
        case .joined: "joined"
        case .left: "left"
        case .churned: "churned"
        case .registered: "registered"
        case .registrationFailed: "registration_failed"
        case .registrationRenewed: "registration_renewed"
        case .registrationFailedOver: "registration_failed_over"
        case .polls: "polls"
        case .unchangedPolls: "unchanged_polls"
        case .bodiesReused: "bodies_reused"
        case .bodiesParsed: "bodies_parsed"
        case .metadataPolls: "metadata_polls"
        case .podsFollowed: "pods_followed"
        case .breaksDeferredByPictureInPicture: "breaks_deferred_by_picture_in_picture"
        case .breaksLostByPictureInPicture: "breaks_lost_by_picture_in_picture"
        case .playoutLimited: "playout_limited"
        case .adBreakStarted: "ad_break_started"
        case .adPeriodStarted: "ad_period_started"
        case .adStarted: "ad_started"
        case .adFirstQuartile: "ad_first_quartile"
        case .adMidpoint: "ad_midpoint"
        case .adThirdQuartile: "ad_third_quartile"
        case .adComplete: "ad_complete"
        case .adPeriodEnded: "ad_period_ended"
        case .adBreakEnded: "ad_break_ended"
        case .pingsSent: "pings_sent"
        case .pingsRecorded: "pings_recorded"
        case .pingsAccepted: "pings_accepted"
        case .pingsUnknown: "pings_unknown"
        case .pingsFailed: "pings_failed"
        case .unauthorisedHostSkipped: "unauthorised_host_skipped"
        }
    }
}
