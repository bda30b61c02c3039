import Results
import Rules

enum GeneratorSections {
    static func generator(_ document: ResultDocument) -> Section {
        let health = document.health
        let wording = document.generatorWording
        let outside = [(health.latenciesAboveRange, "above one hour"), (health.latenciesBelowZero, "below zero")]
        let left = outside.filter { $0.0 > 0 }.map { "\(TextLayout.counted($0.0, "duration")) \($0.1)" }
            .joined(separator: " and ")
        let isKnown = health.seconds > 0
        let clock = ClockText.sentence(document.clock)
        let summary = Words(wording.word, wording.tone)
        return Section("generator", "Generator", link: "Generator", summary: summary, isFolded: true).showing([
            .lead(Words(wording.meaning)),
            .list(health.reasons.map { Words($0) }, limit: Limits(markdown: 20)),
            isKnown ? table(document) : .paragraph("nothing is known of it: no second of the run counted"),
            answers(document).map { .said($0) }, (document.clock?.stepCount ?? 0) > 0 ? nil : .said(clock).only(.page),
            health.suspect ? .paragraph(Words("suspect: \(left) are left out of distributions", .warn), .alarm) : nil,
            .charts(charts(document), .half),
        ])
    }

    private static func table(_ document: ResultDocument) -> Block {
        let rows = delays(document) + waits(document) + rows(document.health)
        return Table("The generator against its budget", ["generator", "observed", "allowed"], isProse: true)
            .listing(rows) { name, observed, allowed, isExceeded in
                .init([Words(name), Words(observed, isExceeded ? .bad : .plain), Words(allowed ?? "")])
            }
    }

    private typealias Row = (name: String, observed: String, allowed: String?, isExceeded: Bool)

    /// The request kind with the worst p99 for each delay of podswarm's own.
    private static func delays(_ document: ResultDocument) -> [Row] {
        let budget = document.health.budget
        let delays: [(LatencyMetric, String, Int64?)] = [
            (.lateness, "Lateness of sending", budget.latenessP99Microseconds),
            (.handling, "Lateness of reading", budget.handlingP99Microseconds),
        ]
        return delays.compactMap { metric, name, budget in
            guard let budget, let (kind, latency) = document.worstP99(metric) else { return nil }
            let p99 = latency.p99Microseconds
            let hasEnough = latency.count >= Statistic.p99.samplesNeeded
            return (
                "\(name), \(hasEnough ? "p99" : "maximum") of \(kind)",
                hasEnough ? TimeText.duration(p99) : latency.sentence([.p99]), TimeText.duration(budget), p99 > budget
            )
        }
    }

    /// Empty for results of versions without this measurement.
    private static func waits(_ document: ResultDocument) -> [Row] {
        let health = document.health
        guard let limit = health.budget.coreWaitMicroseconds else { return [] }
        let waits = [("podswarm", health.generatorWaits), ("the embedded origin", health.originWaits)]
        let rows: [Row] = waits.compactMap { process, log in
            guard let log else { return nil }
            let tolerated = log.tolerated(by: health.budget)
            return (
                "Longest that a thread of \(process) waited for a core in a second",
                "\(TimeText.duration(log.threadWaitedMaximumMicroseconds)), too long in"
                    + " \(TextLayout.grouped(log.secondsOver)) s, \(TextLayout.grouped(log.breakSecondsOver)) of them"
                    + " with breaks",
                "\(TimeText.duration(limit)), in all but \(tolerated.seconds) of"
                    + " \(TextLayout.grouped(log.seconds)) s and \(tolerated.breakSeconds) of"
                    + " \(TextLayout.grouped(log.breakSeconds)) s with breaks",
                log.isBeyond(health.budget, blamesTarget: document.blamesTarget)
            )
        }
        let unknown: Row = (
            "Longest that a thread waited for a core in a second", "unknown: the kernel does not tell",
            TimeText.duration(limit), false
        )
        return rows.isEmpty ? [unknown] : rows
    }

