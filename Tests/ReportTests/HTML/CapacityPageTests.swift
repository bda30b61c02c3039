import Foundation
import TestSupport
import Testing
import Values

@testable import Comparison
@testable import Report
@testable import Results

@Suite struct CapacityPageTests {
    private static func count(_ part: String, in page: String) -> Int { page.ranges(of: part).count }

    @Test func theAnswerComesBeforeWhatItIsToldBy() throws {
        let document = try ExampleResult.capacity()
        let page = try document.html()
        let anchors = ["verdict", "breaks", "latency", "service", "runs", "asked"]
        let places = try anchors.map { try #require(page.range(of: "<section id=\"\($0)\""), "\($0)").lowerBound }
        #expect(places == places.sorted())
        #expect(page.contains("<p class=\"big\">2,140</p>"))
        #expect(page.contains("2,140 viewers hold in 95% of breaks (90% interval: 2,043 to 2,236)."))
        #expect(page.contains("<b>Gave first:</b> pod_manifest failed"))
        for link in anchors { #expect(page.contains("href=\"#\(link)\"")) }
    }

    @Test func eachBreakIsDrawnByTheShapeOfWhatBecameOfIt() throws {
        let document = try ExampleResult.capacity()
        let plot = try #require(CapacityCharts(document).breaks()).markup().renderText
        for outcome in JudgedBreak.Outcome.allCases {
            let wanted = document.breaks.count { $0.outcome == outcome }
            #expect(wanted > 0)
            #expect(Self.count("class=\"s-\(outcome.look.symbol.rawValue)\"", in: plot) == wanted)
        }
        #expect(Set(JudgedBreak.Outcome.allCases.map { $0.look.symbol }).count == 3)
        #expect(Self.count("class=\"range\"", in: plot) == 1)
        #expect(Self.count("class=\"dl start\"", in: plot) == 1)
    }

    @Test func theLawIsCalledAProjectionBeyondWhatWasMeasured() throws {
        var document = try ExampleResult.capacity()
        let plot = try #require(CapacityCharts(document).service()).markup().renderText
        #expect(Self.count("class=\"projected\"", in: plot) == 1)
        #expect(plot.contains("projection, not measured"))
        // No page says anything of more than twice what was measured, whatever its document does.
        document.projection?.viewers = 1e6
        let measured = try #require(document.projection?.measuredViewers)
        let far = try #require(CapacityCharts(document).service())
        #expect(far.horizontalTicks.allSatisfy { $0.label != "1 M" })
        let projected = try #require(far.shapes.markup.range(of: "class=\"projected\""))
        #expect(far.shapes.markup[projected.upperBound...].contains("M490"))
        #expect(measured == 3_492)
        document.law = nil
        let without = try #require(CapacityCharts(document).service()).markup().renderText
        #expect(!without.contains("projected") && !without.contains("projection"))
    }

    @Test func theLawIsGunthers() {
        let law = LawResult(lambda: 2, sigma: 0.1, kappa: 0.01, peakViewers: nil, peakPerSecond: nil, points: 4)
        #expect(law.rate(at: 1) == 2)
        #expect(abs(law.rate(at: 10) - 20 / (1 + 0.9 + 0.9)) < 1e-12)
        #expect(law.rate(at: .infinity) == 0)
    }

    @Test func aSearchThatFoundNothingHasAPage() throws {
        var document = try ExampleResult.capacity()
        let asked = document.asked
        document = CapacityDocument(asked: asked, search: document.search)
        let empty = try document.html()
        #expect(empty.contains("So far") && empty.contains("Nothing is known yet."))
        #expect(!empty.contains("<section id=\"breaks\"") && !empty.contains("class=\"big\""))
        document.state = .ended
        document.answer = CapacityAnswer(kind: .atLeast, value: 6_000, text: "At least 6,000.")
        #expect(try document.html().contains("≥ 6,000"))
    }

    @Test func timesAreShownAsTimes() throws {
        var document = try ExampleResult.capacity()
        (document.asked.quantity, document.answer.kind) = (.jitter, .atLeast)
        let page = try document.html()
        for words in ["≤ 2,140 ms", "by breaks.jitter"] { #expect(page.contains(words)) }
        #expect(!page.contains("<section id=\"service\""))
    }

    @Test func foreignTextIsEscaped() throws {
        let hostile = "<img src=x onerror=alert(1)>\u{600}<b>"
        var text = try String(contentsOf: GoldenFile.capacity, encoding: .utf8)
        for foreign in ["192.0.2.11:443", "status_503", "nightly", "1.4.2", "two breaks in a row were missed"] {
            text = text.replacing(foreign, with: hostile)
        }
        let page = try CapacityDocument(json: Data(text.utf8)).html()
        #expect(!page.contains("<img"))
        #expect(!page.unicodeScalars.map(String.init).joined(separator: " ").contains("\u{600} <"))
        #expect(page.contains("&lt;img"))
    }

    /// What is anybody's may be any number.
    @Test func impossibleFiguresDrawAPageAllTheSame() throws {
        var document = try ExampleResult.capacity()
        (document.answer.value, document.answer.lower, document.answer.upper) = (-1e300, -5, 1e300)
        document.knee?.viewers = 0
        document.law?.kappa = -1
        document.projection?.measuredViewers = -1e308
        document.projection?.servedPerSecond.value = 1e308
        (document.runs[0].endedAtMicroseconds, document.runs[0].breaks[0].watching) = (.min, .max)
        (document.runs[0].breaks[0].servedPerSecond, document.runs[0].sizes) = (-1e308, [])
        document.search.spentSeconds = 1e300
        #expect(try document.html().contains("Runs and breaks"))
    }

    @Test func theTextOfATerminalIsPinned() throws {
        let text = try ExampleResult.capacity().text(TextRendering(width: 90))
        try GoldenFile.expect(text, at: "Tests/ReportTests/Goldens/capacity.txt")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
    }
}
