import Comparison
import Foundation
import JSON
import Rulebook
import RunResult
import TestSupport
import Testing

@testable import Report

@Suite struct HTMLTextTests {
    @Test func whatMeansSomethingToHTMLIsReplaced() {
        #expect(HTMLText.escaped("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;")
        #expect(HTMLText.escaped("plain µs – ok\n\t") == "plain µs – ok\n\t")
    }

    /// A mark joined to a character hides it from whoever looks at grapheme clusters, and not from a browser.
    @Test(arguments: ["<", ">", "\"", "'", "&"], ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{600}"])
    func aJoinedMarkHidesNothing(character: String, mark: String) {
        for text in [character + mark, mark + character] {
            // An entity begins with an ampersand of its own.
            let entity = /&(lt|gt|amp|quot|#39);/.matchingSemantics(.unicodeScalar)
            let rest = HTMLText.escaped(text).replacing(entity, with: "")
            let scalars = rest.unicodeScalars.map(String.init)
            #expect(!scalars.contains(character), "\(scalars)")
        }
    }

    @Test func controlsAndTurnsOfDirectionAreShownAsReplaced() {
        #expect(
            HTMLText.escaped("a\u{0}b\u{1b}c\u{202e}d\u{2066}e\u{85}f")
                == "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}f"
        )
    }

    @Test func readingsCannotLeaveTheirScript() throws {
        let readings = Readings(
            fractions: [0.5],
            headings: ["</script><!--"],
            lines: [.init(name: "<b>", style: "", values: ["</SCRIPT>"])]
        )
        #expect(!readings.scriptData.contains("<"))
        let decoded = try JSONDecoder().decode(Readings.self, from: Data(readings.scriptData.utf8))
        #expect(decoded == readings)
    }
}

@Suite struct PageTemplateTests {
    private static let folder = PackageFolder.file("Sources/Report/Templates")

    /// What is put into pages as it is must be built by podswarm.
    @Test func nothingButDrawingsGoesIntoPagesUnescaped() throws {
        let allowed: Set<String> = [
            "style", "script", "content", "bar", "overview", "picture", "curve", "heatMap", "chart", "gatingAxis",
            "informationalAxis", "strip", "data",
        ]
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "mustache" }
        #expect(files.count > 3)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /{{{\s*([A-Za-z.]+)\s*}}}|{{&\s*([A-Za-z.]+)\s*}}/) {
                let name = match.output.1 ?? match.output.2 ?? ""
                #expect(allowed.contains(String(name)), "\(file.lastPathComponent): \(name)")
            }
        }
    }

    @Test func everyTemplateIsReadAndEscapesByScalars() throws {
        struct Model { var title = "\u{600}<b>" }
        let templates = try PageTemplates()
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "mustache" }.map { $0.deletingPathExtension().lastPathComponent }
        #expect(Set(files) == Set(PageTemplates.names + ["dashboard"]))
        for name in PageTemplates.names {
            #expect(throws: Never.self) { try templates.render(name, Model()) }
        }
        let hostile = Model().title
        let live = DashboardPage(profile: hostile, target: hostile, labels: [hostile: hostile], nonce: "1")
        #expect(try !live.render().unicodeScalars.map(String.init).joined(separator: " ").contains("\u{600} <"))
        #expect(try templates.render("page", Model()).renderText.contains("\u{600}&lt;b&gt;"))
    }
}

@Suite struct HTMLReportTests {
    private static func example() throws -> ResultDocument {
        try ResultDocument(json: Data(contentsOf: GoldenFile.result))
    }

