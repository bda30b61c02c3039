import RunResult
import TestSupport
import Testing

@testable import Report

/// A run that the machine limited says so everywhere, and blames nobody.
@Suite struct MachineLimitTests {
    private static let reason = "the machine was the limit: the embedded origin waited for a core"

    private func limited() throws -> ResultDocument {
        var document = try ExampleResult.judged(.clientLimited)
        document.verdict.reasons = [Self.reason]
        document.health.reasons = [Self.reason]
        document.health.limitedByMachine = true
        return document
    }

    @Test func theTextSaysWhoseFaultItWas() throws {
        let text = TextSummary(of: try limited(), path: nil, width: 120).render()
        #expect(text.contains("CLIENT-LIMITED by the machine"))
        #expect(text.contains("Generator  the machine was the limit"))
        #expect(text.contains("waits for a core: podswarm up to 25.0 ms, the origin up to 412 ms of a second"))
        #expect(text.contains("open  breaks.on_time") && !text.contains("FAIL"))
    }

    @Test func soDoTheExports() throws {
        let document = try limited()
        let markdown = MarkdownSummary(of: document).render()
        #expect(markdown.contains("client-limited by the machine") && !markdown.contains("❌"))
        let reading = try JUnitReading(JUnitReport(of: document))
        #expect(reading["run"]?.messages == [Self.reason])
        #expect(reading["thresholds"]?.failures == 0)
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("The machine was the limit") && page.contains("not decided"))
    }

    @Test func anUnknownWaitIsCalledUnknown() throws {
        var document = try ExampleResult.failed()
        document.health.generatorWaits = nil
        document.health.originWaits = nil
        #expect(TextSummary(of: document, path: nil).render().contains("waits for a core are unknown"))
        #expect(GeneratorSection(document).rows.contains { $0.observed == "unknown: the kernel does not tell" })
        // An earlier version did not look.
        document.health.budget.coreWaitMicroseconds = nil
        #expect(!TextSummary(of: document, path: nil).render().contains("waits for a core"))
        #expect(!GeneratorSection(document).rows.contains { $0.name.contains("waited for a core") })
    }

    @Test func ofTooFewAnswersTheMaximumIsTold() throws {
        var document = try ExampleResult.failed()
        var latency = try #require(document.requests["pod_manifest"]?.latencies["lateness"])
        latency.count = 40
        latency.p99Microseconds = 600_000
        latency.maximumMicroseconds = 610_000
        document.requests["pod_manifest"]?.latencies["handling"] = latency
        let text = { TextSummary(of: document, path: nil, width: 120).render() }
        let row = { GeneratorSection(document).rows.first { $0.name.hasPrefix("Lateness of reading, ") } }
        #expect(text().contains("answers read up to 610 ms after they came, the maximum of 40 (pod_manifest)"))
        #expect(row()?.name == "Lateness of reading, maximum of pod manifest")
        #expect(row()?.observed == "max 610 ms of 40" && row()?.exceeded == true)
        document.requests["pod_manifest"]?.latencies["handling"]?.count = 100
        #expect(text().contains("answers read up to 600 ms after they came at p99 (pod_manifest)"))
        #expect(row()?.name == "Lateness of reading, p99 of pod manifest" && row()?.observed == "600 ms")
    }

    @Test func theGeneratorsRowsNameTheBudget() throws {
        let row = try #require(
            GeneratorSection(ExampleResult.failed()).rows.first { $0.name.contains("embedded origin") }
        )
        #expect(row.observed == "412 ms, too long in 1 s, 1 of them with breaks")
        #expect(row.budget == "400 ms, in all but 3 of 60 s and 1 of 5 s with breaks")
        #expect(!row.exceeded)
    }
}
