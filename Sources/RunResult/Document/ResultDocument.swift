package import Foundation
import JSON
import Recording
import Rulebook
package import Thresholds

/// The versioned result of one run, as it is written to `results/` and compared between releases.
///
/// Units stand in the names: `_us` microseconds, `_ms` milliseconds, `_percent` 0 to 100. The shipped JSON Schema
/// (`ResultDocument.jsonSchema()`) describes every field.
package struct ResultDocument: Equatable, StoredDocument, Sendable {
    package static let schemaName = "podswarm.result"
    package static let schemaVersion = 2
    package static let readableVersions = 1...2
    package static let title = "podswarm result"

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var verdict: RunVerdict
    package var breaks: BreakResults
    package var findings: [FindingResult]
    package var thresholds: [ThresholdResult]
    /// By kind name; every kind is there, asked for or not.
    package var requests: [String: RequestResult]
    /// Nil where nothing was answered, and in results of versions without it.
    package var edges: EdgeResults?
    /// By kind, the slowest first; nil where nothing was answered, and in results of versions without it.
    package var slowestAnswers: [SlowAnswerResult]?
    /// By kind; nil where the ad server warned of nothing, and in results of versions without it.
    package var adServerWarnings: [ServerWarningResult]?
    /// Nil where each request was sent, and in results of versions without it.
    package var leftOut: LeftOutResult?
    /// By counter name.
    package var viewers: [String: UInt64]
    /// Nil where no viewer knew of an interstitial event, and in results of versions without them.
    package var events: EventResult?
    /// Nil where there was nothing to tell, and in results of versions without it.
    package var playback: PlaybackResult?
    /// Nil for a profile that names no personas, and in results of versions without them.
    package var audience: AudienceResult?
    package var health: HealthResult
    /// In the order of their indices; nil for a run that was its whole plan, and in results of versions without shards.
    package var shards: [ShardResult]?
    /// Nil where the target keeps no counts of its own.
    package var reconciliation: Reconciliation?
    /// Nil where there was none, and in results that were recovered from it.
    package var journal: JournalResult?
    package var series: SeriesResult
    /// In the order in which they began; nil where there was none, and in results of versions without them.
    package var outages: [OutageResult]?
    /// The run in windows, oldest first; nil in results of versions without them.
    package var windows: [WindowResult]?
    /// One verdict for each series of windows; nil for a run of less than ten minutes that is no soak.
    package var drift: [DriftResult]?
    /// Nil in results of versions that did not watch the wall clock.
    package var clock: ClockResult?
    /// Nil for a run without a warm-up.
    package var warmUp: WarmUpResult?
    /// The wall clock less the live edge at each new playlist; nil without EXT-X-PROGRAM-DATE-TIME.
    package var liveEdgeAge: LatencyResult?
    /// Dates of the channel less this machine's clock; nil without dates, and in results of versions without it.
    package var channelOffsetMicroseconds: Int64?
    /// What a reader should know and nothing judges; nil where there is nothing.
    package var notes: [String]?
    package var run: RunDescription

    /// Puts a finished run together and judges it, once.
    ///
    /// - Parameters:
    ///   - run: What was run.
    ///   - totals: What all loops recorded, with the allowances of the profile.
    ///   - health: The generator's health.
    ///   - ownFailure: Which part of podswarm failed, as a sentence without its end; nil where all worked.
    ///   - series: The run second by second.
    ///   - rules: The profile's thresholds.
    ///   - unjudged: What the profile asked for and nobody can judge, as sentences: such a run cannot pass.
    ///   - reconciliation: The comparison with the origin, where there is one.
    ///   - defects: What podswarm itself got wrong in this run.
    ///   - windows: The run in windows.
    ///   - drift: One verdict for each series of windows.
    ///   - judgesDrift: Whether a creeping series decides the verdict.
    ///   - clock: What the wall clock did.
    ///   - warmUp: What came before the measured part.
    ///   - notes: What a reader should know and nothing judges.
    ///   - personas: The profile's personas in the order of their numbers.
    ///   - isOver: Whether all viewers are gone. While some are there, interstitials may still be open, and counts that
    ///     do not add up are no defect.
    ///   - shards: The parts of a run of several; nil for a run that was its whole plan.
    package init(
        run: RunDescription,
        totals: RunTotals,
        health: HealthLog,
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
        (schema, schemaVersion) = (Self.schemaName, Self.schemaVersion)
        podswarmVersion = PodswarmVersion.current
        var totals = totals
        totals.outages = OutageResult.all(in: SeriesResult(series)) ?? []
        let events = EventResult(totals)
        let thresholds = rules.map { $0.evaluate(totals) }
        let blamesTarget = Self.blamesTarget(thresholds, abortedBy: run.abortedBy)
        let generator = shards?.generator ?? health.verdict(for: totals, blamesTarget: blamesTarget)
        self.thresholds = thresholds
        findings = FindingResult.all(totals.findings, joined: totals.viewers.people, allowed: totals.allowedFindings)
        verdict = .judge(
            interrupted: run.interrupted && shards == nil,
            abortedBy: run.abortedBy,
            generator: generator.limited(also: ownFailure),
            thresholds: thresholds,
            unjudged: unjudged,
            findings: findings,
            reconciliation: reconciliation,
            defects: defects + (isOver ? events?.defects ?? [] : []),
            drift: judgesDrift ? drift ?? [] : [],
            missing: shards?.missing ?? []
        )
        breaks = BreakResults(totals: totals, personas: personas.map(\.name))
        requests = RequestKind.allCases.reduce(into: [:]) { $0[$1.name] = RequestResult(totals: totals, kind: $1) }
        edges = EdgeResults(totals.edges)
        slowestAnswers = SlowAnswerResult.all(totals.slowest, runStartMicroseconds: run.startedAtMicroseconds)
        (adServerWarnings, leftOut) = (ServerWarningResult.all(totals.warnings), LeftOutResult(totals.leftOut))
        viewers = ViewerCounter.allCases.reduce(into: [:]) { $0[$1.name] = totals.count(of: $1) }
        self.events = events
        playback = PlaybackResult(totals)
        audience = AudienceResult(personas, totals: totals)
        self.health = HealthResult(log: health, totals: totals, verdict: generator, blamesTarget: blamesTarget)
        self.shards = shards?.shards
        self.reconciliation = reconciliation
        self.series = SeriesResult(series)
        outages = totals.outages.isEmpty ? nil : totals.outages
        self.windows = windows
        self.drift = drift
        (self.clock, self.warmUp) = (clock, warmUp)
        (liveEdgeAge, channelOffsetMicroseconds) = (LatencyResult(totals.liveEdgeAge), totals.channelClock.offset)
        let allNotes = notes + (shards?.notes ?? []) + Self.notes(on: totals)
        self.notes = allNotes.isEmpty ? nil : allNotes
        self.run = run
    }
}

extension ResultDocument {
    /// Whether a figure of the run would be held against the target.
    package var blamesTarget: Bool { Self.blamesTarget(thresholds, abortedBy: run.abortedBy) }

    private static func blamesTarget(_ thresholds: [ThresholdResult], abortedBy: String?) -> Bool {
        abortedBy != nil || thresholds.contains(where: \.failed)
    }

    /// The JSON Schema of this version's documents, as shipped.
    ///
    /// - Returns: UTF-8.
    /// - Throws: An error of the file system where the resource is missing.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/result.schema.json"))
    }
}
