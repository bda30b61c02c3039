import Results
import Rules

/// The report of the result if the run ended now, preceded by the present state.
package struct LiveReport: Sendable {
    private let page: Page

    /// `state` is nil before the run's first second.
    package init(_ state: LiveState?, course: LiveCourse) {
        guard let state else {
            let verdict = Verdict("Not begun", .plain, "The run has not begun.")
            self.page = Page(
                title: "podswarm, live",
                name: "podswarm",
                facts: [],
                verdict: verdict,
                sections: [],
                version: PodswarmVersion.current
            )
            return
        }
        var page = Page(state.document())
        page.title = "\(state.profile) – podswarm, live"
        let word = page.verdict.word
        page.verdict.meaning = "Still running: this is what its result would say if it ended now. \(word)."
        (page.verdict.word, page.verdict.tone) = ("Running", .plain)
        page.opening.insert(.figures(Self.now(state)), at: 0)
        page.sections.insert(LiveSection.now(state, course), at: 0)
        self.page = page
    }

    /// Throws if style or script is not installed.
    package func html() throws -> String {
        let status =
            "<p id=\"state\" class=\"state\" data-state=\"connecting\" role=\"status\">Connecting</p>"
            + "<noscript><p class=\"meaning\">Without scripts this page does not follow the run: load it again.</p></noscript>"
        return try page.html(
            own: "live",
            allowing: "connect-src 'self'; img-src data:; ",
            status: Markup(trusted: status)
        )
    }

    package var sections: [(anchor: String, html: String)] {
        let shown = page.sections.filter { $0.isShown(in: .page) }
        return [(anchor: "verdict", html: HTMLRendering.verdict(page))]
            + shown.map { (anchor: $0.anchor, html: HTMLRendering.section($0)) }
    }

    private static func now(_ state: LiveState) -> [Figure] {
        let progress = state.progress
        let viewers = progress.viewers.filter { $0.count > 0 }.map { "\(TextLayout.grouped($0.count)) \($0.name)" }
        let latest = state.series.points.last
        return [
            Figure(
                label: "Elapsed",
                value: TimeText.elapsed(Double(progress.elapsedSeconds)),
                note: progress.secondsLeft.map { TimeText.elapsed(Double($0)) + " left" } ?? "no end set"
            ),
            Figure(
                label: "Next break",
                value: progress.secondsToNextBreak.map {
                    $0 > 0 ? "in \(TimeText.elapsed(Double($0)))" : "now"
                } ?? "none in sight",
                note: viewers.joined(separator: ", ")
            ),
            Figure(
                label: "Requests/s",
                value: MetricText.number(progress.requestsPerSecond.rounded()),
                note: "\(TextLayout.grouped(progress.requests)) in all"
            ),
            Figure(
                label: "Errors, last second",
                value: TextLayout.grouped(latest?.errors ?? 0),
                note: "\(TextLayout.grouped(progress.errors)) in all",
                tone: (latest?.errors ?? 0) > 0 ? .bad : .plain
            ),
        ]
    }
}

private enum LiveSection {
    static func now(_ state: LiveState, _ course: LiveCourse) -> Section {
        let latest = state.series.points.last
        let generator = [
            Fact(
                "Processor",
                Words(
                    "\(MetricText.rounded(latest?.cpuCores ?? 0, places: 2)) of \(TextLayout.counted(state.health.loopCores, "core"))"
                )
            ),
            Fact("Memory", Words(TickText.bytes(Double(latest?.residentBytes ?? 0)))),
            Fact(
                "Descriptors",
                Words(
                    "\(TextLayout.grouped(latest?.openDescriptors ?? 0)) of \(TextLayout.grouped(state.health.descriptorLimit))"
                )
            ),
            Fact("Latest request", Words("left \(TimeText.duration(latest?.latenessMaximumMicroseconds ?? 0)) late")),
            Fact("Event loops", Words("delayed by \(TimeText.duration(latest?.loopDelayMaximumMicroseconds ?? 0))")),
        ]
        let latencies = Table(
            name: "Response time of the last second",
            columns: ["kind", "answers", "p50", "p99"],
            rows: course.latencies.map {
                .init([
                    Words($0.kind.name), .count($0.count),
                    .time($0.p50Microseconds),
                    .time($0.p99Microseconds),
                ])
            }
        )
        let viewers = state.progress.viewers.map { Fact($0.name, .count($0.count)) }
        return Section(
            "now",
            "Now",
            link: "Now",
            [
                .markup(Markup(trusted: "<p class=\"hidden\" role=\"status\">\(HTMLText.escaped(news(state)))</p>")),
                .beside([[.heading("Viewers"), .facts(viewers)], [.heading("Generator"), .facts(generator)]]),
                latencies.rows.isEmpty ? nil : .heading("Response time of the last second"), .table(latencies),
                .charts([
                    Chart(
                        "\(strong: "Response time") p99 of each second",
                        keys: [.init(style: "c1", name: "playlists"), .init(style: "c4", name: "pods")],
                        course.plot()
                    )
                ]), .liveShards(state.shards),
            ]
        )
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
}

extension Block {
    fileprivate static func liveShards(_ shards: [LiveShard]) -> Block? {
        let heads = ["shard", "host", "state", "viewers", "requests", "errors", "latest request", "generator"]
        return .table(
            name: "Shards",
            columns: heads.map { .init(Words($0), isText: ["host", "state", "generator"].contains($0)) },
            rows: shards.map { shard in
                let isLost = if case .lost = shard.state { true } else { false }
                return .init([
                    Words("\(shard.index)"), shard.host.orDash,
                    isLost ? .tag(shard.state.name, .bad) : Words(shard.state.name),
                    .count(shard.viewers), .count(shard.requests),
                    Words(TextLayout.grouped(shard.errors), shard.errors > 0 ? .bad : .plain),
                    .time(shard.latenessMaximumMicroseconds),
                    shard.limits.isEmpty
                        ? Words(isLost ? "–" : "keeps up") : .tag("limits the run", .warn),
                ])
            }
        )
    }
}

extension LiveCourse {
    func plot() -> Plot? {
        guard let last = points.last, points.count > 1 else { return nil }
        let lines: [(name: String, style: String, values: [Int64?])] = [
            ("playlists", "c1", points.map(\.playlistP99Microseconds)),
            ("pods", "c4", points.map(\.podP99Microseconds)),
        ]
        let highest = lines.flatMap { $0.values.compactMap(\.self) }.max() ?? 0
        let time = LinearScale(0, max(last.seconds, 1))
        let scale = LinearScale(0, max(Double(highest), 1) * 1.08)
        let places = points.map { time.fraction(of: $0.seconds) }
        var plot = Plot(name: "Response time over the run, p99 of each second", height: 96)
        plot.horizontalTicks = Ticks.elapsed(seconds: time.highest)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 4, TickText.duration)
        for line in lines {
            let points = zip(places, line.values).map { place, value in
                value.map { (x: Plot.x(place), y: plot.y(scale.fraction(of: Double($0)))) }
            }
            plot.shapes.shape(VectorPath.through(points), line.style)
        }
        plot.readings = Readings(
            fractions: places,
            headings: points.map { TimeText.elapsed($0.seconds) },
            lines: lines.map { line in
                .init(line.name, style: "k-\(line.style)", line.values.map { $0.map(TimeText.duration) ?? "" })
            }
        )
        return plot
    }
}
