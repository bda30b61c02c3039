package import Rules

extension ThresholdRule {
    /// Without a sample, a threshold fails if viewers were due and answers called for such a request.
    package func evaluate(_ totals: RunTotals) -> ThresholdResult {
        let durations = totals.distribution(of: metric)
        let observed = durations.map { $1.microseconds(in: $0) } ?? totals.value(of: metric, in: unit)
        let tooFew = durations.flatMap { $0.count < $1.samplesNeeded && $0.count > 0 ? $0.count : nil }
        let absence = observed == nil && !holdsAlways ? totals.absence(of: metric) : nil
        return ThresholdResult(
            text: text,
            metric: metricName,
            comparison: comparison.rawValue,
            limit: limit,
            unit: unit,
            observed: observed,
            passed: observed.map { comparison.holds($0, limit) } ?? (holdsAlways || absence == .noneLate),
            reason: absence?.reason,
            isUndecided: absence?.isUndecided == true ? true : nil,
            isDefault: isDefault ? true : nil,
            maximumOf: tooFew
        )
    }
}

private struct Absence: Equatable {
    var reason = "no samples"
    var isUndecided = false

    static let missing = Absence()
    static let notDue = Absence(reason: "no samples: no viewer was due", isUndecided: true)
    /// The rest of the run worked.
    static let notCalledFor = Absence(reason: "no samples: nothing called for such a request", isUndecided: true)
    /// No pod has a lateness.
    static let noneLate = Absence(reason: "no pod was late")
    static let noOutage = Absence(reason: "no samples: there was no outage", isUndecided: true)
    static let notOver = Absence(reason: "no samples: viewers had not left", isUndecided: true)
    /// An outage lasted to the end of the run.
    static let lasting = Absence(reason: "no samples: an outage was not over")
}