    private static func rows(_ health: HealthResult) -> [Row] {
        let budget = health.budget
        let badSeconds = Int(Clamped.count((budget.badSecondsShare * Double(health.seconds)).rounded(.down)))
        let descriptors = Double(health.descriptorLimit) * budget.descriptorShare
        let memory = budget.residentBytes
        let cores = [health.cpuCoresMean, health.cpuCoresMaximum].map { MetricText.rounded($0, places: 2) }
        let bytes = [health.residentBytesFirst, health.residentBytesLast, health.residentBytesMaximum]
        return [
            (
                "Longest delay of a loop", TimeText.duration(health.loopDelayMaximumMicroseconds),
                "\(TimeText.duration(budget.loopDelayMicroseconds)), in all but \(badSeconds) of"
                    + " \(TextLayout.grouped(health.seconds)) s", health.secondsOverLoopDelay > badSeconds
            ),
            (
                "Processor, mean and most", cores.joined(separator: " and ") + " cores",
                "\(MetricText.percent(budget.cpuShare * 100)) of \(TextLayout.counted(health.loopCores, "core"))",
                health.secondsOverCPU > badSeconds
            ),
            (
                "Memory, first, last and most", bytes.map { TickText.bytes(Double($0)) }.joined(separator: ", "),
                memory > 0 ? TickText.bytes(Double(memory)) : nil, memory > 0 && health.residentBytesMaximum > memory
            ),
            (
                "Open descriptors, most",
                "\(TextLayout.grouped(health.openDescriptorsMaximum)) of \(TextLayout.grouped(health.descriptorLimit))",
                TextLayout.grouped(Clamped.count(descriptors)), Double(health.openDescriptorsMaximum) > descriptors
            ),
            (
                "Requests planned and never sent", TextLayout.grouped(health.droppedStarts),
                TextLayout.grouped(budget.droppedStarts), health.droppedStarts > budget.droppedStarts
            ), ("Requests sent late", TextLayout.grouped(health.lateStarts), nil, false),
            ("Load average of the machine, most", MetricText.rounded(health.loadAverageMaximum, places: 2), nil, false),
        ]
    }

