import Foundation
import TestSupport
import Testing

/// Somebody who follows the tutorial sees what its pages show.
@Suite(.fewAtOnce) struct TutorialTests {
    @Test func everyCommandPrintsWhatThePageShows() async throws {
        let script = PackageFolder.file("Tests/Tutorial/tutorial.py").path
        let end = try await ExternalTool.python.run(
            [script, "--podswarm", try PodswarmExecutable.path()],
            limit: .seconds(600)
        )
        #expect(end.status == 0, "\(end.output)\(end.errors)")
    }
}
