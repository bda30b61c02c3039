import ExampleRuns
import Foundation
import TestSupport
import Testing
import Values

@testable import Results

/// Journals of other versions are refused by the name of the version.
@Suite struct OlderJournalTests {
    /// Of another version by both names, and as damage where this version wrote it: then no interval is whole.
    @Test(arguments: ["0.0.9", PodswarmVersion.current])
    func whatThisVersionCannotReadIsRefused(version: String) throws {
        var header = JournalHeader()
        header.podswarmVersion = version
        let bytes = JournalBytes.of([
            try JournalRecord(.header, header),
            try JournalRecord(.checkpoint, RunCollector(ExampleIntervals.settings)),
            JournalRecord(kind: .interval, payload: Data(#"{"n":0,"start_us":0,"end_us":1017632}"#.utf8)),
        ])
        let error = try #require(throws: JournalReadingError.self) {
            try TemporaryFolder.lending { folder in
                try folder.write(bytes, to: "run.journal")
                _ = try RecoveredRun(of: folder.file("run.journal"))
            }
        }
        if version == PodswarmVersion.current {
            #expect("\(error)".contains("means nothing to podswarm"), "\(error)")
        } else {
            #expect(error == .otherVersion(podswarm: version))
            for words in ["podswarm \(version)", PodswarmVersion.current] { #expect("\(error)".contains(words)) }
        }
    }
}
