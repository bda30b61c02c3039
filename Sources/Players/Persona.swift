/// How one player behaves on the wire: every number of it, each with its source in the table that makes it.
///
/// Behaviour is read from these facts and never from the name, so that a profile can override any of them.
package struct Persona: Sendable, Equatable {
    package var name: String
    package var reload: ReloadFacts
    package var lowLatency: LowLatencyFacts
    package var start: StartFacts
    package var interstitials: InterstitialFacts
    package var requests: RequestFacts
    package var pathways: PathwayFacts
    package var outage: OutageFacts
    /// Downloads of one viewer at once (RFC 8216 section 10 advises a small number, such as four).
    package var maximumDownloads: Int
    /// Paths of facts, such as `interstitials.retries`, that no good source confirms.
    package var unconfirmed: [String]

    package init(
        name: String,
        reload: ReloadFacts,
        lowLatency: LowLatencyFacts,
        start: StartFacts,
        interstitials: InterstitialFacts,
        requests: RequestFacts,
        pathways: PathwayFacts = PathwayFacts(),
        outage: OutageFacts = OutageFacts(),
        maximumDownloads: Int = 4,
        unconfirmed: [String] = []
    ) {
        self.name = name
        self.reload = reload
        self.lowLatency = lowLatency
        self.start = start
        self.interstitials = interstitials
        self.requests = requests
        self.pathways = pathways
        self.outage = outage
        self.maximumDownloads = maximumDownloads
        self.unconfirmed = unconfirmed
    }
}

/// A part of the audience that behaves alike.
package struct PersonaShare: Sendable, Equatable {
    package var persona: Persona
    /// Weight beside the other shares; not necessarily a part of one.
    package var share: Double

    package init(_ persona: Persona, share: Double) {
        self.persona = persona
        self.share = share
    }
}

/// When a media playlist is loaded again.
package struct ReloadFacts: Sendable, Equatable {
    package enum Basis: String, Sendable, CaseIterable {
        /// Duration of the last segment (bis-22 section 6.3.4).
        case lastSegment = "last-segment"
        /// The target duration (RFC 8216 section 6.3.4).
        case targetDuration = "target-duration"
        /// The target duration, or the last segment where that is shorter and playback within four target durations of
        /// the live edge (hls.js).
        case shorterNearEdge = "shorter-near-edge"
    }

    package enum Unchanged: String, Sendable, CaseIterable {
        case halfTarget = "half-target"
        case lastSegment = "last-segment"
    }

    package enum Clock: String, Sendable, CaseIterable {
        /// From when the last load began.
        case loadStart = "load-start"
        /// From when the last load was complete, so that the cadence drifts by a round trip.
        case completion
        /// From completion less an exponentially weighted mean of past load times.
        case smoothedCompletion = "smoothed-completion"
    }

    package var afterChange: Basis
    package var unchanged: Unchanged
    package var clock: Clock
    /// All selected renditions are loaded at the same time instead of each in a loop of its own.
    package var loadsRenditionsTogether: Bool
    /// Target durations without a change after which the player takes the playlist for stuck; nil waits for ever.
    package var stuckAfterTargets: Double?

    package init(
        afterChange: Basis,
        unchanged: Unchanged,
        clock: Clock,
        loadsRenditionsTogether: Bool = false,
        stuckAfterTargets: Double? = nil
    ) {
        self.afterChange = afterChange
        self.unchanged = unchanged
        self.clock = clock
        self.loadsRenditionsTogether = loadsRenditionsTogether
        self.stuckAfterTargets = stuckAfterTargets
    }
}

