import Foundation
import Testing

/// Text pinned in a file of the repository; `PODSWARM_RECORD_GOLDENS=1` writes it anew.
enum PinnedFile {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    /// Expects the text of a file, whose path is given from the top of the repository.
    static func expect(_ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = self.root.appending(path: path).standardizedFileURL
        if ProcessInfo.processInfo.environment["PODSWARM_RECORD_GOLDENS"] == "1" {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard text != expected else { return }
        let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
        let first = lines.first { $0 != $1 }
        Issue.record(
            "\(path) differs from: \(first.map { "\($0.0)\nwas: \($0.1)" } ?? "its length")",
            sourceLocation: sourceLocation
        )
    }
}
