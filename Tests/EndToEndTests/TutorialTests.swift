import Foundation
import TestSupport
import Testing

/// Somebody who follows the tutorial sees what its pages show.
@Suite(.fewAtOnce) struct TutorialTests {
    /// On a machine that is busy with other tests a run of the tutorial may come to another verdict: three looks must agree
    /// before a page is called wrong.
    @Test func everyCommandPrintsWhatThePageShows() async throws {
        let script = PackageFolder.file("Tests/Tutorial/tutorial.py").path
        var looks: [String] = []
        while looks.count < 3 {
            let end = try await ExternalTool.python.run(
                [script, "--podswarm", try PodswarmExecutable.path()],
                limit: .seconds(900)
            )
            if end.status == 0 { return }
            looks.append("\(end.output)\(end.errors)")
        }
        Issue.record("\(looks.joined(separator: "\n\n"))")
    }
}