/// What a player makes of delivery directives (bis-22 section 6.2.5).
package struct LowLatencyFacts: Sendable, Equatable {
    package enum Skip: String, Sendable, CaseIterable {
        case never
        /// Only while the playlist in hand is younger than half the skip boundary (bis-22 section 6.3.7).
        case whenYoung = "when-young"
        case always
    }

    package enum Blocking: String, Sendable, CaseIterable {
        case never
        /// Where the server offers it.
        case always
        /// Where the server offers it and the last load advanced.
        case afterAdvance = "after-advance"
    }

    package var blocking: Blocking
    package var skip: Skip
    /// Asks for `v2`, which leaves out old date ranges too, where the server offers that.
    package var skipsDateRanges: Bool
    /// Directives are dropped when the last advance was longer ago than this many target durations; nil never.
    package var dropsDirectivesAfterTargets: Double?
    /// A request with directives that failed is sent again without them.
    package var retriesWithoutDirectives: Bool
    package var loadsHints: Bool
    package var usesRenditionReports: Bool
    /// Whether all parameters of a request with directives are sorted (bis-22 section 6.2.5).
    ///
    /// Otherwise `_HLS_msn`, `_HLS_part` and `_HLS_skip` follow the parameters of the URL. Caches keep the two apart.
    package var sortsParameters: Bool
    /// Tuning in asks for no more than this many target durations (bis-22 appendix C); nil for all that is missing.
    package var tuneInTargets: Double?
    /// The first wait before retries of playlists and segments while the channel has parts; nil: as elsewhere.
    package var retryWait: Duration?

    package init(
        blocking: Blocking,
        skip: Skip,
        skipsDateRanges: Bool = false,
        dropsDirectivesAfterTargets: Double? = nil,
        retriesWithoutDirectives: Bool = true,
        loadsHints: Bool = false,
        usesRenditionReports: Bool = false,
        sortsParameters: Bool = true,
        tuneInTargets: Double? = nil,
        retryWait: Duration? = nil
    ) {
        self.blocking = blocking
        self.skip = skip
        self.skipsDateRanges = skipsDateRanges
        self.dropsDirectivesAfterTargets = dropsDirectivesAfterTargets
        self.retriesWithoutDirectives = retriesWithoutDirectives
        self.loadsHints = loadsHints
        self.usesRenditionReports = usesRenditionReports
        self.sortsParameters = sortsParameters
        self.tuneInTargets = tuneInTargets
        self.retryWait = retryWait
    }

    package static let none = LowLatencyFacts(blocking: .never, skip: .never)
}

/// Where playback of a live channel begins.
package struct StartFacts: Sendable, Equatable {
    package enum Point: String, Sendable, CaseIterable {
        /// EXT-X-START, then (PART-)HOLD-BACK, then `targets` target durations from the edge.
        case startTagThenHoldBack = "start-tag-then-hold-back"
        /// (PART-)HOLD-BACK, then `targets` target durations.
        case holdBack = "hold-back"
        /// HOLD-BACK, then the sum of the last `targets` segments.
        case holdBackThenSegments = "hold-back-then-segments"
    }

    package var point: Point
    package var targets: Double

    package init(point: Point, targets: Double = 3) {
        self.point = point
        self.targets = targets
    }
}

/// What a player does about interstitials.
package struct InterstitialFacts: Sendable, Equatable {
    package enum Trigger: Sendable, Equatable {
        /// The primary is buffered up to the break (bis-22 appendix D.1).
        case buffered
        /// The primary is buffered to the break; or, live, to within a target duration of the edge while the break is
        /// less than `lookAhead` past the edge (hls.js).
        case bufferedOrEdge(lookAhead: Duration)
        /// The playhead is this many target durations ahead of the break.
        case playheadTargets(Double)
        /// The playhead is this long ahead of the break.
        case playhead(Duration)
        /// As soon as it is in a playlist.
        case discovery
        /// Interstitials are not played.
        case never
    }

    package enum Preload: String, Sendable, CaseIterable {
        case ignored
        /// At a uniformly random point of the preload range (bis-22 appendix F).
        case randomPoint = "random-point"
        case rangeStart = "range-start"
    }

    package var trigger: Trigger
    package var preload: Preload
    package var sendsPrimaryID: Bool
    package var sendsStartOffset: Bool
    /// Asset lists are loaded one at a time, whatever number is due.
    package var loadsOneListAtATime: Bool
    /// All assets of a list are loaded as soon as the list is there, instead of each when the one before is buffered.
    package var loadsAssetsTogether: Bool
    package var sendsBeacons: Bool

    package init(
        trigger: Trigger,
        preload: Preload = .ignored,
        sendsPrimaryID: Bool = true,
        sendsStartOffset: Bool = true,
        loadsOneListAtATime: Bool = false,
        loadsAssetsTogether: Bool = false,
        sendsBeacons: Bool = true
    ) {
        self.trigger = trigger
        self.preload = preload
        self.sendsPrimaryID = sendsPrimaryID
        self.sendsStartOffset = sendsStartOffset
        self.loadsOneListAtATime = loadsOneListAtATime
        self.loadsAssetsTogether = loadsAssetsTogether
        self.sendsBeacons = sendsBeacons
    }
}

/// What a player makes of a channel's pathways (bis-22 section 7).
package struct PathwayFacts: Sendable, Equatable {
    /// Asks who steers the channel; otherwise it stays on the pathway that it began on.
    package var followsSteering: Bool
    /// How long a pathway that failed is not used.
    package var penalty: Duration

    package init(followsSteering: Bool = true, penalty: Duration = .seconds(120)) {
        self.followsSteering = followsSteering
        self.penalty = penalty
    }
}
