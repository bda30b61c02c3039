package import Rulebook

/// What one loop's breaks and findings became in one interval: each that changed, whole.
///
/// A record replaces the one of the same loop and key, so that a lost interval would cost counts and never double them.
package struct LoopChanges: Equatable, Codable, Sendable {
    package var loop: Int
    package var breaks: [BreakRecord]
    package var findings: [FindingLedger.Row]
    /// Nil where none changed.
    package private(set) var shutOuts: [ShutOut.Row]?

    package init(
        loop: Int,
        breaks: [BreakRecord] = [],
        findings: [FindingLedger.Row] = [],
        shutOuts: [ShutOut.Row] = []
    ) {
        self.loop = loop
        self.breaks = breaks
        self.findings = findings
        self.shutOuts = shutOuts.isEmpty ? nil : shutOuts
    }

    var isEmpty: Bool { breaks.isEmpty && findings.isEmpty && shutOuts == nil }

    private enum CodingKeys: String, CodingKey {
        case loop
        case breaks
        case findings
        case shutOuts = "shut_outs"
    }
}

/// About one second of a run, over all loops: the step from which totals, windows and series are folded.
///
/// Lasts longer where the machine stood still: intervals follow one another without gaps, whatever happens.
package struct RunInterval: Equatable, Sendable {
    /// From 0, without gaps.
    package var number: Int
    /// Offsets from the start of the run on the monotonic clock.
    package var startMicroseconds: Int64
    package var endMicroseconds: Int64
    /// The wall clock at the end, since the Unix epoch.
    package var wallMicroseconds: Int64
    package var requests: RequestSums
    /// What viewers did, by counter, without the zeros.
    package var viewers: [ViewerCounter: UInt64]
    /// Viewers that came, by the number of their persona.
    package var personaViewers: [UInt64]
    /// One for each loop where anything changed.
    package var changes: [LoopChanges]
    /// Requests for a break that found every record taken.
    package var breaksNotKept: UInt64
    /// How late late pods were, of breaks that began in the measured part of the run and of those of the warm-up.
    package var breakLateness: SparseHistogram
    package var warmUpBreakLateness: SparseHistogram
    /// The wall clock less the live edge at each new playlist with dates; below zero counts as 0.
    package var liveEdgeAge: SparseHistogram
    /// How far playheads were behind the wall clock.
    package var liveLatency: SparseHistogram
    package var edges: EdgeSums
    /// Those of the interval that were among the slowest of their loop so far.
    package var slowest: SlowestAnswers
    package var warnings: ServerWarnings
    package var leftOut: LeftOutLedger
    package var channelClock = ChannelClock()
    package var counts: IntervalCounts
    package var health: HealthSample
    /// Viewers by phase at the end of the interval, in the order of a viewer's life.
    package var viewersByPhase: [Int]
    /// When the next break begins that viewers wait for, since the Unix epoch; nil where none is known.
    package var nextBreakMicroseconds: Int64?

    package init(
        number: Int,
        startMicroseconds: Int64,
        endMicroseconds: Int64,
        wallMicroseconds: Int64,
        health: HealthSample,
        viewersByPhase: [Int] = []
    ) {
        self.number = number
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
        self.wallMicroseconds = wallMicroseconds
        self.health = health
        self.viewersByPhase = viewersByPhase
        requests = RequestSums()
        viewers = [:]
        personaViewers = [UInt64](repeating: 0, count: PersonaTallies.limit)
        changes = []
        breaksNotKept = 0
        breakLateness = SparseHistogram(digits: .three)
        warmUpBreakLateness = SparseHistogram(digits: .three)
        liveEdgeAge = SparseHistogram(digits: .three)
        liveLatency = SparseHistogram(digits: .three)
        edges = EdgeSums()
        slowest = SlowestAnswers()
        warnings = ServerWarnings()
        leftOut = LeftOutLedger()
        counts = IntervalCounts()
    }

    package var durationMicroseconds: Int64 {
        endMicroseconds.subtractingReportingOverflow(startMicroseconds).partialValue
    }
}

