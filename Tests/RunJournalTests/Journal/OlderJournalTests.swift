import Foundation
import Recording
import RunJournal
import RunResult
import TestSupport
import Testing

/// Journals of versions that knew less are recovered, or refused by the name of the version.
@Suite struct OlderJournalTests {
    /// As it was written when slate was known by its addresses alone, and before edges and the slowest answers were kept.
    private static let interval = """
        {"n":0,"start_us":0,"end_us":1017632,"wall_us":1795488840557986,"phases":[0,0,0,2,0,0],\
        "counts":{"active_viewers":2,"errors":0,"findings":0,"lateness_max_us":1039,"pod_requests":2,"requests":22},\
        "health":{"cpu_cores":0.02,"dropped_starts":0,"late_starts":0,"load_average":3.0,"loop_delay_us":229,\
        "open_descriptors":42,"resident_bytes":67969024,"wall_us":1795488840557986},\
        "viewers":{"ad_break_started":2,"events_started":2},\
        "changes":[{"loop":0,"findings":[],"breaks":[{"key":"2026-11-24T02:54:00.000Z","start_us":1795488840000000,\
        "duration_ms":10000,"due":2,"on_time":2,"requests":10,"slowest":3138,\
        "fill":{"":{"asked":2,"asked_ms":20000,"ads":3,"ad_ms":15000,"slate_ms":5000}}}]}]}
        """

    /// A journal whose last record is this interval.
    private static func journal(_ interval: String, version: String) throws -> Data {
        var header = JournalHeader(settings: ExampleIntervals.settings)
        header.podswarmVersion = version
        let encoder = JSONEncoder()
        return JournalBytes.of([
            JournalRecord(kind: .header, payload: try encoder.encode(header)),
            JournalRecord(kind: .checkpoint, payload: try encoder.encode(RunCollector(ExampleIntervals.settings))),
            JournalRecord(kind: .interval, payload: Data(interval.utf8)),
        ])
    }

    private static func recovered(_ interval: String, version: String) throws -> RecoveredRun {
        try TemporaryFolder.lending { folder in
            try folder.write(journal(interval, version: version), to: "run.journal")
            return try RecoveredRun(of: folder.file("run.journal"))
        }
    }

    @Test func anIntervalFromBeforeNamedSlateIsRecovered() throws {
        let recovered = try Self.recovered(Self.interval, version: "0.0.9")
        #expect((recovered.intervals, recovered.ending) == (1, .complete))
        let fill = try #require(recovered.document().breaks.each.first?.fill)
        #expect((fill.adMilliseconds, fill.slateMilliseconds) == (15_000, 5_000))
        let health = recovered.document().health
        #expect(health.generatorWaits == nil && health.originWaits == nil && health.limitedByMachine == nil)
    }

    /// Of another version by both names, and as damage where this version wrote it: then no interval is whole.
    @Test(arguments: ["0.0.9", PodswarmVersion.current])
    func whatThisVersionCannotReadIsRefused(version: String) throws {
        let unknown = Self.interval.replacing(#""counts""#, with: #""sums""#)
        let error = try #require(throws: JournalReadingError.self) { try Self.recovered(unknown, version: version) }
        if version == PodswarmVersion.current {
            #expect("\(error)".contains("means nothing to podswarm"), "\(error)")
        } else {
            #expect(error == .otherVersion(podswarm: version))
            for words in ["podswarm \(version)", PodswarmVersion.current] { #expect("\(error)".contains(words)) }
        }
    }
}
