import Testing

@testable import Results

@Suite struct ChangedMeaningTests {
    private let change = ChangedMeaning(since: 2, metrics: ["*.response", "breaks.on_time", "findings.x"], text: "")

    @Test(arguments: [
        ("pod_manifest.response.p99", true), ("pod_manifest.service.p99", false), ("breaks.on_time", true),
        ("breaks.on_time.worst_persona", true), ("breaks.late", false), ("findings.x.viewers", true),
        ("response", false),
    ]) func aPatternCoversWhatBeginsLikeIt(metric: String, isCovered: Bool) {
        #expect(change.covers(metric) == isCovered)
    }

    @Test func changesLieBetweenVersions() {
        #expect(ChangedMeaning.among([2, 2]).isEmpty && ChangedMeaning.among([]).isEmpty)
        #expect(ChangedMeaning.among([2, 1]).count == ChangedMeaning.table.count { $0.since == 2 })
        for change in ChangedMeaning.table { #expect(ResultDocument.readableVersions.contains(change.since)) }
    }
}
