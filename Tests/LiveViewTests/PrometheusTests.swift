import Foundation
import Rehearsal
import Results
import Rules
import TestSupport
import Testing

@testable import Report

@Suite struct PrometheusTests {
    private func exposition(_ state: LiveState) throws -> Exposition { try Exposition(state.prometheusText()) }

    @Test func theWholePageIsPinned() throws {
        let text = LiveExample.filled().prometheusText()
            .replacing(PodswarmVersion.current, with: "VERSION")
        try GoldenFile.expect(text, at: "Tests/LiveViewTests/Goldens/metrics.txt")
    }

    @Test func aRunThatHasNotBegunHasEveryCounterAtZero() throws {
        let page = try exposition(LiveExample.state(LoopRecorder()))
        #expect(page.value("podswarm_requests_total", ["kind": "pod_manifest", "outcome": "http_200"]) == 0)
        #expect(page.value("podswarm_request_response_seconds_count", ["kind": "playlist"]) == 0)
        #expect(page.value("podswarm_break_viewers_total", ["result": "on_time"]) == 0)
        #expect(page.value("podswarm_findings", ["code": "empty_pod", "severity": "broken"]) == 0)
        #expect(page.value("podswarm_latest_break_on_time_ratio") == nil)
    }

    @Test func noSeriesGoesAwayDuringARun() throws {
        let series = { (page: Exposition) in
            Set(page.samples.map { "\($0.name)\($0.labels.sorted { $0.key < $1.key })" })
        }
        let before = series(try exposition(LiveExample.state(LoopRecorder())))
        #expect(before.isSubset(of: series(try exposition(LiveExample.filled()))))
    }

    @Test func everyHistogramIsCumulativeAndCloses() throws {
        let page = try exposition(LiveExample.filled())
        let histograms = page.types.filter { $0.value == "histogram" }.keys
        #expect(histograms.count == 8)
        for name in histograms {
            let buckets = Dictionary(grouping: page.samples.filter { $0.name == "\(name)_bucket" }) {
                $0.labels["kind"] ?? ""
            }
            #expect(!buckets.isEmpty)
            for (kind, samples) in buckets {
                let labels = kind.isEmpty ? [:] : ["kind": kind]
                let counts = samples.map(\.value)
                #expect(counts == counts.sorted(), "\(name) \(kind)")
                #expect(samples.last?.labels["le"] == "+Inf")
                #expect(counts.last == page.value("\(name)_count", labels))
                #expect(page.value("\(name)_sum", labels) != nil)
            }
        }
    }

    @Test(arguments: ["a\"b\\c\nd", "ümläut 🎬", "}", "", "x y=\"1\",z"])
    func labelsOfTheUserSurviveAsTheyAre(value: String) throws {
        let page = try exposition(LiveExample.state(LoopRecorder(), labels: ["release": value]))
        let info = try #require(page.samples.first { $0.name == "podswarm_run_info" })
        #expect(info.labels["release"] == value)
    }

    @Test func labelNamesAreMadeFitAndCollideWithNothing() throws {
        var labels = ["profile": "mine", "9lives": "a", "it's": "b", "__name__": "c", "é": "d", "release": "1"]
        let info = { (labels: [String: String]) throws in
            try #require(
                try exposition(LiveExample.state(LoopRecorder(), labels: labels)).samples
                    .first { $0.name == "podswarm_run_info" }
            ).labels
        }
        let found = try info(labels)
        #expect(found["profile"] == "quick")
        #expect(found["label_profile"] == "mine")
        #expect(found["release"] == "1")
        #expect(found["label_9lives"] == "a")
        #expect(found["it_s"] == "b")
        #expect(found["label___name__"] == "c")
        for name in found.keys { #expect(name.wholeMatch(of: /[a-zA-Z][a-zA-Z0-9_]*/) != nil, "\(name)") }
        for index in 0..<100 { labels["many\(index)"] = String(repeating: "x", count: 10_000) }
        let bounded = try info(labels)
        #expect(bounded.count == 3 + 16)
        #expect(bounded.values.allSatisfy { $0.count <= 128 })
    }

    @Test func aTargetCannotMultiplyTheSeries() throws {
        let recorder = LoopRecorder()
        for status in 0..<1_000 {
            recorder.record(LiveExample.sample(.playlist, .status(UInt16(status)), responseMicroseconds: 1_000))
        }
        let page = try exposition(LiveExample.state(recorder))
        let outcomes = page.samples.filter { $0.name == "podswarm_requests_total" && $0.labels["kind"] == "playlist" }
        #expect(outcomes.count < 64)
        #expect(outcomes.reduce(0) { $0 + $1.value } == 1_000)
        #expect(outcomes.contains { $0.labels["outcome"] == "http_4xx" })
        #expect(outcomes.contains { $0.labels["outcome"] == "http_other" })
    }

    /// Every duration falls where a count over the durations themselves puts it, but for the bound's own bucket.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func boundsCutWhereTheyShould(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var histogram = DenseHistogram(digits: .three)
        var durations: [Int64] = PrometheusText.boundsMicroseconds.flatMap { [$0 - 1, $0, $0 + 1] }
        durations += (0..<2_000).map { _ in
            let magnitude = Double.random(in: 0...8, using: &generator)
            return Int64(pow(10, magnitude))
        }
        for duration in durations { histogram.record(duration) }
        let bounds = PrometheusText.boundsMicroseconds
        for (bound, count) in zip(bounds, histogram.counts(upTo: bounds)) {
            let exact = durations.count { $0 <= bound }
            let widened = durations.count { Double($0) <= Double(bound) * 1.001 }
            #expect(count >= UInt64(exact), "seed \(seed), bound \(bound)")
            #expect(count <= UInt64(widened), "seed \(seed), bound \(bound)")
            if bound <= 2_000 { #expect(count == UInt64(exact), "seed \(seed), bound \(bound)") }
        }
    }

    @Test func aHistogramOfNothingHasAllItsBuckets() {
        #expect(DenseHistogram(digits: .three).counts(upTo: [1, 2]) == [0, 0])
    }
}