extension RunTotals {
    func value(of metric: Metric, in unit: MetricUnit) -> Double? {
        switch metric {
        case .requests(let kind):
            return Double(kinds(kind).reduce(0) { $0 &+ requestCount(of: $1) })
        case .errors(let kind):
            let errors = kinds(kind).reduce(0) { $0 &+ errorCount(of: $1) }
            let requests = kinds(kind).reduce(0) { $0 &+ requestCount(of: $1) }
            return amount(errors, of: requests, in: unit)
        case .latency, .breakLateness, .breakDiscovery, .liveLatency, .firstPicture, .breakFirstPicture:
            return distribution(of: metric).flatMap { $1.microseconds(in: $0) }
        case .breaks(let key, let figure):
            return value(of: figure, over: breaks.filter { key == nil || $0.key == key }, in: unit)
        case .breaksOfPersona(let name, let figure): return value(of: figure, ofPersona: name, in: unit)
        case .breaksOnTimeOfWorstPersona:
            let tallies = breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }.each
            return tallies.compactMap { amount($0.onTime, of: $0.due, in: unit) }.min()
        case .events(let figure): return value(of: figure, in: unit)
        case .stalls: return Double(count(of: .stalls))
        case .stalledTime: return Double(count(of: .stalledMilliseconds)) * 1_000
        case .rebuffering: return rebufferingPercent
        case .outages: return Double(outages.count)
        case .recovery:
            // An unfinished outage has no recovery time.
            let times = outages.map(\.recoveryMilliseconds)
            return times.contains(nil) ? nil : times.compactMap(\.self).max().map { Double($0) * 1_000 }
        case .findings(let code): return Double(countOfFindings(code))
        case .fill(let figure): return value(of: figure, in: unit)
        case .viewers(let counter):
            return Double(count(of: counter))
        }
    }

    fileprivate func distribution(of metric: Metric) -> (SparseHistogram, Statistic)? {
        switch metric {
        case .latency(let kind, let latency, let statistic):
            (self.latency(over: timedKinds(kind), latency), statistic)
        case .breakLateness(let statistic): (sums.breakLateness, statistic)
        case .breakDiscovery(let statistic): (breakDiscovery, statistic)
        case .liveLatency(let statistic): (sums.liveLatency, statistic)
        case .firstPicture(let statistic): (sums.firstPicture, statistic)
        case .breakFirstPicture(let statistic): (breakFirstPicture, statistic)
        default: nil
        }
    }

    fileprivate func absence(of metric: Metric) -> Absence {
        let due = breaks.reduce(0) { $0 &+ $1.due }
        switch metric {
        case .rebuffering where count(of: .left) < count(of: .joined): return .notOver
        case .recovery: return outages.isEmpty ? .noOutage : .lasting
        case .breakLateness where due > 0 && breaks.allSatisfy({ $0.onTime == $0.due }): return .noneLate
        case .breaks(let key?, _): return breaks.contains { $0.key == key && $0.due > 0 } ? .missing : .notDue
        case .breaksOfPersona: return .notDue
        case .errors(let kind?) where due > 0, .latency(let kind?, _, _) where due > 0:
            return isUncalledFor(kind) ? .notCalledFor : .missing
        default: return due > 0 ? .missing : .notDue
        }
    }

    /// Whether only the target's answers call for such requests, none did, and the run worked.
    private func isUncalledFor(_ kind: RequestKind) -> Bool {
        guard requestCount(of: kind) == 0 else { return false }
        switch kind {
        case .steering, .blockingPlaylist, .part, .key, .preflight:
            return [RequestKind.playlist, .blockingPlaylist].contains { kind in
                sums.requests.count(kind) { $0.isSuccess } > 0
            }
        case .sessionUpdate, .assetList, .assetManifest, .podPlaylist, .beacon: return breaks.contains { $0.onTime > 0 }
        case .registration, .multivariant, .playlist, .segment, .podManifest, .podSegment, .metadata, .verification:
            return false
        }
    }

    /// nil: all codes above advice that are not allowed.
    private func countOfFindings(_ code: String?) -> UInt64 {
        guard code == nil else { return findings.reduce(0) { $0 &+ ($1.code.code == code ? $1.count : 0) } }
        return findingResults.reduce(0) { $0 &+ ($1.allowed || $1.isAdvice ? 0 : $1.count) }
    }

    var findingResults: [FindingResult] {
        FindingResult.all(findings, joined: sums.viewers.people, allowed: allowedFindings, vendors: vendors)
    }

    private func kinds(_ kind: RequestKind?) -> [RequestKind] { kind.map { [$0] } ?? RequestKind.allCases }

    /// Requests that a server holds back on purpose say nothing about its speed.
    private func timedKinds(_ kind: RequestKind?) -> [RequestKind] {
        kind.map { [$0] } ?? RequestKind.allCases.filter { !$0.isHeldBack }
    }

    private func value(of figure: BreakFigure, ofPersona name: String, in unit: MetricUnit) -> Double? {
        let tallies = breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        let indices = personaNames.indices.filter { personaNames[$0] == name }
        return indices.isEmpty ? nil : punctuality(figure, of: indices.map { tallies[$0] }, in: unit)
    }

    private func punctuality(_ figure: BreakFigure, of parts: [some Punctuality], in unit: MetricUnit) -> Double? {
        func sum(_ figure: (any Punctuality) -> UInt64) -> UInt64 { parts.reduce(0) { $0 &+ figure($1) } }
        let due = sum(\.due)
        return switch figure {
        case .onTime: amount(sum(\.onTime), of: due, in: unit)
        case .late: amount(sum(\.late), of: due, in: unit)
        case .failed: amount(sum(\.failed), of: due, in: unit)
        case .unresolved: amount(sum(\.unresolved), of: due, in: unit)
        case .due: Double(due)
        case .skipped, .requests, .errors, .spread, .count: nil
        }
    }

    private func value(of figure: EventFigure, in unit: MetricUnit) -> Double? {
        guard let counter = ViewerCounter(name: "events_" + figure.rawValue) else {
            return Double(EventResult(self)?.unaccounted ?? 0)
        }
        switch figure {
        case .scheduled, .restricted, .changed, .unaccounted: return Double(count(of: counter))
        case .started, .finished, .cutShort, .cancelled, .failed, .skipped, .left:
            return amount(count(of: counter), of: count(of: .eventsScheduled), in: unit)
        }
    }

    private func value(of figure: BreakFigure, over breaks: [BreakRecord], in unit: MetricUnit) -> Double? {
        func sum(_ figure: (BreakRecord) -> UInt64) -> UInt64 { breaks.reduce(0) { $0 &+ figure($1) } }
        switch figure {
        case .onTime, .late, .failed, .unresolved, .due: return punctuality(figure, of: breaks, in: unit)
        case .skipped: return amount(sum(\.skipped), of: sum(\.due) &+ sum(\.skipped), in: unit)
        case .errors: return amount(sum(\.errors), of: sum(\.requests), in: unit)
        case .requests: return Double(sum(\.requests))
        case .spread: return breaks.compactMap(\.burst.spreadMicroseconds).max().map(Double.init)
        case .count: return Double(breaks.count { $0.due > 0 })
        }
    }

    private func value(of figure: FillFigure, in unit: MetricUnit) -> Double? {
        let fill = breaks.reduce(into: FillLedger()) { $0.add($1.fill) }.total
        switch figure {
        case .filled:
            return amount(fill.adMilliseconds &+ fill.slateMilliseconds, of: fill.askedMilliseconds, in: unit)
        case .ads: return amount(fill.adMilliseconds, of: fill.askedMilliseconds, in: unit)
        case .slate: return amount(fill.slateMilliseconds, of: fill.askedMilliseconds, in: unit)
        case .differing:
            let agreements = breaks.map(\.pods.agreement)
            let compared = agreements.reduce(0) { $0 &+ $1.compared }
            return amount(agreements.reduce(0) { $0 &+ $1.differing }, of: compared, in: unit)
        }
    }

    /// Divides only once, so that 999 of 1000 is exactly the 99.9 of a profile.
    private func amount(_ part: UInt64, of whole: UInt64, in unit: MetricUnit) -> Double? {
        guard whole > 0 else { return nil }
        return unit == .percent ? Double(part) * 100 / Double(whole) : Double(part)
    }

    package var untestedBreaks: String? {
        guard breaks.allSatisfy({ $0.due == 0 }) else { return nil }
        return "no break was tested: \(causeOfUntestedBreaks); breaks: none in the profile tests playlists alone"
    }

    private var causeOfUntestedBreaks: String {
        if count(of: .joined) == 0 { return "no viewer joined" }
        if !breaks.isEmpty { return "no viewer was due at any of \(breaks.count) break\(breaks.count == 1 ? "" : "s")" }
        if !warmUpBreaks.isEmpty { return "every break began in the warm-up" }
        return "no break came in sight"
    }
}

