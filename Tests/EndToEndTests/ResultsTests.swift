import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// `podswarm results serve`: the runs of a folder behind an address.
@Suite(.fewAtOnce) struct ResultsTests {
    @Test func theListingIsTheSameInATerminalAndBehindAnAddress() async throws {
        let library = try LibraryFolder(nights: 1)
        let printed = try await PodswarmExecutable.run(
            ["results", library.folder.path, "--json"],
            environment: library.environment
        )
        try await library.serving { url in
            let served = try await URLSession.shared.data(from: try URL.parsed(url + "results.json")).0
            #expect(!served.isEmpty && String(decoding: served, as: UTF8.self) == printed.output)
        }
    }
}
