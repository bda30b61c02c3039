package import Foundation

/// A folder of a test's own, removed when the last reference goes.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "podswarm-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package var path: String { url.path }

    /// A file or folder in it, by its path from there; none need be there.
    package func file(_ name: String) -> URL { url.appending(path: name) }

    /// Makes a folder in it, with those on its way, and returns its path.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: true)
        return file(name).path
    }

    /// Writes a file, with the folders on its way, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        let file = file(name)
        if let end = name.lastIndex(of: "/") { try makeFolder(String(name[..<end])) }
        try data.write(to: file)
        return file.path
    }

    package func files(in name: String) -> [URL] {
        let found = FileManager.default.enumerator(at: file(name), includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
    }

    /// Lends a folder to `body` and removes it afterwards, whatever became of it.
    package static func lending<Outcome>(_ body: (TemporaryFolder) throws -> Outcome) throws -> Outcome {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder) }
    }
}