package struct ThresholdResult: Equatable, Codable, Sendable {
    package var text: String
    package var metric: String
    package var comparison: String
    package var limit: Double
    package var unit: MetricUnit
    package var observed: Double?
    package var passed: Bool
    package var reason: String?
    package var isUndecided: Bool?
    package var isDefault: Bool?
    package var maximumOf: UInt64?

    package var failed: Bool { !passed && isUndecided != true }

    package var isOfBreaks: Bool { metric.hasPrefix("breaks") }

    package var shownText: String { isDefault == true ? text + " (default)" : text }

    package var observedText: String {
        let isJudged = comparison != ThresholdComparison.atLeast.rawValue || limit != 0
        let value = observed.map(amount) ?? reason
        return isJudged ? value ?? "no samples" : [value, "not judged"].compactMap(\.self).joined(separator: ", ")
    }

    private func amount(_ observed: Double) -> String {
        switch unit {
        case .microseconds:
            MetricText.time(microseconds: observed) + (maximumOf.map { ", the maximum of \($0)" } ?? "")
        case .percent: MetricText.percent(observed)
        case .count: MetricText.number(observed) + (noun(of: observed).map { " \($0)" } ?? "")
        }
    }

    private func noun(of count: Double) -> String? {
        guard let metric = MetricCatalogue.metric(named: metric), metric.dimension == .shareOrCount else { return nil }
        return metric.noun.map { count == 1 ? String($0.dropLast()) : $0 }
    }
}

extension Statistic {
    /// The maximum replaces a percentile with fewer samples than it needs.
    package func microseconds(in histogram: some BucketedDurations) -> Double? {
        guard histogram.count > 0 else { return nil }
        guard histogram.count >= samplesNeeded else { return Double(histogram.maximumMicroseconds) }
        if let percentile { return histogram.microseconds(atPercentile: percentile).map(Double.init) }
        switch self {
        case .min: return Double(histogram.minimumMicroseconds)
        case .mean: return histogram.meanMicroseconds
        case .max, .p50, .p90, .p95, .p99, .p999: return Double(histogram.maximumMicroseconds)
        }
    }
}
