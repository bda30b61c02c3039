import Foundation
import Results
import Rules
import TestSupport
import Testing

@testable import Report

/// A finished result as metrics says what the result says.
@Suite struct ResultMetricsTests {
    private static func page(_ change: (inout ResultDocument) -> Void = { _ in }) throws -> (ResultDocument, Exposition)
    {
        var document = try LiveExample.document()
        document.run.labels = ["release": "1.4.2"]
        change(&document)
        return (document, try Exposition(ResultMetrics(document: document).render()))
    }

    private static func labels(_ document: ResultDocument, _ more: [String: String] = [:]) -> [String: String] {
        ["profile": document.run.profile, "release": "1.4.2"].merging(more) { $1 }
    }

    @Test func figuresAreThoseOfTheResult() throws {
        let (document, page) = try Self.page()
        func value(_ name: String, _ more: [String: String] = [:]) -> Double? {
            page.value("podswarm_result_\(name)", Self.labels(document, more))
        }
        #expect(value("verdict", ["outcome": "failed"]) == 1)
        #expect(page.sum("podswarm_result_verdict") == 1)
        #expect(value("exit_status") == 1)
        #expect(value("end_time_seconds") == Double(document.run.endedAtMicroseconds) / 1e6)
        #expect(value("on_time_ratio") == document.breaks.onTimePercent.map { $0 / 100 })
        #expect(value("break_viewers", ["result": "due"]) == Double(document.breaks.due))
        #expect(page.sum("podswarm_result_requests") == Double(document.requests.values.reduce(0) { $0 + $1.count }))
        #expect(page.sum("podswarm_result_findings") == Double(document.findings.reduce(0) { $0 + $1.count }))
        #expect(page.samples.count { $0.name == "podswarm_result_findings" } == FindingCode.table.count)
        for (kind, request) in document.requests {
            guard let response = request.latencies["response"] else { continue }
            let figure = value("response_seconds", ["kind": kind, "statistic": "p99"])
            #expect(figure == Double(response.p99Microseconds) / 1e6, "\(kind)")
        }
        #expect(page.samples.allSatisfy { $0.labels["profile"] == document.run.profile })
    }

    /// What a damaged or foreign file says neither breaks the page nor becomes a series.
    @Test func textOfTheFileStaysText() throws {
        let hostile = "a\"b\\\n{} 1\u{1b}\u{202e}"
        let printed = "a\"b\\ {} 1  "
        let (document, page) = try Self.page { document in
            document.run.profile = hostile
            document.run.labels = ["release": "1.4.2", "kind": hostile, "9 lives": hostile]
            document.findings[0].code = hostile
            document.requests[hostile] = document.requests["playlist"]
            document.breaks.onTimePercent = nil
        }
        #expect(page.samples.allSatisfy { $0.labels["profile"] == printed && $0.labels["label_kind"] == printed })
        #expect(page.samples.allSatisfy { !Set([$0.labels["code"], $0.labels["kind"]]).contains(hostile) })
        #expect(!page.names.contains("podswarm_result_on_time_ratio"))
        #expect(document.run.labels.count == 3)
    }
}
