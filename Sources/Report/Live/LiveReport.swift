import Comparison
package import Results
import Rules

/// The report of the result if the run ended now, preceded by the present state.
package struct LiveReport: Sendable {
    private let page: Page

    /// `state` is nil before the run's first second.
    package init(_ state: LiveState?) {
        guard let state else {
            let verdict = Verdict(Wording("live", "not_begun"))
            self.page = Page(title: "podswarm, live", name: "podswarm", verdict: verdict)
            return
        }
        var page = state.document().page
        page.title = "\(state.run.profile) – podswarm, live"
        let word = page.verdict.word
        page.verdict.meaning = "Still running: this is what its result would say if it ended now. \(word)."
        (page.verdict.word, page.verdict.tone) = ("Running", .plain)
        page.opening.insert(.figures(Self.now(state)), at: 0)
        page.sections.insert(Self.section(state), at: 0)
        self.page = page
    }

    /// Throws if style or script is not installed.
    package func html() throws -> String {
        let status =
            "<p id=\"state\" class=\"state\" data-state=\"connecting\" role=\"status\">Connecting</p>"
            + "<noscript><p class=\"meaning\">Without scripts this page does not follow the run: load it again.</p></noscript>"
        let allowing = "connect-src 'self'; img-src data:; "
        return try page.html(own: "live", allowing: allowing, status: Markup(trusted: status))
    }

    package var sections: [(anchor: String, html: String)] {
        [(anchor: "verdict", html: HTMLRendering.verdict(page))]
            + page.sections(in: .page).map { (anchor: $0.anchor, html: HTMLRendering.section($0)) }
    }

    private static func now(_ state: LiveState) -> [Fact] {
        let progress = state.progress
        let viewers = progress.viewers.filter { $0.count > 0 }.map { "\(TextLayout.grouped($0.count)) \($0.name)" }
        let failed = state.series.points.last?.errors ?? 0
        let time = { (seconds: Int) in TimeText.elapsed(Double(seconds)) }
        let left = progress.secondsLeft.map { time($0) + " left" } ?? "no end set"
        let next = progress.secondsToNextBreak.map { $0 > 0 ? "in \(time($0))" : "now" } ?? "none in sight"
        let rate = MetricText.number(progress.requestsPerSecond.rounded())
        let (requests, errors) = (TextLayout.grouped(progress.requests), TextLayout.grouped(progress.errors))
        let tone: Tone = failed > 0 ? .bad : .plain
        return [
            Fact("Elapsed", Words(time(progress.elapsedSeconds)), note: left),
            Fact("Next break", Words(next), note: viewers.joined(separator: ", ")),
            Fact("Requests/s", Words(rate), note: "\(requests) in all"),
            Fact("Errors, last second", Words(TextLayout.grouped(failed), tone), note: "\(errors) in all"),
        ]
    }

    private static func section(_ state: LiveState) -> Section {
        let (latest, health) = (state.series.points.last, state.health)
        let cores = MetricText.rounded(latest?.cpuCores ?? 0, places: 2)
        let descriptors = TextLayout.grouped(latest?.openDescriptors ?? 0)
        let generator = [
            Fact("Processor", Words("\(cores) of \(TextLayout.counted(health.loopCores, "core"))")),
            Fact("Memory", Words(TickText.bytes(Double(latest?.residentBytes ?? 0)))),
            Fact("Descriptors", Words("\(descriptors) of \(TextLayout.grouped(health.descriptorLimit))")),
            Fact("Latest request", Words("left \(TimeText.duration(latest?.latenessMaximumMicroseconds ?? 0)) late")),
            Fact("Event loops", Words("delayed by \(TimeText.duration(latest?.loopDelayMaximumMicroseconds ?? 0))")),
        ]
        let responses = state.progress.latest.responses
        let latencies = Table("Response time of the last second", ["kind", "answers", "p50", "p99"])
            .listing(responses) { kind, durations in
                let times = durations.microseconds(atPercentiles: [50, 99]).compactMap(\.self)
                // A bucket may exceed the maximum duration.
                let shown = times.map { Words.time(min($0, durations.maximumMicroseconds)) }
                return .init([Words(kind.name), .count(durations.count)] + shown)
            }
        let viewers = state.progress.viewers.map { Fact($0.name, .count($0.count)) }
        return Section("now", "Now", link: "Now").showing([
            .markup(Markup(trusted: "<p class=\"hidden\" role=\"status\">\(HTMLText.escaped(news(state)))</p>")),
            .beside([[.heading("Viewers"), .facts(viewers)], [.heading("Generator"), .facts(generator)]]),
            responses.isEmpty ? nil : .heading("Response time of the last second"), latencies, shards(state.shards),
        ])
    }

    /// For screen readers; never the figures of a second.
    private static func news(_ state: LiveState) -> String {
        let codes = Set(state.totals.findings.map(\.code).filter { $0.severity != .advice }.map(\.code)).sorted()
        let over = state.totals.latestBreak.flatMap { $0.unresolved == 0 ? $0 : nil }
        let punctual = over.map {
            "Break of \(TimeText.clock($0.startMicroseconds)): "
                + "\(($0.onTimeShare.map { MetricText.percent($0 * 100) }) ?? "no") of viewers in time."
        }
        return [punctual, codes.isEmpty ? nil : "Findings: \(codes.joined(separator: ", "))."].compactMap(\.self)
            .joined(separator: " ")
    }

    private static func shards(_ shards: [LiveShard]) -> Block {
        let heads: [Table.Column] = [
            "shard", .text("host"), .text("state"), "viewers", "requests", "errors", "latest request",
            .text("generator"),
        ]
        return Table("Shards", heads).listing(shards) { shard in
            let isLost = if case .lost = shard.state { true } else { false }
            return .init([
                Words("\(shard.index)"), shard.host.orDash,
                isLost ? .tag(shard.state.name, .bad) : Words(shard.state.name),
                .count(shard.viewers), .count(shard.requests),
                Words(TextLayout.grouped(shard.errors), shard.errors > 0 ? .bad : .plain),
                .time(shard.latenessMaximumMicroseconds),
                shard.limits.isEmpty ? Words(isLost ? "–" : "keeps up") : .tag("limits the run", .warn),
            ])
        }
    }
}

