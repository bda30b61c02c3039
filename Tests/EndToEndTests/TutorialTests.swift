import Foundation
import TestSupport
import Testing

/// A reader who follows the tutorial sees what its pages show.
@Suite(.fewAtOnce) struct TutorialTests {
    /// Over sockets, as the pages have it; what a busy machine decides is not compared.
    @Test func everyCommandPrintsWhatThePageShows() async throws {
        let script = PackageFolder.file("Tests/Tutorial/tutorial.py").path
        let end = try await ExternalTool.python.run(
            [script, "--podswarm", try PodswarmExecutable.path()],
            limit: .seconds(900)
        )
        #expect(end.status == 0, "\(end.output)\(end.errors)")
    }
}