extension RunInterval: Codable {
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case start = "start_us"
        case end = "end_us"
        case wall = "wall_us"
        case requests
        case viewers
        case personaViewers = "personas"
        case changes
        case breaksNotKept = "breaks_not_kept"
        case breakLateness = "break_lateness"
        case warmUpBreakLateness = "warm_up_break_lateness"
        case liveEdgeAge = "live_edge_age"
        case liveLatency = "live_latency"
        case edges
        case slowest
        case warnings
        case leftOut = "left_out"
        case leastEdgeAge = "least_edge_age_us"
        case counts
        case health
        case viewersByPhase = "phases"
        case nextBreakMicroseconds = "next_break_us"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            number: try values.count(.number),
            startMicroseconds: try values.decode(Int64.self, forKey: .start),
            endMicroseconds: try values.decode(Int64.self, forKey: .end),
            wallMicroseconds: try values.decode(Int64.self, forKey: .wall),
            health: try values.decode(HealthSample.self, forKey: .health),
            viewersByPhase: try values.decodeIfPresent([Int].self, forKey: .viewersByPhase) ?? []
        )
        nextBreakMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .nextBreakMicroseconds)
        requests = try values.decodeIfPresent(RequestSums.self, forKey: .requests) ?? RequestSums()
        for (name, count) in try values.decodeIfPresent([String: UInt64].self, forKey: .viewers) ?? [:] {
            guard let counter = ViewerCounter(name: name) else {
                throw DecodingError.dataCorruptedError(forKey: .viewers, in: values, debugDescription: name)
            }
            viewers[counter] = count
        }
        personaViewers = try values.personaViewers(.personaViewers)
        changes = try values.decodeIfPresent([LoopChanges].self, forKey: .changes) ?? []
        breaksNotKept = try values.largeCount(.breaksNotKept)
        breakLateness = try values.distribution(.breakLateness)
        warmUpBreakLateness = try values.distribution(.warmUpBreakLateness)
        liveEdgeAge = try values.distribution(.liveEdgeAge)
        liveLatency = try values.distribution(.liveLatency)
        edges = try values.decodeIfPresent(EdgeSums.self, forKey: .edges) ?? EdgeSums()
        slowest = try values.decodeIfPresent(SlowestAnswers.self, forKey: .slowest) ?? SlowestAnswers()
        warnings = try values.decodeIfPresent(ServerWarnings.self, forKey: .warnings) ?? ServerWarnings()
        leftOut = try values.decodeIfPresent(LeftOutLedger.self, forKey: .leftOut) ?? LeftOutLedger()
        channelClock = ChannelClock(leastAge: try values.decodeIfPresent(Int64.self, forKey: .leastEdgeAge))
        counts = try values.decode(IntervalCounts.self, forKey: .counts)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(number, forKey: .number)
        try values.encode(startMicroseconds, forKey: .start)
        try values.encode(endMicroseconds, forKey: .end)
        try values.encode(wallMicroseconds, forKey: .wall)
        if requests != RequestSums() { try values.encode(requests, forKey: .requests) }
        if !viewers.isEmpty {
            let named = viewers.reduce(into: [String: UInt64]()) { $0[$1.key.name] = $1.value }
            try values.encode(named, forKey: .viewers)
        }
        if personaViewers.contains(where: { $0 > 0 }) { try values.encode(personaViewers, forKey: .personaViewers) }
        if !changes.isEmpty { try values.encode(changes, forKey: .changes) }
        if breaksNotKept > 0 { try values.encode(breaksNotKept, forKey: .breaksNotKept) }
        for (key, histogram) in [
            (CodingKeys.breakLateness, breakLateness), (.warmUpBreakLateness, warmUpBreakLateness),
            (.liveEdgeAge, liveEdgeAge), (.liveLatency, liveLatency),
        ] where !histogram.isEmpty { try values.encode(histogram, forKey: key) }
        if !edges.isEmpty { try values.encode(edges, forKey: .edges) }
        if !slowest.isEmpty { try values.encode(slowest, forKey: .slowest) }
        if !warnings.isEmpty { try values.encode(warnings, forKey: .warnings) }
        if !leftOut.isEmpty { try values.encode(leftOut, forKey: .leftOut) }
        try values.encodeIfPresent(channelClock.leastAge, forKey: .leastEdgeAge)
        try values.encode(counts, forKey: .counts)
        try values.encode(health, forKey: .health)
        try values.encodeIfPresent(nextBreakMicroseconds, forKey: .nextBreakMicroseconds)
        if !viewersByPhase.isEmpty { try values.encode(viewersByPhase, forKey: .viewersByPhase) }
    }
}
