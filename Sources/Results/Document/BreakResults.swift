import Rules
import Values

package struct BreakResults: Equatable, Codable, Sendable {
    package var count: Int
    package var due: UInt64
    package var onTime: UInt64
    package var onTimePercent: Double?
    package var lateness: LatencyResult?
    package var firstPicture: LatencyResult?
    package var breaksNotKept: UInt64
    package var discovery: LatencyResult?
    package var fill: FillResult?
    package var fillOfCohorts: [FillResult]?
    package var each: [BreakResult]

    /// All but those of the warm-up.
    package var measured: [BreakResult] { each.filter { $0.isWarmUp != true } }

    /// Counts a viewer once for each break that its own line alone made it miss.
    package var missedByLine: UInt64 { measured.reduce(0) { $0 &+ $1.missedByLine } }

    var lineReason: String? {
        let (own, all) = (missedByLine, due &- onTime)
        guard own > 0 else { return nil }
        let who = GroupedDigits.text(own) + " of the " + GroupedDigits.counted(all, "viewer")
        return
            "\(who) that missed a break did so by their own line (audience.bandwidth): the target had answered in time"
    }

    init(totals: RunTotals, personas: [String] = []) {
        count = totals.breaks.count { $0.due > 0 }
        let sum = totals.breaks.reduce(into: PunctualityTally()) { $0.add(outcomesOf: $1) }
        (due, onTime, onTimePercent) = (sum.due, sum.onTime, sum.onTimePercent)
        lateness = LatencyResult(totals.breakLateness)
        firstPicture = LatencyResult(totals.breakFirstPicture)
        breaksNotKept = totals.breaksNotKept
        discovery = LatencyResult(totals.breakDiscovery)
        let filled = totals.breaks.reduce(into: FillLedger()) { $0.add($1.fill) }
        fill = filled.isEmpty ? nil : FillResult(filled.total)
        fillOfCohorts = FillResult.byCohort(filled)
        each =
            totals.warmUpBreaks.map { BreakResult($0, isWarmUp: true, personas: personas, names: totals.reportedNames) }
            + totals.breaks.map { BreakResult($0, personas: personas, names: totals.reportedNames) }
    }
}

