import Rules
import Values

/// Fold of live run, journal and recovery, which therefore agree; memory is independent of the run's length.
package struct RunCollector: Equatable, Codable, Sendable, Summable {
    package internal(set) var settings: CollectorSettings
    /// Number of the next interval.
    package internal(set) var intervals = 0
    /// From the start of the run.
    package internal(set) var endMicroseconds: Int64 = 0
    /// Since the start, warm-up included, as are `breakSums`.
    package internal(set) var counts = IntervalCounts()
    package internal(set) var breakSums = PunctualityTally()
    package private(set) var wholeHealth: HealthResult
    package internal(set) var series = TimeSeries()
    /// nil during the run and after a crash.
    package internal(set) var ending: RunEnding?
    private(set) var exchanges = ExchangeLedger()
    private var measured: RunPart
    private var warmUp: RunPart?
    var loops: [Int: LoopLedger] = [:]
    var windows: WindowLog
    var clock: ClockLog

    package init(_ settings: CollectorSettings) {
        self.settings = settings
        wholeHealth = settings.health
        measured = RunPart(health: settings.health)
        warmUp = settings.warmUpMilliseconds > 0 ? RunPart(health: settings.health) : nil
        windows = WindowLog(
            lengthMilliseconds: settings.windowMilliseconds,
            warmUpMilliseconds: settings.warmUpMilliseconds
        )
        clock = ClockLog(wallStartMicroseconds: settings.run.startedAtMicroseconds)
    }

    /// Ignores an interval that was already folded.
    package mutating func fold(_ interval: RunInterval) {
        guard interval.number >= intervals else { return }
        intervals = interval.number &+ 1
        ending = nil
        endMicroseconds = interval.endMicroseconds
        counts.add(interval.counts)
        counts.activeViewers = interval.counts.activeViewers
        var unlisted = PunctualityTally()
        var isOfBreak = interval.counts.podRequests > 0
        for changes in interval.changes {
            exchanges.add(changes.exchanges)
            let rise = loops[changes.loop, default: LoopLedger()].replace(changes)
            breakSums.add(rise.all)
            unlisted.add(rise.unlisted)
            isOfBreak = isOfBreak || rise.all != PunctualityTally()
        }
        // Late pods count where their break does.
        measured.sums.breakLateness.add(interval.sums.breakLateness)
        warmUp?.sums.breakLateness.add(interval.warmUpBreakLateness)
        var sums = interval.sums
        sums.breakLateness = SparseHistogram()
        let covered = Int(clamping: (interval.durationMicroseconds &+ 500_000) / 1_000_000)
        wholeHealth.add(interval.health, seconds: covered, isOfBreak: isOfBreak)
        if windows.isOfWarmUp(interval) {
            warmUp?.sums.add(sums)
            warmUp?.health.add(interval.health, seconds: covered, isOfBreak: isOfBreak)
        } else {
            // Growth to the size of the warm-up's sums would look like a leak in the first measured windows.
            if measured.sums.requests.isEmpty, let warmUp { measured.sums.takeRoom(like: warmUp.sums) }
            measured.sums.add(sums)
            measured.health.add(interval.health, seconds: covered, isOfBreak: isOfBreak)
        }
        windows.add(interval, unlistedBreaks: unlisted)
        let start = max(0, interval.startMicroseconds / 1_000)
        var point = SeriesPoint(startMilliseconds: start, counts: interval.counts, health: interval.health)
        point.course = SeriesCourse(interval)
        series.append(point)
        clock.add(interval)
    }

    /// Since the Unix epoch, by the wall clock of the start and the monotonic clock since, like break instants.
    package var endedAtMicroseconds: Int64 { settings.run.startedAtMicroseconds &+ endMicroseconds }

    package var wallClock: ClockResult { clock.result }

    /// Since the end of the warm-up.
    package var health: HealthResult { measured.health }

    /// Without the warm-up; viewer counters and findings cover the whole run.
    package var totals: RunTotals {
        var sums = measured.sums
        // Reported for the whole run, whatever part of it is judged.
        if let warmUp {
            sums.leftOut.add(warmUp.sums.leftOut)
            sums.firstPicture.add(warmUp.sums.firstPicture)
        }
        sums.channelClock = channelClock
        return totals(of: sums)
    }

    /// Warm-up included.
    package var channelClock: ChannelClock { whole(\.channelClock) }

    /// Warm-up included.
    package var viewers: ViewerCounts { whole(\.viewers) }

    /// As the origin counted it; no break is treated as warm-up.
    package var wholeTotals: RunTotals { totals(of: whole(\.self), from: .min) }

    private func whole<Sum: Summable>(_ sum: KeyPath<RunSums, Sum>) -> Sum {
        let own = measured.sums[keyPath: sum]
        return warmUp.map { own.adding($0.sums[keyPath: sum]) } ?? own
    }

    /// As if the run ended now, without its warm-up.
    package var generatorLimits: [String] { generatorLimits(for: totals) }

    package func generatorLimits(for totals: RunTotals) -> [String] {
        // A metric without a sample may still get one.
        let blamesTarget = settings.thresholds.compactMap { $0.rule?.evaluate(totals) }
            .contains { $0.failed && $0.observed != nil }
        return health.limits(for: totals, blamesTarget: blamesTarget)
    }

    /// Called every second, so it examines no other breaks and lists no findings, whose limits are of the whole run.
    package func totals(of stretch: RecentStretch) -> RunTotals {
        let start = settings.run.startedAtMicroseconds &+ stretch.whole.startMicroseconds
        let recent = breaks { $0.isOverflow || $0.startMicroseconds >= start }
        return totals(of: stretch.whole.sums, breaks: recent, findings: nil, from: start)
    }

    private func totals(of sums: RunSums, from start: Int64? = nil) -> RunTotals {
        totals(of: sums, breaks: breaks(), findings: loops.values.findings, from: start)
    }

    package func breaks(where isWanted: (BreakRecord) -> Bool = { _ in true }) -> [String: BreakRecord] {
        loops.values.breaks(until: endedAtMicroseconds, where: isWanted)
    }

    /// Warm-up and viewers that were shut out included.
    package var breaksSoFar: PunctualityTally {
        guard loops.values.contains(where: { !$0.shutOuts.isEmpty }) else { return breakSums }
        return breaks().values.reduce(into: PunctualityTally()) { $0.add(outcomesOf: $1) }
    }

    private func totals(
        of sums: RunSums,
        breaks: [String: BreakRecord],
        findings: FindingLedger?,
        from start: Int64?
    ) -> RunTotals {
        let measuredFrom = start ?? measuredFromMicroseconds
        var sums = sums
        sums.viewers = viewers
        var totals = RunTotals(
            sums: sums,
            personaNames: settings.personas?.map(\.name) ?? [],
            breaks: Array(breaks.values),
            findings: findings,
            announcementTolerance: settings.announcementToleranceMicroseconds,
            isOfWarmUp: { !$0.isOverflow && $0.startMicroseconds < measuredFrom }
        )
        (totals.allowedFindings, totals.vendors) = (settings.allowedFindings, settings.vendors)
        totals.reportedNames = settings.reportedNames
        totals.exchanges = exchanges
        return totals
    }

    /// Breaks that start earlier belong to the warm-up.
    private var measuredFromMicroseconds: Int64 {
        guard settings.warmUpMilliseconds > 0 else { return .min }
        let length = settings.warmUpMilliseconds.multipliedClamped(by: 1_000)
        return settings.run.startedAtMicroseconds.addingClamped(length)
    }

    package var windowResults: [WindowResult] {
        windows.results(breaks: breaks().values, wallStartMicroseconds: settings.run.startedAtMicroseconds)
    }

    /// Judges the run once; unless `isOver`, counts that do not add up are not a defect.
    package func document(
        _ ending: RunEnding,
        reconciliation: Reconciliation? = nil,
        defects: [String] = [],
        notes: [String] = [],
        isOver: Bool = true,
        shards: ShardAccount? = nil,
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument {
        let windows = windowResults
        let drift = drift(windows, settings)
        let judged = totals
        // Breaks without viewers on this shard may have viewers on others.
        let isWhole = settings.run.shard == nil || shards != nil
        let untested = isOver && isWhole && settings.rehearsesBreaks == true ? judged.untestedBreaks : nil
        return ResultDocument(
            run: settings.run.ended(ending, totals: wholeTotals),
            totals: judged,
            health: health,
            ownFailure: ending.ownFailure,
            series: series,
            rules: settings.thresholds.compactMap(\.rule),
            unjudged: settings.thresholds.compactMap(\.complaint) + (untested.map { [$0] } ?? []),
            reconciliation: reconciliation,
            defects: defects,
            windows: windows,
            drift: drift.isEmpty ? nil : drift,
            judgesDrift: settings.judgesDrift,
            clock: wallClock,
            warmUp: warmUp.map { log in
                WarmUpResult(
                    durationMilliseconds: settings.warmUpMilliseconds,
                    totals: totals(of: log.sums),
                    viewers: log.sums.viewers,
                    health: log.health
                )
            },
            notes: notes,
            personas: settings.personas ?? [],
            isOver: isOver,
            shards: shards
        )
    }

    package func ended(_ ending: RunEnding) -> RunCollector {
        var ended = self
        ended.ending = ending
        return ended
    }

    package mutating func note(clock: ShardClock) { settings.run.shard?.clock = clock }

    /// Merges the loops of an ended shard: one ledger of all loops takes the memory of one run.
    func readyForOthers(shard index: Int) -> RunCollector {
        var ready = self
        ready.ending = nil
        ready.clock = clock.naming(shard: index)
        ready.loops = [0: loops.values.reduce(into: LoopLedger()) { $0.add($1) }]
        ready.loops[0]?.closeShutOuts(at: endedAtMicroseconds)
        return ready
    }

    /// Shards must be prepared by ``readyForOthers(shard:)``; no intervals may be folded afterwards.
    package mutating func add(_ other: RunCollector) {
        settings.run = settings.run.joined(with: other.settings.run)
        settings.judgesDrift = settings.judgesDrift || other.settings.judgesDrift
        intervals = max(intervals, other.intervals)
        endMicroseconds = max(endMicroseconds, other.endMicroseconds)
        counts.add(other.counts)
        exchanges.add(other.exchanges)
        breakSums.add(other.breakSums)
        wholeHealth.addInParallel(other.wholeHealth)
        series.addInParallel(other.series)
        measured.addInParallel(other.measured)
        if let theirs = other.warmUp, warmUp?.addInParallel(theirs) == nil { warmUp = theirs }
        for (_, theirs) in other.loops { loops[0, default: LoopLedger()].add(theirs) }
        windows.addInParallel(other.windows)
        clock.addInParallel(other.clock)
    }

    /// No intervals may be folded into it.
    package static func sum(of shards: [(index: Int, collector: RunCollector)]) -> RunCollector? {
        shards.reduce(into: nil) { $0.add($1.collector.readyForOthers(shard: $1.index)) }
    }

    /// Only after the shards were summed.
    mutating func found(_ entry: FindingEntry, as key: FindingLedger.Key) {
        loops[0, default: LoopLedger()].findings.entries[key, default: FindingEntry()].add(entry)
    }

    /// Leaves out pods that carried another viewer's session; only after the shards were summed.
    mutating func leaveOut(manifestsOf manifests: ViewerSet, renditionsOf renditions: ViewerSet, of breakKey: String) {
        loops[0]?.breaks[breakKey]?.pods.leaveOut(manifestsOf: manifests, renditionsOf: renditions)
    }

    /// For a lost process; returns the number of removed viewers.
    @discardableResult
    package mutating func leaveOutUnresolved() -> UInt64 {
        var left: UInt64 = 0
        for loop in loops.keys { left &+= loops[loop]?.leaveOutUnresolved() ?? 0 }
        breakSums.due &-= left
        return left
    }
}

/// The warm-up, or what comes after it.
private struct RunPart: Equatable, Codable, Sendable {
    var sums = RunSums()
    var health: HealthResult

    mutating func addInParallel(_ other: RunPart) {
        sums.add(other.sums)
        health.addInParallel(other.health)
    }
}

/// An error never ends the run: it is kept as text for the result.
package protocol IntervalSink: AnyObject, Sendable {
    /// Called in order on any thread; the closure, once it is decided whether the journal has the interval.
    func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void
}

/// One to two `length`s up to now: a failed target would take hours to show in a share of a long run.
package struct RecentStretch: Sendable {
    package struct Part: Sendable {
        /// From the start of the run.
        var startMicroseconds: Int64 = 0
        var sums = RunSums()
        package private(set) var loopDelayMicroseconds: Int64 = 0

        fileprivate mutating func add(_ interval: RunInterval) {
            sums.add(interval.sums)
            loopDelayMicroseconds = max(loopDelayMicroseconds, interval.health.loopDelayMicroseconds)
            sums.breakLateness.add(interval.warmUpBreakLateness)
        }
    }

    private let lengthMicroseconds: Int64
    package private(set) var whole = Part()
    /// Later part of ``whole``, with which the next stretch begins.
    private var next = Part()

    /// Shortest time examined, once the run has lasted that long.
    package init(length: Duration) { lengthMicroseconds = max(1, length.wholeMicroseconds) }

    package mutating func add(_ interval: RunInterval) {
        if interval.startMicroseconds &- next.startMicroseconds >= lengthMicroseconds {
            whole = next
            next = Part(startMicroseconds: interval.startMicroseconds)
        }
        whole.add(interval)
        next.add(interval)
    }
}
