/// A rule of podswarm that no document states.
package struct Assumption: Equatable, Sendable {
    package let statement: String
    /// The profile's fields that change it.
    package let settings: [ProfileSetting]

    package var text: String {
        "podswarm's assumption, changed by \(settings.map(\.rawValue).joined(separator: " and ")): \(statement)"
    }
}

/// A field of a profile that changes what podswarm assumes, by its path.
package enum ProfileSetting: String, CaseIterable, Sendable {
    /// Viewers that must get the same ads.
    case podMatching = "pods.match"
    /// Viewers that must be offered the same renditions.
    case ladderMatching = "pods.matchLadder"
    /// Parts of addresses that mark slate.
    case slate = "pods.slate"
    /// Share of viewers that ask a second time.
    case podRepeats = "pods.repeatShare"
    case podTolerance = "pods.durationTolerance"
    case adTolerance = "pods.adTolerance"
    case announcementTolerance = "breaks.announcementTolerance"
    case staleness = "playback.staleAfter"
    case startDistance = "audience.personas.start.targets"
    case listedMediaIDs = "target.podServing.mediaIDs"
    case sessionCookies = "target.podServing.sessionCookies"
    case redirects = "connection.maximumRedirects"
    /// Allowed share of a finding; it lifts every assumption without a setting of its own.
    case allowance = "allowFindings"
}
