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
    package var maximumRuns: Int
    package var maximumSeconds: Double
    /// 0 if the channel schedules the breaks.
    package var spacingMilliseconds: Int64
    package var restMilliseconds: Int64
    /// Longest time that the audience of a run waits for breaks of the channel; nil for the viewers' own breaks.
    package var watchSeconds: Double?
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
        maximumRuns: Int,
        maximumSeconds: Double,
        spacingMilliseconds: Int64,
        restMilliseconds: Int64,
        watchSeconds: Double? = nil,
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
        self.maximumRuns = maximumRuns
        self.maximumSeconds = maximumSeconds
        self.spacingMilliseconds = spacingMilliseconds
        self.restMilliseconds = restMilliseconds
        self.watchSeconds = watchSeconds
        self.viewers = viewers
        self.atLeast = atLeast
    }

    private enum CodingKeys: String, CodingKey {
        case quantity
        case hold
        case sharePercent = "share_percent"
        case withinPercent = "within_percent"
        case from
        case floor
        case ceiling
        case ceilingReason = "ceiling_reason"
        case breaksPerRun = "breaks_per_run"
        case maximumRuns = "runs_max"
        case maximumSeconds = "time_max_s"
        case spacingMilliseconds = "spacing_ms"
        case restMilliseconds = "rest_ms"
        case watchSeconds = "watch_max_s"
        case viewers
        case atLeast = "at_least"
    }
}

/// Identity of a search: profile, target, host and times.
package struct SearchDescription: Equatable, Codable, Sendable {
    package var id: String
    package var profileName: String
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
        profileName: String,
        profileDigest: String,
        seed: UInt64,
        labels: [String: String],
        target: String,
        host: HostFacts,
        startedAtMicroseconds: Int64
    ) {
        self.id = id
        self.profileName = profileName
        self.profileDigest = profileDigest
        self.seed = seed
        self.labels = labels
        self.target = target
        self.host = host
        self.startedAtMicroseconds = startedAtMicroseconds
        endedAtMicroseconds = startedAtMicroseconds
        spentSeconds = 0
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case profileName = "profile"
        case profileDigest = "profile_digest"
        case seed
        case labels
        case target
        case host
        case startedAtMicroseconds = "started_at_us"
        case endedAtMicroseconds = "ended_at_us"
        case spentSeconds = "spent_s"
        case shards
    }
}