    @Test func whatAUserNeedsFirstComesFirst() throws {
        let page = try HTMLReport(of: Self.example()).render()
        let anchors = [
            "verdict", "thresholds", "breaks", "players", "latency", "course", "findings", "generator",
            "reconciliation", "run",
        ]
        let places = try anchors.map { try #require(page.range(of: "<section id=\"\($0)\""), "\($0)").lowerBound }
        #expect(places == places.sorted())
        #expect(page.contains("96.97%"))
    }

    @Test func whoWasToWatchIsDrawnBesideWhoDid() throws {
        var document = try Self.example()
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("Viewers over the run, asked for and observed"))
        #expect(page.contains("<i class=\"c1\"></i>observed") && page.contains("<i class=\"c3\"></i>asked for"))
        document.run.audienceCurve = nil
        let plain = try HTMLReport(of: document).render()
        #expect(plain.contains("Active viewers over the run") && !plain.contains("</i>asked for"))
    }

    @Test func thePageAsksNothingOfAnyNetwork() throws {
        let page = try HTMLReport(of: Self.example()).render()
        #expect(page.contains("default-src &#39;none&#39;"))
        #expect(!page.contains("unsafe-inline"))
        for word in ["http:", "https:", "src=", "@import", "url("] {
            // SVG's namespace is a name, which nobody fetches, and where a rule is written is asked for by a click alone.
            let text = page.replacing("http://www.w3.org/2000/svg", with: "")
                .replacing(/<a class="source" href="[^"]*" rel="noreferrer">/, with: "")
            #expect(!text.contains(word), "\(word)")
        }
        #expect(!page.contains(" style=\""))
        #expect(page.firstMatch(of: /\son[a-z]+="/) == nil)
    }

    @Test func aFindingLeadsToWhereItsRuleIsWritten() throws {
        var document = try Self.example()
        let row = FindingCode.tokenExpired
        let address = try #require(row.rule.citations.first?.document.address)
        document.findings[0].code = row.code
        document.findings[0].rule = row.rule.text
        document.findings.removeLast(document.findings.count - 1)
        #expect(try HTMLReport(of: document).render().contains("href=\"\(address)\""))
        // Another version's rule may be written elsewhere.
        document.findings[0].rule = "another rule"
        #expect(try !HTMLReport(of: document).render().contains(address))
    }

    @Test func resultsOfOlderVersionsAreShownWithoutWhatTheyLack() throws {
        var document = try Self.example()
        document.windows = nil
        document.drift = nil
        document.clock = nil
        document.reconciliation = nil
        document.thresholds = []
        document.findings = []
        document.series.points = []
        document.run.asked = []
        document.events = nil
        document.playback = nil
        document.audience = nil
        for index in document.breaks.each.indices {
            document.breaks.each[index].inHand = nil
            document.breaks.each[index].personas = nil
            document.breaks.each[index].discovery = nil
        }
        let page = try HTMLReport(of: document).render()
        for anchor in ["thresholds", "players", "drift", "course", "reconciliation"] {
            #expect(!page.contains("<section id=\"\(anchor)\""), "\(anchor)")
        }
        document.breaks.each = []
        document.breaks.due = 0
        document.breaks.onTimePercent = nil
        for name in document.requests.keys { document.requests[name]?.count = 0 }
        #expect(try HTMLReport(of: document).render().contains("No viewer was due for a break"))
    }

    @Test func aRunTooShortToDriftSaysNothingOfDrift() throws {
        var document = try Self.example()
        document.drift = nil
        document.windows = (0..<61).map {
            WindowResult(startMilliseconds: $0 * 1_000, endMilliseconds: ($0 + 1) * 1_000)
        }
        let page = try HTMLReport(of: document).render()
        #expect(!page.contains("<section id=\"drift\"") && !page.contains("#drift") && !page.contains("per hour"))
        #expect(page.contains("All 61 windows"))
    }

