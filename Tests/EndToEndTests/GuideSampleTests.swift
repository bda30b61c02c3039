import RunResult
import TestSupport
import Testing

/// What the published sample does to a break, in the profile that shows it.
@Suite struct GuideSampleTests {
    @Test func theSampleSplitsBreaksAndAnIdentifierOfTheBreakDoesNot() async throws {
        let wide = [
            "--viewers", "40",
            "--set", "thresholds=[breaks.count >= 1, breaks.on_time >= 0%, findings.break_identifier_split == 0]",
        ]
        let split = try await Rehearsal(shipped: "guide-sample").inVirtualTime(wide)
        #expect(split.end.status == 1, "\(split.end.output)\(split.end.errors)")
        // Who clicks early in a minute and who clicks late give one name to two breaks, where the run meets both.
        #expect(split.findings.filter { $0 != "break_identifier_reused" } == ["break_identifier_split"])
        let finding = try #require(split.finding("break_identifier_split"))
        for occurrence in finding.occurrences {
            #expect(occurrence.shares.count == 2)
            #expect(occurrence.shares.allSatisfy { $0.label.hasPrefix("ad_break_id/mid-roll-") && $0.viewers > 0 })
            #expect(abs(occurrence.shares.reduce(0) { $0 + $1.viewersPercent } - 100) < 0.001)
            let record = try #require(split.document.breaks.each.first { $0.key == occurrence.breakKey })
            #expect(occurrence.shares.reduce(0) { $0 + $1.viewers } == record.identifiers.reduce(0) { $0 + $1.viewers })
            for share in occurrence.shares {
                #expect(split.end.output.contains(share.label), "the summary names \(share.label)")
            }
        }
        #expect(!finding.occurrences.isEmpty)

        let whole = try await Rehearsal(shipped: "guide-sample")
            .inVirtualTime(wide + ["--set", "breaks.podIdentifier=synchronised"])
        #expect(whole.end.status == 0, "\(whole.end.output)\(whole.end.errors)")
        #expect(whole.findings == [])
        #expect(whole.document.breaks.each.allSatisfy { $0.identifiers.count <= 1 })
        #expect(whole.document.breaks.due > 0)
    }
}
