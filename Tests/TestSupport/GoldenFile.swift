package import Foundation
package import Testing

/// Text that a file of the checkout pins; `PODSWARM_RECORD_GOLDENS=1` writes all anew.
package enum GoldenFile {
    /// One failed run in which everything is said: the result that the tests of the result document pin.
    package static let result = PackageFolder.file(resultPath)
    package static let resultPath = "Tests/RunResultTests/Goldens/result.json"

    /// One ended search for a capacity in which everything is said, of a made-up target.
    package static let capacity = PackageFolder.file("Tests/ReportTests/Goldens/capacity.json")

    /// Expects a file to hold exactly this text; a file that is missing is written and fails the test.
    ///
    /// `path` is from the top of the checkout.
    package static func expect(
        _ text: String,
        at path: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = PackageFolder.file(path)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let isRecording = ProcessInfo.processInfo.environment["PODSWARM_RECORD_GOLDENS"] == "1"
        guard isThere, !isRecording else {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            if !isRecording { Issue.record("\(path) was not there; it is written now", sourceLocation: sourceLocation) }
            return
        }
        let pinned = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard text != pinned else { return }
        Issue.record("\(path): \(firstDifference(of: text, from: pinned))", sourceLocation: sourceLocation)
    }

    private static func firstDifference(of text: String, from pinned: String) -> String {
        let now = text.split(separator: "\n", omittingEmptySubsequences: false)
        let before = pinned.split(separator: "\n", omittingEmptySubsequences: false)
        let same = zip(now, before).prefix { $0 == $1 }.count
        func line(_ lines: [Substring]) -> String { same < lines.count ? String(lines[same]) : "(its end)" }
        return """
            line \(same + 1) is not what is pinned; PODSWARM_RECORD_GOLDENS=1 writes it anew
            is:  \(line(now))
            was: \(line(before))
            """
    }
}
