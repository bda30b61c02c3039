import Recording
import Report
import Rulebook
import RunResult

/// Makes the updates of live pages from one state of a run after another.
struct LiveFold: Sendable {
    static let breakLimit = 12

    private(set) var history = LiveHistory()
    private var meters = [IntervalMeter](repeating: IntervalMeter(), count: RequestKind.allCases.count)
    private var atSeconds: Double?
    private var requests: UInt64 = 0
    private var errors: UInt64 = 0

    /// Takes the next state in.
    ///
    /// - Parameters:
    ///   - state: The run as it stands.
    ///   - seconds: When, from the start of the run, on a clock that never goes back.
    /// - Returns: What to show.
    mutating func take(_ state: LiveState, at seconds: Double) -> LiveUpdate {
        let intervals = RequestKind.allCases.map { kind in
            meters[Int(kind.rawValue)].take(state.totals.latency(kind, .response))
        }
        let update = LiveUpdate(
            elapsedSeconds: state.progress.elapsedSeconds,
            leftSeconds: state.progress.secondsLeft,
            nextBreakSeconds: state.progress.secondsToNextBreak,
            viewers: state.progress.viewers.map { .init(name: $0.name, count: $0.count) },
            requests: RequestKind.allCases.reduce(0) { $0 &+ state.totals.requestCount(of: $1) },
            errors: RequestKind.allCases.reduce(0) { $0 &+ state.totals.errorCount(of: $1) },
            due: state.totals.breaks.reduce(0) { $0 &+ $1.due },
            onTime: state.totals.breaks.reduce(0) { $0 &+ $1.onTime },
            breaks: Self.breaks(of: state.totals),
            latencies: Self.latencies(of: state.totals, intervals: intervals),
            findings: Self.findings(of: state.totals),
            generator: Self.generator(of: state),
            point: point(of: state, intervals: intervals, at: seconds),
            shards: state.shards.isEmpty ? nil : state.shards.map { LiveUpdate.Shard($0) }
        )
        requests = update.requests
        errors = update.errors
        history.append(update.point)
        return update
    }

    private mutating func point(
        of state: LiveState,
        intervals: [IntervalDurations],
        at seconds: Double
    ) -> LivePoint {
        let span = max(seconds - (atSeconds ?? seconds - 1), 0.001)
        atSeconds = seconds
        let requests = RequestKind.allCases.reduce(0) { $0 &+ state.totals.requestCount(of: $1) }
        let errors = RequestKind.allCases.reduce(0) { $0 &+ state.totals.errorCount(of: $1) }
        let pods = [RequestKind.podManifest, .podPlaylist, .assetList, .assetManifest].compactMap {
            intervals[Int($0.rawValue)].microseconds(atPercentile: 99)
        }
        let latest = state.series.points.last
        return LivePoint(
            atSeconds: seconds,
            spanSeconds: span,
            requestsPerSecond: Double(requests &- self.requests) / span,
            errorsPerSecond: Double(errors &- self.errors) / span,
            viewers: latest?.activeViewers ?? 0,
            plannedViewers: state.audienceCurve.flatMap {
                Int64(exactly: $0.viewers(atMilliseconds: seconds * 1_000).rounded())
            },
            playlistP99Microseconds: intervals[Int(RequestKind.playlist.rawValue)].microseconds(atPercentile: 99),
            podP99Microseconds: pods.max(),
            latenessMaximumMicroseconds: latest?.latenessMaximumMicroseconds ?? 0,
            loopDelayMaximumMicroseconds: latest?.loopDelayMaximumMicroseconds ?? 0,
            cpuCores: latest?.cpuCores ?? 0,
            residentBytes: latest?.residentBytes ?? 0
        )
    }
}

// MARK: Parts of an update

extension LiveFold {
    private static func latencies(of totals: RunTotals, intervals: [IntervalDurations]) -> [LiveUpdate.Latency] {
        RequestKind.allCases.compactMap { kind in
            let count = totals.requestCount(of: kind)
            guard count > 0 else { return nil }
            let response = totals.latency(kind, .response)
            return LiveUpdate.Latency(
                kind: kind.name,
                requests: count,
                errors: totals.errorCount(of: kind),
                interval: .init(intervals[Int(kind.rawValue)], atMost: response.maximumMicroseconds),
                total: .init(response, atMost: response.maximumMicroseconds)
            )
        }
    }

