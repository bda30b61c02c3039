import Foundation
import Rules
import TestSupport
import Testing

@Suite struct ThresholdRuleTests {
    @Test(
        arguments: [
            ("breaks.on_time >= 99.9%", .breaks(key: nil, .onTime), .atLeast, 99.9, .percent),
            ("breaks.on_time>=99.9 %", .breaks(key: nil, .onTime), .atLeast, 99.9, .percent),
            ("  breaks.failed == 0 ", .breaks(key: nil, .failed), .equal, 0, .count),
            ("breaks.lateness.p99 < 1s", .breakLateness(.p99), .less, 1_000_000, .microseconds),
            ("breaks.spread <= 500ms", .breaks(key: nil, .spread), .atMost, 500_000, .microseconds),
            ("breaks.count >= 3", .breaks(key: nil, .count), .atLeast, 3, .count),
            (
                "breaks[2026-11-21T20:00:00.000Z].on_time > 99%", .breaks(key: "2026-11-21T20:00:00.000Z", .onTime),
                .greater, 99, .percent
            ),
            ("breaks[a<b].x].late < 1%", .breaks(key: "a<b].x", .late), .less, 1, .percent),
            (
                "pod_manifest.response.p99 < 800ms", .latency(.podManifest, .response, .p99), .less, 800_000,
                .microseconds
            ),
            ("playlist.lateness.max <= 1_500us", .latency(.playlist, .lateness, .max), .atMost, 1_500, .microseconds),
            ("segment.service.p99.9 < 2s", .latency(.segment, .service, .p999), .less, 2_000_000, .microseconds),
            ("all.first_byte.mean < 0.5s", .latency(nil, .firstByte, .mean), .less, 500_000, .microseconds),
            ("playlist.connect.min != 3us", .latency(.playlist, .connect, .min), .notEqual, 3, .microseconds),
            ("playlist.tls.p50 < 9ms", .latency(.playlist, .tls, .p50), .less, 9_000, .microseconds),
            ("playlist.errors < 0.1%", .errors(.playlist), .less, 0.1, .percent),
            ("all.errors == 0", .errors(nil), .equal, 0, .count),
            ("playlist.requests > 100", .requests(.playlist), .greater, 100, .count),
            ("findings.* == 0", .findings(code: nil), .equal, 0, .count),
            ("findings.pod_mismatch == 0", .findings(code: "pod_mismatch"), .equal, 0, .count),
            ("viewers.joined >= 500", .viewers(.joined), .atLeast, 500, .count),
        ] as [(String, Metric, ThresholdComparison, Double, MetricUnit)]
    )
    func aRuleIsRead(text: String, metric: Metric, comparison: ThresholdComparison, limit: Double, unit: MetricUnit)
        throws
    {
        let rule = try ThresholdRule(parsing: text)
        #expect(rule.metric == metric)
        #expect(rule.comparison == comparison)
        #expect(rule.limit == limit)
        #expect(rule.unit == unit)
    }

    /// Lines of a text and, behind an arrow, what is said of it.
    static let refused =
        (try? PackageFolder.text("Tests/ThresholdsTests/refused-thresholds.txt"))?
        .split(separator: "\n").map { $0.split(separator: " => ", omittingEmptySubsequences: false).map(String.init) }
        ?? []

    @Test(arguments: refused) func aRefusedTextSaysWhatIsWrong(_ line: [String]) throws {
        try #require(line.count == 2)
        let error = #expect(throws: ThresholdError.self) { try ThresholdRule(parsing: line[0]) }
        #expect(error?.description == line[1])
        if let nearest = line[1].firstMatch(of: /did you mean '(.+)'\?/)?.1 {
            #expect(MetricCatalogue.metric(named: String(nearest)) != nil)
        }
    }

