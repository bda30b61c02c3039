import Results
import Rules
import Testing

@Suite struct HoldRuleTests {
    private func problems(_ texts: String...) -> [String] {
        do throws(Problems) {
            _ = try HoldRule(parsing: texts)
            return []
        } catch { return error.all }
    }

    @Test(
        arguments: [
            "breaks.on_time >= 99.5%", "breaks.late <= 1%", "breaks.failed == 0", "breaks.spread < 2s",
            "breaks.on_time{persona=hlsjs} >= 99%", "breaks.on_time.worst_persona >= 98%",
            "pod_manifest.response.p99 < 800ms", "pod_manifest.errors < 1%",
        ]
    )
    func whatCanBeAskedOfOneBreakIsTaken(text: String) throws {
        #expect(try HoldRule(parsing: [text]).texts == [text])
    }

    @Test func severalAreTakenInTheirOrder() throws {
        let texts = ["pod_manifest.errors < 1%", "breaks.on_time >= 99%"]
        #expect(try HoldRule(parsing: texts).texts == texts)
    }

    @Test(arguments: [
        "breaks.count >= 3", "breaks.due >= 100", "findings.* == 0", "playback.stalls == 0", "outages.count == 0",
    ]) func whatIsNoFigureOfOneBreakIsRefusedByName(text: String) throws {
        let rule = try ThresholdRule(parsing: text)
        let problem = try #require(problems(text).first)
        #expect(problem.contains("'\(rule.metricName)' is not a figure of one break"))
        #expect(problems(text).count == 1)
    }

    @Test func theFigureOfOneNamedBreakIsRefused() {
        let problem = problems("breaks[2026-11-21T20:00:00.000Z].on_time >= 99%").first
        #expect(problem?.contains("without a key") == true)
    }

    @Test func everyMistakeIsToldAtOnce() {
        let all = problems("breaks.count >= 3", "breaks.on_time >= 99%", "nonsense")
        #expect(all.count == 2)
        #expect(all.last?.contains("nonsense") == true)
        #expect(problems() == ["nothing is asked of a break"])
    }

    @Test func aProfileThatAsksNothingOfItsBreaksWantsMostOfThemOnTime() throws {
        #expect(HoldRule(ofProfile: []).texts == ["breaks.on_time >= 99%"])
        let other = try ["playlist.errors < 0.1%", "findings.* == 0"].map { try ThresholdRule(parsing: $0) }
        #expect(HoldRule(ofProfile: other).texts == ["breaks.on_time >= 99%"])
    }

    @Test func ofAProfileOnlyWhatConcernsEachBreakIsAsked() throws {
        let rules = try [
            "breaks.on_time >= 99.9%", "pod_manifest.response.p99 < 800ms", "breaks.count >= 2",
            "breaks[2026-11-21T20:00:00.000Z].on_time >= 90%", "breaks.late <= 1%", "findings.* == 0",
        ].map { try ThresholdRule(parsing: $0) }
        #expect(HoldRule(ofProfile: rules).texts == ["breaks.on_time >= 99.9%", "breaks.late <= 1%"])
    }

    @Test func aProfileWithNothingButNamedBreaksWantsMostOnTime() throws {
        let rule = try ThresholdRule(parsing: "breaks[2026-11-21T20:00:00.000Z].on_time >= 90%")
        #expect(HoldRule(ofProfile: [rule]).texts == ["breaks.on_time >= 99%"])
    }
}
