import Foundation
import Testing

/// Text pinned in a file; a missing file is written and fails, and `PODSWARM_RECORD_GOLDENS=1` writes all anew.
enum Golden {
    static func expect(_ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens/\(name).txt")
        if ProcessInfo.processInfo.environment["PODSWARM_RECORD_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        guard let expected = try? Data(contentsOf: file) else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            Issue.record("no golden file \(name) was there; it is written now", sourceLocation: sourceLocation)
            return
        }
        #expect(text == String(decoding: expected, as: UTF8.self), sourceLocation: sourceLocation)
    }
}