package struct BreakResult: Equatable, Codable, Sendable {
    package struct Identifier: Equatable, Codable, Sendable {
        package var identifier: String
        package var viewers: Int
        package var viewersPercent: Double
        package var requests: Int
        package var pods: Int
    }

    package var key: String
    package var isWarmUp: Bool?
    package var startMicroseconds: Int64
    package var durationMilliseconds: Int
    package var due: UInt64
    package var onTime: UInt64
    package var onTimePercent: Double?
    package var late: UInt64
    package var lateByLine: UInt64?
    package var failed: [String: UInt64]
    package var skipped: [String: UInt64]
    package var unresolved: UInt64
    package var inHandFirstMicroseconds: Int64?
    package var inHandLastMicroseconds: Int64?
    package var latenessMaximumMicroseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    package var slowestResponseMicroseconds: Int64?
    package var sendLateness: LatencyResult?
    package var manifests: LatencyResult?
    package var playlists: LatencyResult?
    package var segments: LatencyResult?
    package var firstPicture: LatencyResult?
    package var burst: BurstResult
    package var spreadBoundMicroseconds: Int64?
    package var inHand: BurstResult?
    package var identifiers: [Identifier]
    package var identifiersNotKept: Int
    package var podsNotKept: Int?
    package var personas: [PersonaPunctuality]?
    package var by: [ReportedResult]?
    package var discovery: DiscoveryResult?
    package var fill: FillResult?
    package var fillOfCohorts: [FillResult]?
    package var compared: UInt64?
    package var differing: UInt64?

    package var missedByLine: UInt64 { (lateByLine ?? 0) &+ (failed[BreakFailure.ownLine.rawValue] ?? 0) }

    init(_ record: BreakRecord, isWarmUp: Bool = false, personas: [String] = [], names: [ReportedName]? = nil) {
        self.isWarmUp = isWarmUp ? true : nil
        key = record.key
        startMicroseconds = record.startMicroseconds
        durationMilliseconds = record.durationMilliseconds
        due = record.due
        onTime = record.onTime
        onTimePercent = record.onTimePercent
        late = record.late
        lateByLine = record.lateByLine == 0 ? nil : record.lateByLine
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
        manifests = LatencyResult(record.manifests)
        playlists = LatencyResult(record.playlists)
        segments = LatencyResult(record.segments)
        firstPicture = LatencyResult(record.firstPicture)
        burst = BurstResult(record.burst)
        inHand = BurstResult(record.inHand)
        identifiers = Self.identifiers(of: record.pods)
        identifiersNotKept = record.pods.identifiersNotKept
        podsNotKept = record.pods.podsNotKept
        let tallies = zip(personas, record.personas.each).filter { $0.1.due > 0 }
        self.personas = personas.isEmpty ? nil : tallies.map { PersonaPunctuality($0.1, name: $0.0) }
        by = ReportedResult.all(names, tallies: record.groups, requests: nil)
        discovery = DiscoveryResult(record.discovery)
        fill = record.fill.isEmpty ? nil : FillResult(record.fill.total)
        fillOfCohorts = FillResult.byCohort(record.fill)
        let agreement = record.pods.agreement
        compared = agreement.compared == 0 ? nil : agreement.compared
        differing = agreement.compared == 0 ? nil : agreement.differing
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
}

package struct BurstResult: Equatable, Codable, Sendable {
    package var bucketMilliseconds: Int64
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

package struct FillResult: Equatable, Codable, Sendable {
    package var cohort: String?
    package var asked: UInt64
    package var askedMilliseconds: UInt64
    package var ads: UInt64
    package var adMilliseconds: UInt64
    package var slateMilliseconds: UInt64
    package var filledPercent: Double?

    init(_ tally: FillTally, cohort: String? = nil) {
        self.cohort = cohort
        asked = tally.asked
        askedMilliseconds = tally.askedMilliseconds
        ads = tally.ads
        adMilliseconds = tally.adMilliseconds
        slateMilliseconds = tally.slateMilliseconds
        let filled = tally.adMilliseconds &+ tally.slateMilliseconds
        filledPercent = askedMilliseconds == 0 ? nil : Double(filled) * 100 / Double(askedMilliseconds)
    }

    static func byCohort(_ ledger: FillLedger) -> [FillResult]? {
        guard ledger.tallies.keys.contains(where: { $0 != FillLedger.everybody }) else { return nil }
        return ledger.tallies.sorted { $0.key < $1.key }.map {
            FillResult($0.value, cohort: $0.key == FillLedger.everybody ? "(other)" : $0.key)
        }
    }
}

/// Spread among the viewers present at publication: a target duration with plain polling, an instant with blocking reload
/// (rfc8216bis section 6.2.5.2).
package struct DiscoveryResult: Equatable, Codable, Sendable {
    package var viewers: UInt64
    package var firstMicroseconds: Int64
    package var p50Microseconds: Int64?
    package var p90Microseconds: Int64?
    package var p99Microseconds: Int64?
    package var maximumMicroseconds: Int64
    package var bucketMilliseconds: Int64
    package var counts: [UInt32]
    package var later: UInt64

    init?(_ window: DiscoveryWindow) {
        guard let first = window.firstMicroseconds, let spread = window.spreadMicroseconds else { return nil }
        viewers = window.viewers
        firstMicroseconds = first
        p50Microseconds = window.microseconds(atPercentile: 50)
        p90Microseconds = window.microseconds(atPercentile: 90)
        p99Microseconds = window.microseconds(atPercentile: 99)
        maximumMicroseconds = spread
        (bucketMilliseconds, counts) = window.steps()
        later = window.later
    }
}
