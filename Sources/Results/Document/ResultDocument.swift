package import Rules
import Values

/// `Report/Schema/result.fields` describes each member; an optional one is nil too where there is nothing to record.
package struct ResultDocument: Equatable, StoredDocument, Sendable {
    package static let schemaName = "podswarm.result"
    package static let schemaVersion = 2
    package static let readableVersions = 1...2
    package static let title = "podswarm result"

    package var schema = Self.schemaName
    package var schemaVersion = Self.schemaVersion
    package var podswarmVersion = PodswarmVersion.current
    package var verdict: RunVerdict
    package var breaks: BreakResults
    package var findings: [FindingResult]
    package var exchanges: [Exchange]?
    package var exchangesNotKept: UInt64?
    package var thresholds: [ThresholdResult]
    package var requests: [String: RequestResult]
    package var edges: EdgeResults?
    package var slowestAnswers: [SlowAnswerResult]?
    package var adServerWarnings: [ServerWarningResult]?
    package var leftOut: LeftOutResult?
    package var viewers: [String: UInt64]
    package var events: EventResult?
    package var playback: PlaybackResult?
    package var audience: AudienceResult?
    package var by: [ReportedResult]?
    package var health: HealthResult
    package var shards: [ShardResult]?
    package var reconciliation: Reconciliation?
    package var journal: JournalResult?
    package var series: SeriesResult
    package var outages: [OutageResult]?
    package var windows: [WindowResult]?
    package var drift: [DriftResult]?
    package var clock: ClockResult?
    package var warmUp: WarmUpResult?
    package var liveEdgeAge: LatencyResult?
    package var channelOffsetMicroseconds: Int64?
    package var notes: [String]?
    package var run: RunDescription

    /// Judges a finished run; `unjudged` and `defects` are sentences, `ownFailure` is one without a full stop.
    ///
    /// Unless `isOver`, interstitials may be open, and counts that do not add up are not a defect.
    package init(
        run: RunDescription,
        totals: RunTotals,
        health: HealthResult,
        ownFailure: String? = nil,
        series: TimeSeries,
        rules: [ThresholdRule],
        unjudged: [String] = [],
        reconciliation: Reconciliation? = nil,
        defects: [String] = [],
        windows: [WindowResult]? = nil,
        drift: [DriftResult]? = nil,
        judgesDrift: Bool = false,
        clock: ClockResult? = nil,
        warmUp: WarmUpResult? = nil,
        notes: [String] = [],
        personas: [PersonaDescription] = [],
        isOver: Bool = true,
        shards: ShardAccount? = nil
    ) {
        var totals = totals
        totals.outages = OutageResult.all(in: SeriesResult(series)) ?? []
        let events = EventResult(totals)
        let thresholds = rules.map { $0.evaluate(totals) }
        let blamesTarget = Self.blamesTarget(thresholds, abortedBy: run.abortedBy)
        let limits = shards?.judgedLimits ?? health.limits(for: totals, blamesTarget: blamesTarget)
        self.thresholds = thresholds
        findings = totals.findingResults
        exchanges = totals.exchanges.listed(findings)
        exchangesNotKept = totals.exchanges.notKept == 0 ? nil : totals.exchanges.notKept
        breaks = BreakResults(totals: totals, personas: personas.map(\.name))
        verdict = .judge(
            interrupted: run.interrupted && shards == nil,
            abortedBy: run.abortedBy,
            generator: [ownFailure].compactMap(\.self) + limits,
            thresholds: thresholds,
            line: breaks.lineReason,
            unjudged: unjudged,
            findings: findings,
            reconciliation: reconciliation,
            defects: defects + (isOver ? events?.defects ?? [] : []),
            drift: judgesDrift ? drift ?? [] : [],
            missing: shards?.missing ?? []
        )
        requests = RequestKind.allCases.reduce(into: [:]) { $0[$1.name] = RequestResult(totals: totals, kind: $1) }
        edges = EdgeResults(totals.edges, failedConnects: totals.failedConnects)
        slowestAnswers = SlowAnswerResult.all(totals.slowest, runStartMicroseconds: run.startedAtMicroseconds)
        (adServerWarnings, leftOut) = (ServerWarningResult.all(totals.warnings), LeftOutResult(totals.leftOut))
        viewers = ViewerCounter.allCases.reduce(into: [:]) { $0[$1.name] = totals.count(of: $1) }
        (self.events, playback) = (events, PlaybackResult(totals))
        audience = AudienceResult(personas, totals: totals)
        by = ReportedResult.all(totals)
        self.health = health.judged(totals, reasons: limits, blamesTarget: blamesTarget)
        self.shards = shards?.shards
        self.reconciliation = reconciliation
        self.series = SeriesResult(series)
        outages = totals.outages.isEmpty ? nil : totals.outages
        (self.windows, self.drift) = (windows, drift)
        (self.clock, self.warmUp) = (clock, warmUp)
        (liveEdgeAge, channelOffsetMicroseconds) = (LatencyResult(totals.liveEdgeAge), totals.channelClock.offset)
        let allNotes = notes + (shards?.notes ?? []) + Self.notes(on: totals)
        self.notes = allNotes.isEmpty ? nil : allNotes
        self.run = run
    }

    package var blamesTarget: Bool { Self.blamesTarget(thresholds, abortedBy: run.abortedBy) }

    private static func blamesTarget(_ thresholds: [ThresholdResult], abortedBy: String?) -> Bool {
        abortedBy != nil || thresholds.contains(where: \.failed)
    }

    static func notes(on totals: RunTotals) -> [String] {
        let prefixes = totals.count(of: .pingsOfPrefixes)
        let notes = [totals.exchanges.note].compactMap(\.self)
        guard prefixes > 0 else { return notes }
        return notes + [
            """
            404 to \(prefixes) media verification \(prefixes == 1 ? "ping" : "pings") of what metadata lists, which may be \
            prefixes of media ids: that proves nothing. playback.segments: ads reads whole ids in the ads and pings those; a \
            target whose metadata lists whole ids is judged with mediaIDs: whole.
            """
        ]
    }
}
