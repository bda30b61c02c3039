import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Comparison
@testable import Report
@testable import Results

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
        let escaped = HTMLText.escaped("a\u{0}b\u{1b}c\u{202e}d\u{2066}e\u{85}f")
        #expect(escaped == "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}f")
    }

    @Test func readingsCannotLeaveTheirScript() throws {
        let readings = Readings(fractions: [0.5], headings: ["</script><!--"], lines: [("<b>", "", ["</SCRIPT>"])])
        #expect(!readings.scriptData.contains("<"))
        let read = try JSONSerialization.jsonObject(with: Data(readings.scriptData.utf8)) as? [String: Any]
        #expect((read?["x"] as? [Int], read?["h"] as? [String]) == ([5_000], readings.headings))
        let lines = read?["s"] as? [[String: Any]]
        #expect((lines?.first?["n"] as? String, lines?.first?["v"] as? [String]) == ("<b>", ["</SCRIPT>"]))
    }
}

@Suite struct HTMLReportTests {
    /// Puts a number into each figure of a break.
    private static func fill(_ entry: inout BreakResult, with number: Int64) {
        let count = UInt64(bitPattern: number)
        entry.startMicroseconds = number
        (entry.due, entry.onTime, entry.unresolved) = (count, count, count)
        (entry.burst.bucketMilliseconds, entry.burst.firstBucketMilliseconds) = (number, number)
        entry.burst.lastMicroseconds = number
        entry.inHand = entry.burst
        entry.inHand?.earlier = count
        entry.discovery?.bucketMilliseconds = number
        entry.discovery?.viewers = count
        entry.discovery?.maximumMicroseconds = number
        entry.discovery?.p50Microseconds = number
        entry.discovery?.counts = [0, .max, .max]
        for place in entry.personas?.indices ?? 0..<0 {
            entry.personas?[place].playheadMeanMicroseconds = number
            entry.personas?[place].playheadFirstMicroseconds = number
            entry.personas?[place].due = count
        }
    }