    @Test func seriesOfTooFewWindowsAreNotDrawn() throws {
        var document = try Self.example()
        document.windows = (0..<7).map {
            WindowResult(startMilliseconds: $0 * 1_000, endMilliseconds: ($0 + 1) * 1_000)
        }
        document.drift = [ExampleResult.drift(.tooFewWindows, .target)]
        #expect(try HTMLReport(of: document).render().contains("Too few windows to tell drift from noise."))
        document.drift? += [ExampleResult.drift(.steady, .target), ExampleResult.drift(.steady, .generator)]
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("Nothing crept: 2 series looked at."))
        #expect(!page.contains("target.too_few_windows"))
    }

    /// Requests per millisecond for 90 ms, which a step of 100 ms would hide.
    @Test func aBurstOfNinetyMillisecondsIsSeen() throws {
        var entry = try #require(try Self.example().breaks.each.first)
        entry.personas = nil
        entry.inHand = nil
        entry.inHandFirstMicroseconds = 1_000
        entry.inHandLastMicroseconds = 89_000
        entry.burst.bucketMilliseconds = 1
        entry.burst.firstBucketMilliseconds = 0
        entry.burst.counts = (0..<90).map { UInt32($0 + 1) }
        let deadlines = BreakDeadlines([.init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil)])
        let plot = try #require(BreakPicture(entry: entry, deadlines: deadlines).plot())
        #expect(plot.shapes.markup.split(separator: "z").count >= 90)
        #expect(plot.marks.markup.contains("requests per 1 ms"))
        // A deadline that would press them into a corner is not drawn.
        #expect(!plot.marks.markup.contains("dl grace"))
        #expect(plot.horizontalTicks.last?.label == "+80 ms")
    }

    @Test(arguments: [(90.0, 1.0, 90), (400, 5, 80), (10_000, 100, 100)] as [(Double, Double, Int)])
    func stepsAreJoinedUntilTheyFitTheAxis(length: Double, step: Double, count: Int) throws {
        var burst = try #require(try Self.example().breaks.each.first).burst
        burst.bucketMilliseconds = 1
        burst.firstBucketMilliseconds = -7
        burst.counts = [UInt32](repeating: 1, count: Int(length))
        let bars = BurstBars(burst, over: length, atMost: 100)
        #expect(bars.step == step)
        #expect((count...count + 1).contains(bars.bars.count))
        #expect(bars.bars.reduce(0) { $0 + $1.count } == UInt64(length))
        #expect(
            bars.bars.allSatisfy { $0.start.truncatingRemainder(dividingBy: step) == 0 && $0.end == $0.start + step }
        )
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max]) func noNumberOfAFileStopsThePage(number: Int64) throws {
        var document = try Self.example()
        let count = UInt64(bitPattern: number)
        let latency = try #require(document.requests["playlist"]?.latencies["response"])
        for index in document.breaks.each.indices {
            document.breaks.each[index].startMicroseconds = number
            document.breaks.each[index].due = count
            document.breaks.each[index].onTime = count
            document.breaks.each[index].unresolved = count
            document.breaks.each[index].burst.firstBucketMilliseconds = number
            document.breaks.each[index].burst.bucketMilliseconds = number
            document.breaks.each[index].burst.lastMicroseconds = number
            document.breaks.each[index].inHand = document.breaks.each[index].burst
            document.breaks.each[index].inHand?.earlier = count
            document.breaks.each[index].discovery?.bucketMilliseconds = number
            document.breaks.each[index].discovery?.viewers = count
            document.breaks.each[index].discovery?.maximumMicroseconds = number
            document.breaks.each[index].discovery?.p50Microseconds = number
            document.breaks.each[index].discovery?.counts = [0, .max, .max]
            for place in document.breaks.each[index].personas?.indices ?? 0..<0 {
                document.breaks.each[index].personas?[place].playheadMeanMicroseconds = number
                document.breaks.each[index].personas?[place].playheadFirstMicroseconds = number
                document.breaks.each[index].personas?[place].due = count
            }
        }
        for place in document.audience?.personas.indices ?? 0..<0 {
            document.audience?.personas[place].deadlineMilliseconds = number
            document.audience?.personas[place].breaks.failed = count
            document.audience?.personas[place].breaks.unresolved = count
            document.audience?.personas[place].breaks.playheadMeanMicroseconds = number
        }
        let viewers = [0, number, .max]
        document.run.audienceCurve = PlannedAudience(shape: "<b>", stepMilliseconds: number, viewers: viewers)
        document.events?.finished = count
        document.events?.unaccounted = number
        document.playback?.stalledMilliseconds = count
        document.playback?.liveLatency?.p50Microseconds = number
        document.windows = (0..<4).map { index in
            WindowResult(
                startMilliseconds: index == 0 ? 0 : number,
                endMilliseconds: number,
                requests: ["playlist": .init(count: count, errors: count, response: latency)],
                due: count,
                activeViewers: number,
                residentBytesMinimum: number
            )
        }
        for index in document.windows?.indices ?? 0..<0 {
            document.windows?[index].requests["playlist"]?.response?.count = count
            document.windows?[index].requests["playlist"]?.response?.p99Microseconds = number
            document.windows?[index].requests["playlist"]?.response?.maximumMicroseconds = number
        }
        document.drift = [
            DriftResult(
                series: "playlist.response.p99",
                subject: .target,
                verdict: .steady,
                unit: "us",
                windows: 4,
                spanMilliseconds: number,
                slopePerHour: Double(number),
                minimumEffectPerHour: 0,
                text: ""
            )
        ]
        document.clock = ClockResult(
            steps: [.init(atMilliseconds: number, byMicroseconds: number)],
            stepCount: 1,
            driftMicroseconds: number
        )
        document.series.secondsPerPoint = Int(number)
        for index in document.series.points.indices {
            document.series.points[index].startMilliseconds = index % 2 == 0 ? number : 0
            document.series.points[index].activeViewers = number
            document.series.points[index].requests = count
            document.series.points[index].openDescriptors = Int(number)
        }
        document.health.seconds = Int(number)
        document.health.budget.badSecondsShare = Double(number) * 1e9
        document.run.asked = ["viewers", "break_grace", "break_lead"].map {
            .init(name: $0, unit: "ms", requested: Double(number) * 1e3, observed: nil)
        }
        #expect(try HTMLReport(of: document).render().contains("</html>"))
    }

    @Test func playersAreShownWithWhatBecameOfTheirEvents() throws {
        var document = try Self.example()
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("100 pods in viewers&#39; schedules"))
        #expect(page.contains("unconfirmed: interstitials.trigger, requests.assetList"))
        #expect(page.contains("Known to half of 100 viewers"))
        #expect(!page.contains("came to no end that is known"))
        document.events?.unaccounted = 3
        #expect(try HTMLReport(of: document).render().contains("3 of them came to no end that is known"))
    }

    /// Each persona's line in the picture of a break has the number that its figures have.
    @Test func playheadsOfPersonasAreMarkedInThePicture() throws {
        var document = try Self.example()
        document.breaks.each[0].personas?[0].playheadMeanMicroseconds = 18_000_000
        document.breaks.each[0].personas?[1].playheadMeanMicroseconds = 24_000_000
        let page = try HTMLReport(of: document).render()
        #expect(page.matches(of: /<line class="dl pers"/).count == 2)
        #expect(page.matches(of: /<text class="pers[^"]*"[^>]*>([^<]*)</).map { String($0.output.1) } == ["1", "2"])
        #expect(page.contains("<i>2</i> avplayer"))
        // Lines that would write over one another share a label.
        document.breaks.each[0].personas?[1].playheadMeanMicroseconds = 18_100_000
        let close = try HTMLReport(of: document).render()
        #expect(close.matches(of: /<text class="pers[^"]*"[^>]*>([^<]*)</).map { String($0.output.1) } == ["1, 2"])
    }

    /// A pod that comes after the break's instant is not late for a viewer that is behind the live edge.
    @Test func theDeadlineIsThatOfThePlayheads() throws {
        var document = try Self.example()
        document.run.asked = [.init(name: "break_grace", unit: "ms", requested: 0, observed: nil)]
        let breaks = { (document: ResultDocument) in
            try HTMLReport(of: document).render().split(separator: "<section id=\"latency\"").first ?? ""
        }
        #expect(try breaks(document).contains("class=\"dl grace\""))
        for index in document.breaks.each[0].personas?.indices ?? 0..<0 {
            document.breaks.each[0].personas?[index].playheadLastMicroseconds = 20_000_000
        }
        #expect(try !breaks(document).contains("class=\"dl grace\""))
    }

    @Test func namesOfPersonasAreForeignText() throws {
        var document = try Self.example()
        document.audience?.personas[0].name = "<script>alert(1)</script>"
        document.breaks.each[0].personas?[0].name = "\u{600}<b onclick=x>"
        document.audience?.personas[0].unconfirmed = ["</table>"]
        let page = try HTMLReport(of: document).render()
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<b onclick"))
        #expect(
            page.matches(of: /<\/table>/).count
                == (try HTMLReport(of: Self.example()).render()).matches(of: /<\/table>/).count
        )
    }

    @Test func whatIsHeldBackIsCalledSo() throws {
        var document = try Self.example()
        #expect(try !HTMLReport(of: document).render().contains("hold and answer"))
        document.requests["blocking_playlist"] = document.requests["playlist"]
        #expect(try HTMLReport(of: document).render().contains("blocking playlist, hold and answer"))
    }

    @Test func aDamagedHistogramStillGivesACurve() throws {
        var latency = try #require(Self.example().requests["playlist"]?.latencies["response"])
        let whole = LatencyShape(latency)
        #expect(whole.count == latency.count)
        latency.histogram.data = "AAAA"
        let coarse = LatencyShape(latency)
        #expect(coarse.count == latency.count)
        #expect(coarse.percentileCurve().last?.microseconds == latency.maximumMicroseconds)
    }

    @Test(arguments: RunVerdict.Outcome.allCases) func everyOutcomeHasItsWord(outcome: RunVerdict.Outcome) throws {
        var document = try Self.example()
        document.verdict.outcome = outcome
        #expect(try HTMLReport(of: document).render().contains(">\(outcome.title)</h2>"))
    }

    @Test func manyBreaksAreRowsBehindAnOverview() throws {
        var document = try Self.example()
        let pattern = try #require(document.breaks.each.first)
        document.breaks.each = (0..<40).map { index in
            var entry = pattern
            entry.startMicroseconds += Int64(index) * 1_000_000
            entry.onTimePercent = index == 5 ? 50 : 100
            return entry
        }
        let page = try HTMLReport(of: document).render()
        #expect(page.matches(of: /<details class="brk">/).count == 40)
        #expect(page.matches(of: /<article class="card">/).count == BreakSection.cardLimit)
        #expect(page.contains("All 40 breaks"))
    }
}

