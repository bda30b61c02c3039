import Comparison
import Foundation
import Rules
import TestSupport
import Values

@testable import Results

enum ExampleResult {
    /// What a server that means harm could put into any text.
    static let hostileText =
        "a|b`c`\\|d <script>&amp;\u{0}\u{1b}[31m]]>\"'\r\n| x | y |\n# h\u{2028}\u{202e}@all http://e.x *_~~ <!--"
        + " \u{FFFE}é🎬"

    /// The result that Measurement's own tests pin: one failed run in which everything is said.
    static func failed() throws -> ResultDocument { try ResultDocument(json: Data(contentsOf: GoldenFile.result)) }

    static func capacity() throws -> CapacityDocument {
        try CapacityDocument(json: Data(contentsOf: GoldenFile.capacity))
    }

    static func clean() throws -> ResultDocument {
        var document = try judged(.passed)
        document.findings = []
        document.thresholds = document.thresholds.filter(\.passed)
        document.breaks.onTime = document.breaks.due
        document.breaks.onTimePercent = 100
        return document
    }

    static func judged(_ outcome: RunVerdict.Outcome) throws -> ResultDocument {
        var document = try failed()
        (document.verdict.outcome, document.verdict.exitCode) = (outcome, outcome.exitCode)
        if outcome == .passed { document.verdict.reasons = [] }
        if outcome == .clientLimited {
            document.health.withinBudget = false
            document.health.reasons = ["loop delay above 250 ms in 12% of the seconds"]
        }
        return document
    }

    /// The same run with hostile text wherever text is.
    static func hostile() throws -> ResultDocument {
        var document = try failed()
        document.run.profile = hostileText
        document.run.labels = [hostileText: hostileText, "release": "1.4.2"]
        (document.run.target, document.run.host.cpuModel) = (hostileText, hostileText)
        document.verdict.reasons = [hostileText, hostileText]
        document.thresholds = document.thresholds.map { threshold in
            var threshold = threshold
            (threshold.text, threshold.reason) = (hostileText, hostileText)
            return threshold
        }
        for index in document.findings.indices {
            document.findings[index].meaning = hostileText
            for place in document.findings[index].occurrences.indices {
                document.findings[index].occurrences[place].breakKey = hostileText
                document.findings[index].occurrences[place].first?.url = hostileText
                document.findings[index].occurrences[place].first?.observed = hostileText
            }
        }
        for index in document.breaks.each.indices { document.breaks.each[index].key = hostileText }
        return document
    }

    /// The same run in three windows, with what was recorded into each tag in all.
    static func windowed() throws -> (document: ResultDocument, totals: [String: SparseHistogram]) {
        var document = try failed()
        // Spread over the range, and different in each window.
        var step: Int64 = 1
        var totals: [String: SparseHistogram] = [:]
        func recorded(_ tag: String, _ count: Int) -> LatencyResult? {
            var histogram = DenseHistogram(digits: .two)
            for _ in 0..<count {
                step = (step &* 48_271) % 2_147_483_647
                histogram.record(step % 5_000_000)
            }
            totals[tag, default: SparseHistogram(digits: .two)].add(histogram)
            return LatencyResult(histogram)
        }
        document.windows = (0..<3).map { number in
            let prefix = number == 0 ? "warm_up." : ""
            return WindowResult(
                startMilliseconds: Int64(number) * 20_000,
                endMilliseconds: Int64(number + 1) * 20_000,
                isWarmUp: number == 0,
                requests: [
                    "playlist": .init(
                        count: 700,
                        errors: 0,
                        lateness: recorded(prefix + "playlist.lateness", 700),
                        service: recorded(prefix + "playlist.service", 690),
                        response: recorded(prefix + "playlist.response", 690)
                    ),
                    "pod_manifest": .init(count: 9, errors: 1, response: recorded(prefix + "pod_manifest.response", 9)),
                ],
                liveEdgeAge: recorded(prefix + "live_edge.age", 20)
            )
        }
        return (document, totals)
    }

    /// A series with a verdict on its drift.
    static func drift(_ verdict: DriftResult.Verdict, _ subject: DriftResult.Subject) -> DriftResult {
        let series = "\(subject.rawValue).\(verdict.rawValue)"
        var drift = DriftResult(series: series, subject: subject, verdict: verdict)
        (drift.unit, drift.windows, drift.text) = ("us", 12, "a sentence")
        (drift.slopePerHour, drift.pValue, drift.minimumEffectPerHour) = (1_234, 0.001, 500)
        return drift
    }
}
