import Recording

/// All breaks of a result, the figure a user reads first on top.
package struct BreakResults: Equatable, Codable, Sendable {
    package var count: Int
    package var due: UInt64
    package var onTime: UInt64
    /// Nil while no viewer was due for any break.
    package var onTimePercent: Double?
    /// How late the late pods were.
    package var lateness: LatencyResult?
    /// Requests for breaks beyond the limit of those kept one by one.
    package var breaksNotKept: UInt64
    /// From the first sight of a break to those of the other viewers, over all breaks; nil where nobody told.
    package var discovery: LatencyResult?
    /// Over all breaks, of all viewers and by cohort; nil where nobody asked, and in results of versions that did not count.
    package var fill: FillResult?
    package var fillOfCohorts: [FillResult]?
    package var each: [BreakResult]

    /// Those that the sums are of: without the breaks of the warm-up.
    package var measured: [BreakResult] { each.filter { $0.isOfWarmUp != true } }

    init(totals: RunTotals, personas: [String] = []) {
        count = totals.breaks.count { $0.due > 0 }
        due = totals.breaks.reduce(0) { $0 &+ $1.due }
        onTime = totals.breaks.reduce(0) { $0 &+ $1.onTime }
        onTimePercent = due == 0 ? nil : Double(onTime) * 100 / Double(due)
        lateness = LatencyResult(totals.breakLateness)
        breaksNotKept = totals.breaksNotKept
        discovery = LatencyResult(totals.breakDiscovery)
        let filled = totals.breaks.reduce(into: FillLedger()) { $0.add($1.fill) }
        fill = filled.isEmpty ? nil : FillResult(filled.total)
        fillOfCohorts = FillResult.byCohort(filled)
        each =
            totals.warmUpBreaks.map { BreakResult($0, isOfWarmUp: true, personas: personas) }
            + totals.breaks.map { BreakResult($0, personas: personas) }
    }
}

