package import RunResult

/// What was asked of a search.
package struct CapacityQuestion: Equatable, Codable, Sendable {
    /// What is looked for.
    package enum Quantity: String, Codable, Sendable, CaseIterable {
        /// The most viewers whose break holds.
        case viewers
        /// The least spread of the viewers' requests with which the break of an audience holds.
        case jitter = "breaks.jitter"
        /// The least time before the break at which an audience asks for its pods.
        case lead = "breaks.lead"

        /// Whether more of it makes a break harder to hold.
        package var isHarderWithMore: Bool { self == .viewers }

        /// As it stands behind a number.
        package var unit: String { self == .viewers ? "viewers" : "ms" }
    }

    package var quantity: Quantity
    /// What each break must be like, as thresholds are written.
    package var hold: [String]
    /// Of breaks that hold at the capacity.
    package var sharePercent: Double
    /// How far the ends of the interval may be from the answer.
    package var withinPercent: Double
    /// In viewers, or milliseconds.
    package var from: Double
    package var floor: Double
    package var ceiling: Double
    /// What the ceiling follows from, where nobody gave it.
    package var ceilingReason: String?
    package var breaksPerRun: Int
    package var maximumRuns: Int
    package var maximumSeconds: Double
    /// 0 where the channel schedules the breaks.
    package var spacingMilliseconds: Int64
    package var restMilliseconds: Int64
    /// How long the audience of a run waits for breaks of the channel, at most; nil where breaks are the viewers' own.
    package var watchSeconds: Double?
    /// Viewers that watch, where something else is looked for.
    package var viewers: Int?
    /// What the answer must be at least, where somebody asked for that.
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

/// Which search it is: of what, where, when.
package struct SearchDescription: Equatable, Codable, Sendable {
    package var id: String
    package var profileName: String
    /// Of the profile as it was given, before any audience of the search.
    package var profileDigest: String
    package var seed: UInt64
    package var labels: [String: String]
    package var target: String
    package var host: HostFacts
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Time that was spent, in all parts of a search that was interrupted.
    package var spentSeconds: Double
    /// How many processes made its runs; nil for one.
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
