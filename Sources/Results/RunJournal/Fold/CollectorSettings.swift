package import Rules

/// Facts known at the start of a run; together with the intervals they describe the whole run.
package struct CollectorSettings: Equatable, Codable, Sendable {
    /// The end, carriers and observed figures are filled in at the end.
    package var run: RunDescription
    /// Thresholds of another version's journal may be unreadable.
    package var thresholds: [WrittenThreshold]
    package var allowedFindings: FindingAllowances = [:]
    /// Vendors whose documents bind the target; nil in data of earlier versions.
    package var vendors: [Vendor]?
    /// Before the first second.
    package var health: HealthResult
    package var windowMilliseconds: Int64
    /// Recorded separately and not judged.
    package var warmUpMilliseconds: Int64
    /// Whether a creeping series affects the verdict.
    package var judgesDrift = false
    /// Sorted by persona number; nil without personas.
    package var personas: [PersonaDescription]?
    /// nil without `report.by`.
    package var reportedNames: [ReportedName]?
    /// nil means the default.
    package var announcementToleranceMicroseconds: Int64?
    /// nil in data of earlier versions.
    package var plannedMicroseconds: Int64?
    /// Whether a run without a due viewer fails.
    package var rehearsesBreaks: Bool?

    package init(
        run: RunDescription,
        thresholds: [ThresholdRule] = [],
        loopCores: Int,
        descriptorLimit: Int,
        windowMilliseconds: Int64 = 1_000,
        warmUpMilliseconds: Int64 = 0
    ) {
        self.run = run
        self.thresholds = thresholds.map(WrittenThreshold.rule)
        health = HealthResult(loopCores: loopCores, descriptorLimit: descriptorLimit)
        self.windowMilliseconds = max(1, windowMilliseconds)
        self.warmUpMilliseconds = max(0, warmUpMilliseconds)
    }
}

/// Facts about the end of a run that no interval has.
package struct RunEnding: Equatable, Codable, Sendable {
    package var endedAtMicroseconds: Int64
    package var interrupted = false
    package var abortedBy: String?
    /// Own error that ended the run.
    package var defect: String?
    /// Makes the run undecidable; a sentence without a full stop.
    package var ownFailure: String?
    /// nil in journals of earlier versions and for a run without shards.
    package var lastWords: LastWords?
}

extension RunEnding {
    package init(endedAtMicroseconds: Int64) { self.endedAtMicroseconds = endedAtMicroseconds }
}

/// For comparison with other shards and with the origin.
package struct LastWords: Equatable, Codable, Sendable {
    /// Keyed by kind name.
    package var resends: [String: Int]
    /// Answered requests of no viewer; nil if their kind is not known.
    package var besides: [String: Int]?
    package var sessions: SessionKnowledge

    package init(resends: [String: Int], besides: [String: Int]?, sessions: SessionKnowledge) {
        (self.resends, self.besides, self.sessions) = (resends, besides, sessions)
    }
}