/// One break of a result.
package struct BreakResult: Equatable, Codable, Sendable {
    /// Viewers by the identifier they asked for first.
    package struct Identifier: Equatable, Codable, Sendable {
        package var identifier: String
        package var viewers: Int
        package var viewersPercent: Double
        package var requests: Int
        /// Different pods that came back to viewers that must match; of several cohorts the most that one got.
        package var pods: Int
    }

    package var key: String
    /// True for a break that began in the warm-up, which no sum counts; nil for any other.
    package var isOfWarmUp: Bool?
    package var startMicroseconds: Int64
    package var durationMilliseconds: Int
    package var due: UInt64
    package var onTime: UInt64
    package var onTimePercent: Double?
    package var late: UInt64
    package var failed: [String: UInt64]
    package var skipped: [String: UInt64]
    package var unresolved: UInt64
    package var inHandFirstMicroseconds: Int64?
    package var inHandLastMicroseconds: Int64?
    package var latenessMaximumMicroseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    /// Nil where no request of the break was answered.
    package var slowestResponseMicroseconds: Int64?
    /// Planned to sent of the requests for its pod manifest or asset list that were sent; nil where none was.
    package var sendLateness: LatencyResult?
    package var burst: BurstResult
    /// How far the time from its first request to its last may be wrong, because the requests left shards with clocks of
    /// their own; nil for a run of one process, and where no bound is known.
    package var spreadBoundMicroseconds: Int64?
    /// Viewers by when they had their pod, in time or late; nil in results of versions that did not keep it.
    package var inHand: BurstResult?
    package var identifiers: [Identifier]
    package var identifiersNotKept: Int
    /// Pods beyond those that are compared; nil in results of versions that did not count them.
    package var podsNotKept: Int?
    /// The personas with at least one viewer due, in the order of the profile; nil for a profile that names none.
    package var personas: [PersonaPunctuality]?
    /// How its news spread; nil where nobody told.
    package var discovery: DiscoveryResult?
    /// What came of what was asked for; nil where nobody asked, and in results of versions that did not count it.
    package var fill: FillResult?
    package var fillOfCohorts: [FillResult]?
    /// Viewers whose pods were compared, and those of them that were given something else than most.
    package var compared: UInt64?
    package var differing: UInt64?

    init(_ record: BreakRecord, isOfWarmUp: Bool = false, personas names: [String] = []) {
        self.isOfWarmUp = isOfWarmUp ? true : nil
        key = record.key
        startMicroseconds = record.startMicroseconds
        durationMilliseconds = record.durationMilliseconds
        due = record.due
        onTime = record.onTime
        onTimePercent = due == 0 ? nil : Double(onTime) * 100 / Double(due)
        late = record.late
        failed = record.failuresByName
        skipped = record.skipsByName
        unresolved = record.unresolved
        inHandFirstMicroseconds = record.inHandFirst
        inHandLastMicroseconds = record.inHandLast
        latenessMaximumMicroseconds = record.latenessMaximumMicroseconds
        requests = record.requests
        errors = record.errors
        let slowest = record.slowestResponseMicroseconds
        slowestResponseMicroseconds = slowest > 0 ? slowest : nil
        sendLateness = LatencyResult(record.sendLateness)
        burst = BurstResult(record.burst)
        inHand = BurstResult(record.inHand)
        identifiers = Self.identifiers(of: record.pods)
        identifiersNotKept = record.pods.identifiersNotKept
        podsNotKept = record.pods.podsNotKept
        personas = Self.personas(of: record.personas, names)
        discovery = DiscoveryResult(record.discovery)
        fill = record.fill.isEmpty ? nil : FillResult(record.fill.total)
        fillOfCohorts = FillResult.byCohort(record.fill)
        let agreement = record.pods.agreement
        compared = agreement.compared == 0 ? nil : agreement.compared
        differing = agreement.compared == 0 ? nil : agreement.differing
    }

    private static func personas(of tallies: PersonaTallies, _ names: [String]) -> [PersonaPunctuality]? {
        guard !names.isEmpty else { return nil }
        return zip(names, tallies.each).filter { $0.1.due > 0 }.map { PersonaPunctuality($0.1, name: $0.0) }
    }

    private static func identifiers(of pods: PodLedger) -> [Identifier] {
        let total = max(1, pods.viewerCount)
        return pods.identifiers
            .sorted { ($1.value.viewerCount, $0.key) < ($0.value.viewerCount, $1.key) }
            .map { identifier, use in
                Identifier(
                    identifier: identifier,
                    viewers: use.viewerCount,
                    viewersPercent: Double(use.viewerCount) * 100 / Double(total),
                    requests: use.requests,
                    pods: pods.pods.filter { $0.key.parts.content.whole == .pod(identifier) }.map(\.value.count).max()
                        ?? 0
                )
            }
    }

    private enum CodingKeys: String, CodingKey {
        case key
        case isOfWarmUp = "warm_up"
        case startMicroseconds = "start_us"
        case durationMilliseconds = "duration_ms"
        case due
        case onTime = "on_time"
        case onTimePercent = "on_time_percent"
        case late
        case failed
        case skipped
        case unresolved
        case inHandFirstMicroseconds = "in_hand_first_us"
        case inHandLastMicroseconds = "in_hand_last_us"
        case latenessMaximumMicroseconds = "lateness_max_us"
        case requests
        case errors
        case slowestResponseMicroseconds = "slowest_response_us"
        case sendLateness = "send_lateness"
        case burst
        case spreadBoundMicroseconds = "spread_bound_us"
        case inHand = "in_hand"
        case identifiers
        case identifiersNotKept = "identifiers_not_kept"
        case podsNotKept = "pods_not_kept"
        case personas
        case discovery
        case fill
        case fillOfCohorts = "fill_of_cohorts"
        case compared
        case differing
    }
}

/// The pod requests around one break, or the viewers with their pod, without the silence before and after.
package struct BurstResult: Equatable, Codable, Sendable {
    /// Length of one step: 1, 5, 10, 50 or 100 ms, as fine as the time that it took allows.
    package var bucketMilliseconds: Int64
    /// Offset of the first step from the break's start; nil where nothing was counted in the window.
    package var firstBucketMilliseconds: Int64?
    package var counts: [UInt32]
    package var earlier: UInt64
    package var later: UInt64
    package var firstMicroseconds: Int64?
    package var lastMicroseconds: Int64?

    init(_ window: BurstWindow) {
        bucketMilliseconds = window.stepMicroseconds / 1_000
        firstBucketMilliseconds = window.firstStepMicroseconds.map { $0 / 1_000 }
        counts = window.counts
        earlier = window.earlier
        later = window.later
        firstMicroseconds = window.firstOffset
        lastMicroseconds = window.lastOffset
    }
}
