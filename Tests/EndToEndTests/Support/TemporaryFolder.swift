import Foundation

/// A folder of a test's own, removed when the last reference goes.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        let name = "podswarm-test-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.path }

    /// Writes a file and returns its path.
    @discardableResult func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult func write(_ data: Data, to name: String) throws -> String {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file.path
    }

    /// Every file below a folder of this one, by path.
    func files(in name: String) -> [URL] {
        let found = FileManager.default.enumerator(at: url.appending(path: name), includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
    }

    /// The results in a folder, without the pages beside them.
    func results(in name: String) -> [URL] { files(in: name).filter { $0.pathExtension == "json" } }
}
