package import Foundation
import Results
import Values

/// Rows of a folder of results; each call rescans it, but reads only changed files.
package actor RunShelf {
    private let folder: String
    private let cache: ShelfCache?
    private var known: [Spelling: ShelfCache.Entry]?
    private var isNews = false
    /// The scan in progress, and the one that starts after it.
    private var (current, next): (Task<RunList, Never>?, Task<RunList, Never>?)

    /// Without a cache everything is read.
    package init(folder: String, cache: ShelfCache?) { (self.folder, self.cache) = (folder, cache) }

    /// Newest first.
    ///
    /// Callers during the first scan share its result; callers during a later one share the scan after it, because new files
    /// may have come after the present one passed.
    package func look() async -> RunList {
        if let current, known == nil { return await current.value }
        if let next { return await next.value }
        let before = current
        let task = Task {
            _ = await before?.value
            return await takeTurn(isNext: before != nil)
        }
        if before == nil { current = task } else { next = task }
        return await task.value
    }

    private func takeTurn(isNext: Bool) async -> RunList {
        if isNext { (current, next) = (next, nil) }
        let list = await lookOver()
        if next == nil { current = nil }
        return list
    }

    /// Writes changed rows to the cache; callers of a scan need not wait for that.
    package func remember() {
        guard isNews, let known else { return }
        isNews = false
        cache?.write(Array(known.values))
    }

    private func lookOver() async -> RunList {
        let known = known ?? cache?.read() ?? [:]
        let found = Self.files(below: folder)
        var entries: [ShelfCache.Entry] = []
        var news: [(path: String, stamp: FileStamp)] = []
        var links: [LeftOutFile] = []
        for path in found.results {
            guard let stamp = FileStamp(of: "\(folder)/\(path)") else {
                links.append(LeftOutFile(path: path, reason: "not a file that could be read, such as a link"))
                continue
            }
            if let entry = known[Spelling(path)], entry.stamp == stamp {
                entries.append(entry)
            } else {
                news.append((path, stamp))
            }
        }
        let isChanged = !news.isEmpty || entries.count != known.count
        entries += await read(news)
        let list = RunList(
            rows: entries.compactMap { entry in
                guard var row = entry.row else { return nil }
                row.hasPage = found.pages.contains(Spelling(row.pagePath))
                return row
            },
            leftOut: links
                + entries.compactMap { entry in entry.reason.map { LeftOutFile(path: entry.path, reason: $0) } }
        )
        self.known = Dictionary(entries.map { (Spelling($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        // After `known`, because `remember` may run in between.
        if isChanged { isNews = true }
        return list
    }

    /// Hidden files are unfinished.
    private static func files(below folder: String) -> (results: [String], pages: Set<Spelling>) {
        var (results, pages): ([String], Set<Spelling>) = ([], [])
        guard let names = FileManager.default.enumerator(atPath: folder) else { return ([], []) }
        for case let name as String in names {
            let isResult = name.hasSuffix(".json")
            guard isResult || name.hasSuffix(".html") else { continue }
            guard !name.hasPrefix("."), !name.contains("/.") else { continue }
            if isResult { results.append(name) } else { pages.insert(Spelling(name)) }
        }
        return (results, pages)
    }

    private func read(_ files: [(path: String, stamp: FileStamp)]) async -> [ShelfCache.Entry] {
        let folder = folder
        let width = max(1, min(files.count, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [ShelfCache.Entry].self) { group in
            for lane in 0..<width {
                group.addTask {
                    stride(from: lane, to: files.count, by: width).map { Self.entry(of: files[$0], in: folder) }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func entry(of file: (path: String, stamp: FileStamp), in folder: String) -> ShelfCache.Entry {
        var entry = ShelfCache.Entry(path: file.path, stamp: file.stamp)
        do {
            let json = try ResultFile.contents(of: "\(folder)/\(file.path)", followsLinks: false)
            entry.row = try RunRow(json: json, path: file.path)
        } catch let refusal as RunRow.Refusal {
            entry.reason = refusal.reason
        } catch {
            entry.reason = "\(error)"
        }
        return entry
    }
}

/// Rows of earlier scans, expendable: errors of reading and writing are ignored.
package struct ShelfCache: Sendable {
    struct Entry: Codable, Sendable {
        var path: String
        var stamp: FileStamp
        /// Nil for a file that is not a result.
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

    /// `folder` is absolute; `caches` is the user's cache folder.
    package init(of folder: String, in caches: URL) {
        self.folder = folder
        let name = Digest.hexadecimal(Array(Digest.sha256(of: Array(folder.utf8)).prefix(12)))
        file = caches.appending(path: "podswarm/results-\(name).json")
    }

    /// The user's cache folder by the XDG Base Directory Specification.
    package static func standardPlace(_ environment: [String: String]) -> URL? {
        if let place = environment["XDG_CACHE_HOME"], place.hasPrefix("/") { return URL(fileURLWithPath: place) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: home).appending(path: ".cache")
    }

    /// Empty for a damaged cache or one of another version.
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