extension [RequestSums] {
    /// Kinds without an answer are omitted.
    fileprivate var responses: [(kind: RequestKind, durations: SparseHistogram)] {
        RequestKind.allCases.compactMap { kind in
            let durations = compactMap { $0.latency(kind, .response) }
            let sum = durations.reduce(into: SparseHistogram(digits: .three)) { $0.add($1) }
            return sum.count > 0 ? (kind, sum) : nil
        }
    }
}

/// Its creation neither stops nor slows the loops, beyond the copy of their measurements.
package struct LiveState: Sendable {
    var run: RunDescription
    package var progress: Progress
    /// Includes the warm-up.
    package var totals: RunTotals
    var health: HealthResult
    var series: TimeSeries
    /// In the order of their indices; empty without shards.
    var shards: [LiveShard] = []
    /// If the run ended now.
    var document: @Sendable () -> ResultDocument
    /// Nil during the run.
    package var result: ResultDocument?
}

extension LiveState {
    package init(_ progress: Progress, of collector: RunCollector, shards: [LiveShard]) {
        self.init(
            run: collector.settings.run,
            progress: progress,
            totals: collector.wholeTotals,
            health: collector.wholeHealth,
            series: collector.series,
            shards: shards
        ) {
            collector.document(
                RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds),
                isOver: false,
                drift: DriftJudge.verdicts
            )
        }
    }
}

package struct LiveShard: Equatable, Sendable {
    var index: Int
    /// Nil before its first report.
    var host: String?
    var state: FollowedRun.State
    var viewers: Int64 = 0
    var requests: UInt64 = 0
    var errors: UInt64 = 0
    /// In the last interval.
    var latenessMaximumMicroseconds: Int64 = 0
    var limits: [String] = []

    /// `known` are those with data; `states` are all, in the order of their indices.
    package static func all(_ known: [(index: Int, collector: RunCollector)], _ states: [FollowedRun.State]) -> [Self] {
        let collectors = Dictionary(known.map { ($0.index, $0.collector) }) { first, _ in first }
        return states.enumerated().map { index, state in
            guard let collector = collectors[index] else { return LiveShard(index: index, state: state) }
            return LiveShard(
                index: index,
                host: collector.settings.run.host.name,
                state: state,
                viewers: state == .running ? collector.counts.activeViewers : 0,
                requests: collector.counts.requests,
                errors: collector.counts.errors,
                latenessMaximumMicroseconds: collector.series.points.last?.latenessMaximumMicroseconds ?? 0,
                limits: collector.generatorLimits
            )
        }
    }
}

extension FollowedRun.State {
    var name: String {
        switch self {
        case .awaited: "awaited"
        case .running: "running"
        case .ended: "ended"
        case .lost: "lost"
        }
    }

    static let names = [Self.awaited, .running, .ended, .lost("")].map(\.name)
}