    /// Puts a number into what is told over time.
    private static func fillCourse(of document: inout ResultDocument, with number: Int64) throws {
        let count = UInt64(bitPattern: number)
        var latency = try #require(document.requests["playlist"]?.latencies["response"])
        (latency.count, latency.p99Microseconds, latency.maximumMicroseconds) = (count, number, number)
        let requests = ["playlist": WindowResult.Requests(count: count, errors: count, response: latency)]
        document.windows = (0..<4).map { index in
            WindowResult(
                startMilliseconds: index == 0 ? 0 : number,
                endMilliseconds: number,
                requests: requests,
                due: count,
                activeViewers: number,
                residentBytesMinimum: number
            )
        }
        var drift = ExampleResult.drift(.steady, .target)
        (drift.series, drift.spanMilliseconds) = ("playlist.response.p99", number)
        (drift.slopePerHour, drift.minimumEffectPerHour) = (Double(number), 0)
        document.drift = [drift]
        let step = ClockResult.Step(atMilliseconds: number, byMicroseconds: number)
        document.clock = ClockResult(steps: [step], stepCount: 1, driftMicroseconds: number)
        document.series.stepSeconds = Int(number)
        for index in document.series.points.indices {
            document.series.points[index].startMilliseconds = index % 2 == 0 ? number : 0
            document.series.points[index].activeViewers = number
            document.series.points[index].requests = count
            document.series.points[index].openDescriptors = Int(number)
        }
        let viewers = [0, number, .max]
        document.run.audienceCurve = PlannedAudience(shape: "<b>", stepMilliseconds: number, viewers: viewers)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max]) func noNumberOfAFileStopsThePage(number: Int64) throws {
        var document = try ExampleResult.failed()
        let count = UInt64(bitPattern: number)
        for index in document.breaks.each.indices { Self.fill(&document.breaks.each[index], with: number) }
        for place in document.audience?.personas.indices ?? 0..<0 {
            document.audience?.personas[place].deadlineMilliseconds = number
            document.audience?.personas[place].breaks.failed = count
            document.audience?.personas[place].breaks.unresolved = count
            document.audience?.personas[place].breaks.playheadMeanMicroseconds = number
        }
        try Self.fillCourse(of: &document, with: number)
        document.events?.finished = count
        document.events?.unaccounted = number
        document.playback?.stalledMilliseconds = count
        document.playback?.liveLatency?.p50Microseconds = number
        (document.health.seconds, document.health.budget.badSecondsShare) = (Int(number), Double(number) * 1e9)
        document.run.asked = ["viewers", "break_grace", "break_lead"].map {
            .init(name: $0, unit: "ms", requested: Double(number) * 1e3, observed: nil)
        }
        #expect(try document.html().contains("</html>"))
    }

    @Test func thePageAsksNothingOfAnyNetwork() throws {
        let page = try ExampleResult.failed().html()
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
        var document = try ExampleResult.failed()
        let row = FindingCode.tokenExpired
        let address = try #require(row.rule.citations.first?.document.address)
        (document.findings[0].code, document.findings[0].rule) = (row.code, row.rule.text)
        document.findings.removeLast(document.findings.count - 1)
        #expect(try document.html().contains("href=\"\(address)\""))
        // Another version's rule may be written elsewhere.
        document.findings[0].rule = "another rule"
        #expect(try !document.html().contains(address))
    }

    /// Requests per millisecond for 90 ms, which a step of 100 ms would hide.
    @Test func aBurstOfNinetyMillisecondsIsSeen() throws {
        var document = try ExampleResult.failed()
        var entry = try #require(document.breaks.each.first)
        (entry.personas, entry.inHand, entry.inHandFirstMicroseconds) = (nil, nil, 1_000)
        (entry.inHandLastMicroseconds, entry.burst.bucketMilliseconds) = (89_000, 1)
        entry.burst.firstBucketMilliseconds = 0
        entry.burst.counts = (0..<90).map { UInt32($0 + 1) }
        document.run.asked = [.init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil)]
        let plot = try #require(BreakPicture(entry: entry, run: document.run).plot())
        #expect(plot.shapes.markup.split(separator: "z").count >= 90)
        #expect(plot.marks.markup.contains(">/ 1 ms"))
        // A deadline that would press them into a corner is not drawn.
        #expect(!plot.marks.markup.contains("dl grace"))
        #expect(plot.horizontalTicks.last?.label == "+80 ms")
    }

    @Test(arguments: [(90.0, 1.0, 90), (400, 5, 80), (10_000, 100, 100)] as [(Double, Double, Int)])
    func stepsAreJoinedUntilTheyFitTheAxis(length: Double, step: Double, count: Int) throws {
        var burst = try #require(try ExampleResult.failed().breaks.each.first).burst
        (burst.bucketMilliseconds, burst.firstBucketMilliseconds) = (1, -7)
        burst.counts = [UInt32](repeating: 1, count: Int(length))
        let bars = BurstBars(burst, over: length, atMost: 100)
        #expect(bars.step == step)
        #expect((count...count + 1).contains(bars.bars.count))
        #expect(bars.bars.reduce(0) { $0 + $1.count } == UInt64(length))
        #expect(
            bars.bars.allSatisfy { $0.start.truncatingRemainder(dividingBy: step) == 0 && $0.end == $0.start + step }
        )
    }

    /// Each persona's line in the picture of a break has the number that its figures have.
    @Test func playheadsOfPersonasAreMarkedInThePicture() throws {
        var document = try ExampleResult.failed()
        document.breaks.each[0].personas?[0].playheadMeanMicroseconds = 18_000_000
        document.breaks.each[0].personas?[1].playheadMeanMicroseconds = 24_000_000
        let page = try document.html()
        #expect(page.matches(of: /<line class="dl pers"/).count == 2)
        #expect(page.matches(of: /<text class="pers[^"]*"[^>]*>([^<]*)</).map { String($0.output.1) } == ["1", "2"])
        #expect(page.contains("<li>2 avplayer"))
        // Lines that would write over one another share a label.
        document.breaks.each[0].personas?[1].playheadMeanMicroseconds = 18_100_000
        let close = try document.html()
        #expect(close.matches(of: /<text class="pers[^"]*"[^>]*>([^<]*)</).map { String($0.output.1) } == ["1, 2"])
    }

    /// A pod that comes after the break's instant is not late for a viewer that is behind the live edge.
    @Test func theDeadlineIsThatOfThePlayheads() throws {
        var document = try ExampleResult.failed()
        document.run.asked = [.init(name: "break_grace", unit: "ms", requested: 0, observed: nil)]
        let breaks = { (document: ResultDocument) in
            try document.html().split(separator: "<section id=\"latency\"").first ?? ""
        }
        #expect(try breaks(document).contains("class=\"dl grace\""))
        for index in document.breaks.each[0].personas?.indices ?? 0..<0 {
            document.breaks.each[0].personas?[index].playheadLastMicroseconds = 20_000_000
        }
        #expect(try !breaks(document).contains("class=\"dl grace\""))
    }

    @Test func aDamagedHistogramGivesNoCurve() throws {
        var latency = try #require(ExampleResult.failed().requests["playlist"]?.latencies["response"])
        #expect(latency.distribution.count == latency.count)
        latency.histogram.data = "AAAA"
        #expect(latency.distribution.percentileCurve().isEmpty)
    }
}

