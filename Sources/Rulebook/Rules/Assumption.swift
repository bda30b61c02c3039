/// What podswarm takes for right or wrong although nobody wrote it down.
package struct Assumption: Equatable, Sendable {
    package let statement: String
    /// What changes it, in a profile.
    package let settings: [ProfileSetting]

    /// Called by its name, with what changes it.
    package var text: String {
        "podswarm's assumption, changed by \(settings.map(\.rawValue).joined(separator: " and ")): \(statement)"
    }
}

/// A field of a profile that changes what podswarm assumes, by its path.
package enum ProfileSetting: String, CaseIterable, Sendable {
    /// Which viewers must get the same ads.
    case podMatching = "pods.match"
    /// Which viewers must be offered the same renditions.
    case ladderMatching = "pods.matchLadder"
    /// By what an address says that it is slate.
    case slate = "pods.slate"
    /// How many viewers ask a second time.
    case podRepeats = "pods.repeatShare"
    /// How far a pod or asset may be from its duration.
    case podTolerance = "pods.durationTolerance"
    /// How much further for each ad.
    case adTolerance = "pods.adTolerance"
    /// How far apart the times of one break may be.
    case announcementTolerance = "breaks.announcementTolerance"
    /// How long a live playlist may bring nothing new.
    case staleness = "playback.staleAfter"
    /// How far from the live edge players begin.
    case startDistance = "audience.personas.start.targets"
    /// Whether metadata lists media ids as they are, or what they begin with.
    case listedMediaIDs = "target.podServing.mediaIDs"
    /// Which cookies are one viewer's session.
    case sessionCookies = "target.podServing.sessionCookies"
    /// How many redirects are followed.
    case redirects = "connection.maximumRedirects"
    /// How much of a finding is let pass: what lifts every assumption that has no setting of its own.
    case allowance = "allowFindings"
}