@Suite struct ComparisonPageTests {
    private static func metric(_ name: String, gating: Bool, verdict: FigureVerdict) -> MetricComparison {
        MetricComparison(
            metric: name,
            gating: gating,
            base: .init(runsMicroseconds: [1_000, 1_100, nil, 1_050], medianMicroseconds: 1_050, spread: 0.05),
            candidate: .init(runsMicroseconds: [1_300, 1_250, 1_400], medianMicroseconds: 1_300, spread: 0.05),
            marginPercent: 10,
            appliedMarginPercent: 10,
            ratio: 1.24,
            ratioLow: 1.14,
            ratioHigh: 1.33,
            verdict: verdict,
            text: "\(name): <slower>"
        )
    }

    private static func document(_ outcome: ComparisonVerdict.Outcome) -> ComparisonDocument {
        let points = [(0.0, 800.0), (50, 1_000), (99, 2_000), (100, 9_000)].map {
            CurveComparison.Point(percentile: $0.0, microseconds: $0.1)
        }
        return ComparisonDocument(
            verdict: .init(outcome: outcome, reasons: ["<script>because</script>"], runsNeededPerSide: 7),
            method: .init(floorMicroseconds: 1_000, rateTolerancePoints: 0.1),
            base: .init(title: "release=<1>", inputs: ["a"], runs: []),
            candidate: .init(title: "release=2", inputs: ["b"], runs: []),
            comparability: .init(comparable: true),
            metrics: [
                metric("pod_manifest.response.p99", gating: true, verdict: .regression),
                metric("playlist.response.p50", gating: false, verdict: .inconclusive),
            ],
            curves: [
                CurveComparison(
                    distribution: "pod_manifest.response",
                    base: .init(count: 100, merged: points, runs: [points, points]),
                    candidate: .init(count: 100, merged: points, runs: [points])
                )
            ]
        )
    }

