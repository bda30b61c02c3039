import Foundation
import TestSupport
import Testing

/// Pages of results that are not like others, as a browser shows them; those of usual results are transcripts.
///
/// Over sockets, because a browser opens the pages of a server.
@Suite(.serialized, .fewAtOnce) struct PageTests {
    @Test func aServerComparesTwoRuns() async throws {
        let library = try LibraryFolder(nights: 2)
        for (name, release) in [("a", "1.4.2"), ("b", "1.4.3")] {
            let json = try StoredResult().json(["run.labels": ["release": release]])
            try library.folder.write(json, to: "quick/\(name).json")
        }
        try await library.serving { url in
            let comparing = ["--type", "#choice-link", "Enter", "--wait-after", "#findings", "--axe"]
            let both = ["a", "b"].flatMap { ["--type", "[data-path='quick/\($0).json']", "Space"] }
            let options = both + comparing + ["--expect", "release=1.4.3"]
            #expect(try await Browser.inspect(try URL.parsed(url), options).complaints == [])
            let report = try URL.parsed(url + "quick/a.html")
            #expect(try await Browser.inspect(report, ["--axe", "--expect", "96.97%"]).complaints == [])
        }
    }
}
