package struct CapacityQuestion: Equatable, Codable, Sendable {
    package enum Quantity: String, Codable, Sendable, CaseIterable {
        case viewers
        /// The least spread of requests at which the break of an audience holds.
        case jitter = "breaks.jitter"
        /// The least time before the break at which the audience can ask for its pods and the break still holds.
        case lead = "breaks.lead"

        package var isHarderWithMore: Bool { self == .viewers }

        package var unit: String { self == .viewers ? "viewers" : "ms" }
    }

    package var quantity: Quantity
    /// Conditions of each break, spelled as thresholds.
    package var hold: [String]
    package var sharePercent: Double
    /// Largest distance of the interval's ends from the answer.
    package var withinPercent: Double
    /// Viewers or milliseconds.
    package var from: Double
    package var floor: Double
    package var ceiling: Double
    /// The reason for a ceiling that the user did not give.
    package var ceilingReason: String?
    package var breaksPerRun: Int
    package var runsMaximum: Int
    package var timeMaximumSeconds: Double
    /// 0 if the channel schedules the breaks.
    package var spacingMilliseconds: Int64
    package var restMilliseconds: Int64
    /// Longest time that the audience of a run waits for breaks of the channel; nil for the viewers' own breaks.
    package var watchMaximumSeconds: Double?
    /// The audience, if the quantity is a time.
    package var viewers: Int?
    /// Least acceptable answer, if the user gave one.
    package var atLeast: Double?

    package init(
        quantity: Quantity,
        hold: [String],
        sharePercent: Double,
        withinPercent: Double,
        from: Double,
        floor: Double,
        ceiling: Double,
        ceilingReason: String? = nil,
        breaksPerRun: Int,
        runsMaximum: Int,
        timeMaximumSeconds: Double,
        spacingMilliseconds: Int64,
        restMilliseconds: Int64,
        watchMaximumSeconds: Double? = nil,
        viewers: Int? = nil,
        atLeast: Double? = nil
    ) {
        self.quantity = quantity
        self.hold = hold
        self.sharePercent = sharePercent
        self.withinPercent = withinPercent
        self.from = from
        self.floor = floor
        self.ceiling = ceiling
        self.ceilingReason = ceilingReason
        self.breaksPerRun = breaksPerRun
        self.runsMaximum = runsMaximum
        self.timeMaximumSeconds = timeMaximumSeconds
        self.spacingMilliseconds = spacingMilliseconds
        self.restMilliseconds = restMilliseconds
        self.watchMaximumSeconds = watchMaximumSeconds
        self.viewers = viewers
        self.atLeast = atLeast
    }
}

/// Identity of a search: profile, target, host and times.
package struct SearchDescription: Equatable, Codable, Sendable {
    package var id: String
    package var profile: String
    /// Digest of the given profile, before the search changes its audience.
    package var profileDigest: String
    package var seed: UInt64
    package var labels: [String: String]
    package var target: String
    package var host: HostFacts
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Sum over all parts of an interrupted search.
    package var spentSeconds: Double
    /// Processes of each run; nil for one.
    package var shards: Int?

    package init(
        id: String,
        profile: String,
        profileDigest: String,
        seed: UInt64,
        labels: [String: String],
        target: String,
        host: HostFacts,
        startedAtMicroseconds: Int64
    ) {
        self.id = id
        self.profile = profile
        self.profileDigest = profileDigest
        self.seed = seed
        self.labels = labels
        self.target = target
        self.host = host
        self.startedAtMicroseconds = startedAtMicroseconds
        endedAtMicroseconds = startedAtMicroseconds
        spentSeconds = 0
    }
}