    @Test(arguments: ComparisonVerdict.Outcome.allCases)
    func everyOutcomeIsShownAndEscaped(outcome: ComparisonVerdict.Outcome) throws {
        let page = try HTMLReport.comparison(Self.document(outcome))
        #expect(page.contains(">\(outcome.title)</h2>"))
        #expect(page.contains("release=&lt;1&gt;"))
        #expect(!page.contains("<script>because"))
        #expect(page.contains("+24.0%"))
        #expect(page.contains("<section id=\"curves\""))
    }

    @Test func theAxisOfRatiosIsTheSameEitherWay() {
        let chart = RatioChart(Self.document(.regression).metrics)
        #expect(abs(chart.scale.fraction(of: 1) - 0.5) < 1e-9)
        #expect(chart.ticks.count == 3)
        #expect(abs(chart.ticks[0].fraction + chart.ticks[2].fraction - 1) < 1e-9)
    }
}

@Suite struct TrendPageTests {
    private static func document(_ outcome: TrendVerdict.Outcome) -> TrendDocument {
        let runs = (0..<12).map { index in
            TrendRun(
                path: "results/\(index)<b>.json",
                startedAt: "2026-11-\(10 + index)T01:00:00.000Z",
                startedAtMicroseconds: Int64(index) * 86_400_000_000,
                labels: ["release": "1.\(index)"],
                outcome: "passed"
            )
        }
        let metric = TrendMetric(
            metric: "pod_manifest.response.p99",
            gating: true,
            unit: .microseconds,
            higherIsWorse: true,
            values: (0..<12).map { $0 == 4 ? nil : Double(50_000 + $0 * 300) },
            verdict: .worse,
            changePoints: [
                .init(
                    index: 8,
                    before: 50_000,
                    after: 60_000,
                    changePercent: 20,
                    isWorse: true,
                    pValue: 0.001,
                    text: "<i>"
                )
            ],
            text: "<u>worse</u>"
        )
        let group = TrendGroup(profile: "soak", profileDigest: "sha256:1", hostClass: "2 cores", runs: 12, newest: "")
        return TrendDocument(
            verdict: .init(outcome: outcome, reasons: ["<s>"]),
            group: group,
            runs: runs,
            metrics: [metric],
            leftOut: [.init(path: "<p>", reason: "<r>")],
            otherGroups: []
        )
    }

    @Test(arguments: TrendVerdict.Outcome.allCases)
    func everyOutcomeIsShownAndEscaped(outcome: TrendVerdict.Outcome) throws {
        let page = try HTMLReport.trend(Self.document(outcome))
        #expect(page.contains(">\(outcome.title)</h2>"))
        #expect(page.contains("pod_manifest.response.p99 of each run"))
        for tag in ["<i>", "<u>", "<s>", "<r>"] { #expect(!page.contains(tag)) }
    }

    @Test func aRunWithoutTheFigureIsNoDot() throws {
        let document = Self.document(.worse)
        let plot = try #require(TrendChart(metric: document.metrics[0], runs: document.runs).plot())
        #expect(plot.marks.markup.matches(of: /<circle/).count == 11)
    }
}
