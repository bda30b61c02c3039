import Values

/// Ping by which a player tells the ad server that it reached a moment of an ad.
package enum MediaVerification {
    /// Ad Manager, "Live stream client API".
    package enum Meaning: String, Hashable, Sendable {
        case recorded
        /// 202: counted later.
        case accepted
        /// 404: the media id is wrong, has been sent before, or has expired.
        case unknown
        /// 409: another client has sent it, which costs no one a count (Ad Manager, "Manage DAI livestreams").
        case sentByOthers
        case failed
    }

    package static func url(base: String, mediaID: String) -> String {
        base + (base.hasSuffix("/") ? "" : "/") + PercentEncoding.encode(mediaID)
    }

    package static func meaning(status: Int) -> Meaning {
        switch status {
        case 204: .recorded
        case 202: .accepted
        case 404: .unknown
        case 409: .sentByOthers
        default: .failed
        }
    }
}

/// Events of a viewer in a break, by the IMA SDK's names, in order.
package enum TrackingEvent: String, Hashable, Sendable, CaseIterable {
    case adBreakStarted = "AD_BREAK_STARTED"
    case adPeriodStarted = "AD_PERIOD_STARTED"
    case started = "STARTED"
    case firstQuartile = "FIRST_QUARTILE"
    case midpoint = "MIDPOINT"
    case thirdQuartile = "THIRD_QUARTILE"
    case complete = "COMPLETE"
    case adPeriodEnded = "AD_PERIOD_ENDED"
    case adBreakEnded = "AD_BREAK_ENDED"

    /// Nil for events that are not verified.
    package var metadataType: String? {
        switch self {
        case .started: "start"
        case .firstQuartile: "firstquartile"
        case .midpoint: "midpoint"
        case .thirdQuartile: "thirdquartile"
        case .complete: "complete"
        case .adBreakStarted, .adPeriodStarted, .adPeriodEnded, .adBreakEnded: nil
        }
    }
}