    /// Nil if no answer has a stamp.
    private static func answers(_ document: ResultDocument) -> String? {
        let requests = document.requests.values
        let answers = requests.reduce(0) { $0 &+ ($1.latencies[LatencyMetric.service.name]?.count ?? 0) }
        let unstamped = requests.reduce(0) { $0 &+ ($1.unstamped ?? 0) }
        let outgrown = requests.reduce(0) { $0 &+ ($1.outgrewBuffer ?? 0) }
        let share = MetricText.percent(Double(unstamped) * 100 / Double(max(answers, 1)))
        let larger = TextLayout.counted(outgrown, "answer")
        let words: [String?] = [
            document.worstP99(.handling).map { kind, latency in
                "answers of \(kind) read after they came: \(latency.sentence([.p99]))"
            }, unstamped > 0 && answers > 0 ? "\(share) of the answers without a stamp of the kernel" : nil,
            outgrown > 0 ? "\(larger) larger than the receive buffer, which waited for podswarm" : nil,
        ]
        let known = words.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    private static func charts(_ document: ResultDocument) -> [Chart?] {
        let budget = document.health.budget
        let lateness: SeriesChart.Limit = (Double(budget.latenessP99Microseconds), "allowed at p99")
        let delay: SeriesChart.Limit = (Double(budget.loopDelayMicroseconds), "allowed")
        let cores: SeriesChart.Limit = (budget.cpuShare * Double(document.health.loopCores), "allowed")
        let (sending, loops) = ("Lateness of sending, most per step", "Delay of loops, most per step")
        return [
            SeriesChart(.strong(sending), "Latest sending of any request over the run", .time, limit: lateness)
                .drawing([.most("lateness") { Double($0.latenessMaximumMicroseconds) }]),
            SeriesChart(.strong(loops), "Longest delay of a loop over the run", .time, limit: delay)
                .drawing([.most("loop delay") { Double($0.loopDelayMaximumMicroseconds) }]),
            SeriesChart(.strong("Processor, cores"), "Processor cores used over the run", .cores, limit: cores)
                .drawing([.most("cores") { $0.cpuCores }]),
            SeriesChart(.strong("Memory"), "Resident memory over the run", .bytes)
                .drawing([.most("resident") { Double($0.residentBytes) }]),
            SeriesChart(.strong("Open descriptors"), "Open descriptors over the run", .count)
                .drawing([.most("descriptors") { Double($0.openDescriptors) }]),
        ].map { $0.chart(document.series) }
    }

    private static let shardLimit = 100

    static func shards(_ document: ResultDocument) -> Section? {
        guard let shards = document.shards, !shards.isEmpty else { return nil }
        let whole = shards.count { !$0.isLost && !$0.isLimited }
        let heads: [Table.Column] = [
            "shard", .text("host"), "viewers", "requests", "errors", "on time", "clock", .text("generator"),
            .text("ended"),
        ]
        let limits = Limits(text: shardLimit, markdown: shardLimit, page: shardLimit)
        let summary: Words = "\(String(whole)) of \(String(shards.count)) whole and within their budget"
        return Section("shards", "Shards", link: "Shards", summary: summary, isFolded: true).showing([
            .lead(.sentence("shards")),
            // Lost and limited shards come first if not all fit.
            Table("Table of shards", heads, limits: limits, noun: "shard")
                .listing(shards) { .init($0.cells, rank: $0.isLost || $0.isLimited ? 1 : 0) },
        ])
    }

    static func reconciliation(_ reconciliation: Reconciliation?) -> Section? {
        guard let reconciliation else { return nil }
        let agrees = reconciliation.agrees
        let requests = TextLayout.counted(reconciliation.rows.reduce(0) { $0 &+ $1.originReceived }, "request")
        let rows = reconciliation.rows.filter { $0.clientAnswered > 0 || $0.originReceived > 0 || !$0.agrees }
        let heads: [Table.Column] = ["request", "answered here", "unanswered here", "received there", "agrees"]
        let table = Table("Counts of client and origin", heads).listing(rows) { row in
            let counts = [row.clientAnswered, row.clientUnanswered, row.originReceived]
            let word = row.agrees ? Words("yes") : .tag("differs", .bad)
            return .init([Words(row.kind)] + counts.map { .count($0) } + [word])
        }
        let summary: Words =
            agrees ? "\("agree", .good): \(requests) of every kind" : "\("differ: a defect of podswarm", .bad)"
        return Section("reconciliation", "Origin's own counts", summary: summary, isFolded: agrees).showing([
            table.only(agrees ? .page : .all),
            reconciliation.connections.map { seen in
                let text =
                    "\(TextLayout.counted(UInt64(clamping: seen.viewers), "viewer")) on"
                    + " \(TextLayout.counted(UInt64(clamping: seen.total), "connection")) of their own,"
                    + " at most \(seen.maximumPerViewer) each; \(seen.shared == 0 ? "none" : "\(seen.shared)") shared"
                return .said(text, seen.shared == 0 ? .plain : .bad)
            },
        ])
    }
}

extension ShardResult {
    fileprivate var isLost: Bool { state != .ended && state != .aborted }
    fileprivate var isLimited: Bool { health.map { !$0.withinBudget } ?? false }

    fileprivate var cells: [Words] {
        let counts = [viewers, requests, errors].map { $0.map { TextLayout.grouped($0) }.orDash }
        let word = Wording("shard", state.rawValue).word
        let due = due ?? 0
        let onTime = due == 0 ? nil : MetricText.percent(Double(onTime ?? 0) * 100 / Double(due))
        let budget = health.map { $0.withinBudget ? "within its budget" : "was the limit" }
        return [Words("\(index)"), (host?.name).orDash] + counts + [
            onTime.orDash, clock.map(Self.words).orDash, isLimited ? .tag(budget ?? "–", .bad) : budget.orDash,
            isLost ? .tag(word, .bad) : Words(word),
        ]
    }

    private static func words(_ clock: ShardClock) -> String {
        let bound = clock.boundMicroseconds.map { "±" + TimeText.duration($0) } ?? "unknown at the end"
        return TimeText.offset(clock.start.offsetMicroseconds) + " " + bound
    }
}
