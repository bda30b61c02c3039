package import Foundation
import Results
import Values

/// Rows read from a folder before, so that only changed files are read again.
///
/// An entry is valid only with the file's stamp. The cache is expendable: errors of reading and writing are ignored.
package struct ShelfCache: Sendable {
    struct Entry: Codable, Sendable {
        var path: String
        var stamp: FileStamp
        /// Nil for a file that is not a result; then `reason` is set.
        var row: RunRow?
        var reason: String?
    }

    private struct Document: Codable {
        var schema: String
        var version: Int
        /// Another version may read more from the same file.
        var podswarmVersion: String
        var folder: String
        var entries: [Entry]
    }

    private static let schema = "podswarm.library"
    private static let version = 2

    private let file: URL
    private let folder: String

    /// `folder` is an absolute path; `caches` is the user's cache folder.
    package init(of folder: String, in caches: URL) {
        self.folder = folder
        let name = Digest.hexadecimal(Array(Digest.sha256(of: Array(folder.utf8)).prefix(12)))
        file = caches.appending(path: "podswarm/results-\(name).json")
    }

    /// The user's cache folder by the XDG Base Directory Specification; nil if no variable names it.
    package static func standardPlace(_ environment: [String: String]) -> URL? {
        if let place = environment["XDG_CACHE_HOME"], place.hasPrefix("/") { return URL(fileURLWithPath: place) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: home).appending(path: ".cache")
    }

    /// Empty for a missing or damaged cache and for one of another version.
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
