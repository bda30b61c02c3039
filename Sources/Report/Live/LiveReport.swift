package import Results
import Rules

/// The report of the result if the run ended now, preceded by the present state.
package struct LiveReport: Sendable {
    private let page: Page

    /// `state` is nil before the run's first second.
    package init(_ state: LiveState?, course: LiveCourse) {
        guard let state else {
            let verdict = Verdict("Not begun", .plain, "The run has not begun.")
            self.page = Page(title: "podswarm, live", name: "podswarm", verdict: verdict)
            return
        }
        var page = Page(state.document())
        page.title = "\(state.run.profile) – podswarm, live"
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
        let allowing = "connect-src 'self'; img-src data:; "
        return try page.html(own: "live", allowing: allowing, status: Markup(trusted: status))
    }

    package var sections: [(anchor: String, html: String)] {
        [(anchor: "verdict", html: HTMLRendering.verdict(page))]
            + page.sections(in: .page).map { (anchor: $0.anchor, html: HTMLRendering.section($0)) }
    }

    private static func now(_ state: LiveState) -> [Figure] {
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
            Figure("Elapsed", time(progress.elapsedSeconds), note: left),
            Figure("Next break", next, note: viewers.joined(separator: ", ")),
            Figure("Requests/s", rate, note: "\(requests) in all"),
            Figure("Errors, last second", TextLayout.grouped(failed), note: "\(errors) in all", tone: tone),
        ]
    }
}

private enum LiveSection {
    static func now(_ state: LiveState, _ course: LiveCourse) -> Section {
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
        let latencies = Table("Response time of the last second", ["kind", "answers", "p50", "p99"])
            .listing(course.latencies) {
                .init([Words($0.kind.name), .count($0.count), .time($0.p50Microseconds), .time($0.p99Microseconds)])
            }
        let viewers = state.progress.viewers.map { Fact($0.name, .count($0.count)) }
        let keys = [Chart.Key(style: "c1", name: "playlists"), .init(style: "c4", name: "pods")]
        return Section("now", "Now", link: "Now").showing([
            .markup(Markup(trusted: "<p class=\"hidden\" role=\"status\">\(HTMLText.escaped(news(state)))</p>")),
            .beside([[.heading("Viewers"), .facts(viewers)], [.heading("Generator"), .facts(generator)]]),
            course.latencies.isEmpty ? nil : .heading("Response time of the last second"), latencies,
            .charts([Chart("\(strong: "Response time") p99 of each second", keys: keys, course.plot())]),
            shards(state.shards),
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
        let name = "Response time over the run, p99 of each second"
        var plot = Plot(name: name, height: 96, across: time, up: scale)
        plot.horizontalTicks = Ticks.elapsed(seconds: time.highest)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 4, TickText.duration)
        for line in lines {
            let curve = zip(points, line.values).map { point, value in
                value.map { (value: point.seconds, height: Double($0)) }
            }
            plot.curve(curve, line.style)
        }
        plot.readings = Readings(
            fractions: points.map { plot.place($0.seconds) },
            headings: points.map { TimeText.elapsed($0.seconds) },
            lines: lines.map { line in
                .init(line.name, style: "k-\(line.style)", line.values.map { $0.map(TimeText.duration) ?? "" })
            }
        )
        return plot
    }
}

/// Response times between updates; a result keeps them for whole windows only.
package struct LiveCourse: Sendable {
    struct Latency: Equatable, Sendable {
        var kind: RequestKind
        var count: UInt64
        var p50Microseconds: Int64
        var p99Microseconds: Int64
    }

    struct Point: Equatable, Sendable {
        /// From the start of the run.
        var seconds: Double
        /// Nil without answers.
        var playlistP99Microseconds: Int64?
        var podP99Microseconds: Int64?
    }

    /// Beyond it neighbours are merged.
    static let limit = 600
    private static let pods: Set<RequestKind> = [.podManifest, .podPlaylist, .assetList, .assetManifest]

    private(set) var latencies: [Latency] = []
    private(set) var points: [Point] = []
    private var counts = [[UInt64]](repeating: [], count: RequestKind.allCases.count)

    package init() {}

    /// `totals` must include those of the last update; `seconds` count from the start of the run on a monotonic clock.
    package mutating func take(_ totals: RunTotals, at seconds: Double) {
        latencies = RequestKind.allCases.compactMap { latency($0, totals.latency($0, .response)) }
        let pods = latencies.filter { Self.pods.contains($0.kind) }
        let point = Point(
            seconds: seconds,
            playlistP99Microseconds: latencies.first { $0.kind == .playlist }?.p99Microseconds,
            podP99Microseconds: pods.map(\.p99Microseconds).max()
        )
        if points.count == Self.limit {
            points = stride(from: 0, to: points.count, by: 2).map { Self.joined(points[$0], points[$0 + 1]) }
        }
        points.append(point)
    }

    private static func joined(_ first: Point, _ second: Point) -> Point {
        var joined = second
        for figure in [\Point.playlistP99Microseconds, \.podP99Microseconds] {
            joined[keyPath: figure] = [first[keyPath: figure], second[keyPath: figure]].compactMap(\.self).max()
        }
        return joined
    }

    /// New samples since the last update.
    private mutating func latency(_ kind: RequestKind, _ durations: some BucketedDurations) -> Latency? {
        var new: [(index: Int, count: UInt64)] = []
        var known = counts[Int(kind.rawValue)]
        durations.forEachBucket { index, count in
            if index >= known.count { known += repeatElement(0, count: index + 1 - known.count) }
            if count > known[index] { new.append((index, count - known[index])) }
            known[index] = count
        }
        counts[Int(kind.rawValue)] = known
        let all = new.reduce(0) { $0 &+ $1.count }
        guard all > 0 else { return nil }
        let figure = { (share: Double) -> Int64 in
            let wanted = max(1, (Double(all) * share).rounded(.up))
            var seen = 0.0
            let bucket = new.first { bucket in
                seen += Double(bucket.count)
                return seen >= wanted
            }
            let highest = bucket.map { Int64(clamping: durations.digits.highestValue(in: $0.index)) } ?? 0
            // A bucket may exceed the maximum duration.
            return min(highest, durations.maximumMicroseconds)
        }
        return Latency(kind: kind, count: all, p50Microseconds: figure(0.5), p99Microseconds: figure(0.99))
    }
}