    private static func breaks(of totals: RunTotals) -> [LiveUpdate.Break] {
        let newest = totals.breaks.filter { $0.due > 0 && !$0.isOverflow }
            .sorted { $0.startMicroseconds > $1.startMicroseconds }.prefix(breakLimit)
        return newest.enumerated().map { index, record in
            LiveUpdate.Break(
                key: record.key,
                startMicroseconds: record.startMicroseconds,
                durationMilliseconds: record.durationMilliseconds,
                due: record.due,
                onTime: record.onTime,
                late: record.late,
                failed: record.failed,
                unresolved: record.unresolved,
                reasons: BreakFailure.allCases.reduce(into: [:]) { reasons, failure in
                    if record.failures(failure) > 0 { reasons[failure.rawValue] = record.failures(failure) }
                },
                burst: index == 0 ? .init(record.burst) : nil
            )
        }
    }

    private static func findings(of totals: RunTotals) -> [LiveUpdate.Finding] {
        let byCode = Dictionary(grouping: totals.findings, by: \.code)
        let gravestFirst = Severity.allCases.flatMap { severity in
            FindingCode.table.filter { $0.severity == severity }
        }
        return gravestFirst.compactMap { code in
            guard let findings = byCode[code] else { return nil }
            let first = findings.compactMap(\.first).min()
            return LiveUpdate.Finding(
                code: code.code,
                severity: code.severity.rawValue,
                meaning: code.meaning,
                count: findings.reduce(0) { $0 &+ $1.count },
                firstSeenMicroseconds: first?.wallMicroseconds,
                expected: first?.evidence.expected,
                observed: first?.evidence.observed
            )
        }
    }

    private static func generator(of state: LiveState) -> LiveUpdate.Generator {
        let latest = state.series.points.last
        return LiveUpdate.Generator(
            cpuCores: latest?.cpuCores ?? 0,
            loopCores: state.health.loopCores,
            residentBytes: latest?.residentBytes ?? 0,
            openDescriptors: latest?.openDescriptors ?? 0,
            descriptorLimit: state.health.descriptorLimit,
            lateStarts: state.health.lateStarts,
            droppedStarts: state.health.droppedStarts,
            latenessMaximumMicroseconds: latest?.latenessMaximumMicroseconds ?? 0,
            latenessAllowedMicroseconds: state.health.budget.latenessP99Microseconds,
            loopDelayMaximumMicroseconds: latest?.loopDelayMaximumMicroseconds ?? 0,
            limits: state.generator.reasons
        )
    }
}

extension LiveUpdate.Latency.Figures {
    /// Nil for a distribution that holds nothing.
    ///
    /// - Parameters:
    ///   - durations: The distribution.
    ///   - limit: The largest duration there was; a bucket's highest value may lie above it.
    fileprivate init?(_ durations: some BucketedDurations, atMost limit: Int64) {
        let percentiles = durations.microseconds(atPercentiles: [50, 95, 99]).compactMap(\.self)
        guard percentiles.count == 3 else { return nil }
        self.init(
            count: durations.count,
            p50Microseconds: min(percentiles[0], limit),
            p95Microseconds: min(percentiles[1], limit),
            p99Microseconds: min(percentiles[2], limit),
            maximumMicroseconds: min(durations.maximumMicroseconds, limit)
        )
    }
}

extension LiveUpdate.Break.Burst {
    /// Nil where nothing was asked for in the window.
    fileprivate init?(_ window: BurstWindow) {
        guard let first = window.firstStepMicroseconds else { return nil }
        self.init(
            stepMilliseconds: Int(window.stepMicroseconds / 1_000),
            firstMilliseconds: Int(first / 1_000),
            counts: window.counts
        )
    }
}

extension LiveUpdate.Shard {
    fileprivate init(_ shard: LiveShard) {
        self.init(
            index: shard.index,
            host: shard.host,
            state: shard.state.rawValue,
            viewers: shard.viewers,
            requests: shard.requests,
            errors: shard.errors,
            latenessMaximumMicroseconds: shard.latenessMaximumMicroseconds,
            isLimited: !shard.limits.isEmpty
        )
    }
}