    @Test func theRefusedTextsAreThere() { #expect(Self.refused.count == 50) }

    @Test(arguments: [
        ("breaks.late <= 5 viewers", 5.0, MetricUnit.count), ("breaks.late <= 1viewer", 1, .count),
        ("playlist.errors <= 3 requests", 3, .count), ("events.failed <= 1 event", 1, .count),
        ("breaks.count >= 2 breaks", 2, .count), ("findings.* <= 2 sightings", 2, .count),
        ("viewers.joined >= 10 viewers", 10, .count), ("pods.differing == 0", 0, .count),
        ("breaks.failed <= 0", 0, .count), ("playback.stalled == 0", 0, .microseconds),
        ("pods.slate == 0", 0, .percent), ("breaks.on_time == 100%", 100, .percent),
        ("pods.filled <= 100%", 100, .percent), ("breaks.on_time >= 0%", 0, .percent),
    ])
    func aCountHasItsNounAndZeroNeedsNoUnit(text: String, limit: Double, unit: MetricUnit) throws {
        let rule = try ThresholdRule(parsing: text)
        #expect(rule.limit == limit && rule.unit == unit)
    }

    @Test func whatAnEarlierVersionRecordedIsRead() throws {
        for text in ["breaks.on_time >= 0.99", "breaks.late <= 5", "breaks.on_time >= 110%", "playlist.errors < 0"] {
            let rule = try #require(WrittenThreshold(text).rule)
            #expect(rule.text == text && !rule.isDefault)
        }
        #expect(WrittenThreshold("breaks.late <= 5").rule?.unit == .count)
    }

    @Test func aDefaultGivesWayToTheSameMetricAlone() throws {
        let rule = ThresholdRule.mostBreaksOnTime
        let other = try ThresholdRule(parsing: "breaks.count >= 1")
        let same = try ThresholdRule(parsing: "breaks.on_time >= 0%")
        #expect([other].adding(default: rule) == [other, rule])
        #expect([same].adding(default: rule) == [same])
        #expect(same.holdsAlways && !other.holdsAlways && rule.isDefault)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func noTextTraps(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("breaks[].on_time<>=!%ms 019.*é\u{0}\n")
        let text = String(
            (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
        )
        do {
            let rule = try ThresholdRule(parsing: text)
            #expect(rule.limit.isFinite, "seed \(seed)")
        } catch {
            #expect(!error.description.isEmpty, "seed \(seed)")
        }
    }

    @Test func everyNameOfTheCatalogueIsUsable() {
        #expect(MetricCatalogue.names.count > 400)
        #expect(MetricCatalogue.names == MetricCatalogue.names.sorted())
        for name in MetricCatalogue.names {
            #expect(MetricCatalogue.metric(named: name) != nil, "\(name)")
            #expect(MetricCatalogue.nearest(to: name) == name, "\(name)")
        }
    }

    @Test func whatARunIsJudgedByThatSaysNothingOfBreaksIsWhatItsTextSpells() throws {
        #expect(try ThresholdRule(parsing: "breaks.on_time >= 99%", isDefault: true) == .mostBreaksOnTime)
        #expect(try ThresholdRule(parsing: "playlist.errors < 1%", isDefault: true) == .mostPlaylistsAnswered)
    }

    @Test(arguments: [("2ms", 2_000), ("1.5s", 1_500_000), (" 7 us ", 7)])
    func aDurationIsReadAsALimitIs(text: String, microseconds: Double) throws {
        #expect(try ThresholdRule.microseconds(reading: text) == microseconds)
    }

    @Test(arguments: ["", "5", "5%", "-5ms", "fast"]) func whatIsNoDurationIsRefused(text: String) {
        #expect(throws: ThresholdError.self) { try ThresholdRule.microseconds(reading: text) }
    }

    @Test func aWrittenThresholdIsReadOrSaysWhyNot() throws {
        let written = try JSONDecoder().decode(
            [WrittenThreshold].self,
            from: Data(#"["playlist.errors < 1%", "playlist.errors < 1 parsec"]"#.utf8)
        )
        #expect(written.map(\.rule?.text) == ["playlist.errors < 1%", nil])
        #expect(written.map(\.text) == ["playlist.errors < 1%", "playlist.errors < 1 parsec"])
        #expect(written[0].complaint == nil)
        #expect(
            written[1].complaint?.hasPrefix("the threshold 'playlist.errors < 1 parsec' cannot be judged: ") == true
        )
        let all = written + [.rule(.mostBreaksOnTime)]
        #expect(try JSONDecoder().decode([WrittenThreshold].self, from: JSONEncoder().encode(all)) == all)
    }
}
