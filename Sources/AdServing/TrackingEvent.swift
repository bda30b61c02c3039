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
