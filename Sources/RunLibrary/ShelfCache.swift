package import Foundation
import JSON
import OpenSSL
import RunResult

/// What was read of a folder before, so that only what changed is read again.
///
/// It is never believed beyond the file's stamp, and lost without loss: whatever cannot be read or written is passed over.
package struct ShelfCache: Sendable {
    /// What became of one file.
    struct Entry: Codable, Sendable {
        var path: String
        var stamp: FileStamp
        /// Nil for a file that is no result, whose reason follows.
        var row: RunRow?
        var reason: String?
    }

    private struct Document: Codable {
        var schema: String
        var version: Int
        /// Another version may read more out of the same file.
        var podswarmVersion: String
        var folder: String
        var entries: [Entry]
    }

    private static let schema = "podswarm.library"
    private static let version = 2

    private let file: URL
    private let folder: String

    /// - Parameters:
    ///   - folder: The folder of results, as an absolute path.
    ///   - caches: Where caches of this user lie.
    package init(of folder: String, in caches: URL) {
        self.folder = folder
        let name = Digest.hexadecimal(Array(Digest.sha256(of: Array(folder.utf8)).prefix(12)))
        file = caches.appending(path: "podswarm/results-\(name).json")
    }

    /// Where caches of this user lie, by the XDG Base Directory Specification; nil where nothing says so.
    package static func standardPlace(_ environment: [String: String]) -> URL? {
        if let place = environment["XDG_CACHE_HOME"], place.hasPrefix("/") { return URL(fileURLWithPath: place) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: home).appending(path: ".cache")
    }

    /// Everything that is known; empty where nothing is, or where it is damaged or of another version.
    func read() -> [Spelling: Entry] {
        guard let json = try? ResultFile.contents(of: file.path),
            json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) == nil,
            let document = try? DocumentDecoding().decode(Document.self, from: json),
            document.schema == Self.schema, document.version == Self.version,
            document.podswarmVersion == PodswarmVersion.current, document.folder == folder
        else { return [:] }
        return Dictionary(document.entries.map { (Spelling($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func write(_ entries: [Entry]) {
        let document = Document(
            schema: Self.schema,
            version: Self.version,
            podswarmVersion: PodswarmVersion.current,
            folder: folder,
            entries: entries.sorted { $0.path < $1.path }
        )
        guard let json = try? DocumentEncoding().encode(document) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? json.write(to: file, options: .atomic)
    }
}