@Suite struct ComparisonPageTests {
    @Test(arguments: ComparisonVerdict.Outcome.allCases)
    func everyOutcomeIsShownAndEscaped(outcome: ComparisonVerdict.Outcome) throws {
        var document = ExampleComparison.document(outcome)
        (document.base.title, document.verdict.reasons) = ("release=<1>", ["<script>because</script>"])
        let page = try document.html()
        for words in [">\(Wording("comparison", outcome.rawValue).word)</h2>", "release=&lt;1&gt;"] {
            #expect(page.contains(words))
        }
        #expect(!page.contains("<script>because"))
        #expect(page.contains("+20.1%"))
    }

    @Test func eachKindOfRequestHasTheCurvesOfBothReleases() throws {
        var times = ResponseTimes()
        times.add(result: try ExampleResult.failed().json())
        let page = try ExampleComparison.document(.regression).html(times, times)
        #expect(page.contains("<section id=\"curves\"") && page.contains("playlist: response times of both releases"))
        times.add(result: nil)
        #expect(try !ExampleComparison.document(.regression).html(times, times).contains("id=\"curves\""))
    }

    @Test func theAxisOfRatiosIsTheSameEitherWay() {
        let chart = RatioChart([ExampleComparison.document(.regression).metrics[0]])
        #expect(abs(chart.scale.fraction(of: 1) - 0.5) < 1e-9)
        #expect(chart.ticks.count == 3)
        #expect(abs(chart.ticks[0].fraction + chart.ticks[2].fraction - 1) < 1e-9)
    }
}

@Suite struct TrendPageTests {
    @Test(arguments: TrendVerdict.Outcome.allCases)
    func everyOutcomeIsShownAndEscaped(outcome: TrendVerdict.Outcome) throws {
        var document = TrendTextTests.document(outcome)
        (document.verdict.reasons, document.metrics[1].text) = (["<s>"], "<u>worse</u>")
        (document.metrics[1].changePoints[0].text, document.leftOut[0].reason) = ("<i>", "<r>")
        let page = try document.html()
        #expect(page.contains(">\(Wording("trend", outcome.rawValue).word)</h2>"))
        #expect(page.contains("pod_manifest.response.p99 of each run"))
        for tag in ["<i>", "<u>", "<s>", "<r>"] { #expect(!page.contains(tag)) }
    }

    @Test func aRunWithoutTheFigureIsNoDot() throws {
        let document = TrendTextTests.document()
        let plot = try #require(document.metrics[2].chart(of: document.runs))
        #expect(plot.marks.markup.matches(of: /<circle/).count == 7)
    }
}
