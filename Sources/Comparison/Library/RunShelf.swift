import Foundation
import Results
import Values

/// Rows of a folder of results; each call rescans it, but reads only changed files.
package actor RunShelf {
    private let folder: String
    private var known: [Spelling: Entry]?
    /// The scan in progress, and the one that starts after it.
    private var (current, next): (Task<RunList, Never>?, Task<RunList, Never>?)

    private struct Entry: Sendable {
        let path: String
        let stamp: FileStamp
        /// A file may be no result.
        let row: Result<RunRow, any Error>
    }

    package init(folder: String) { self.folder = folder }

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

    private func lookOver() async -> RunList {
        let known = known ?? [:]
        let names = ResultFolder.names(below: folder)
        let pages = Set(names.filter { $0.hasSuffix(".html") }.map(Spelling.init))
        var entries: [Entry] = []
        var news: [(path: String, stamp: FileStamp)] = []
        var links: [LeftOutFile] = []
        for path in names where path.hasSuffix(".json") {
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
        entries += await ResultFolder.read(news) { [folder] path, stamp in
            let row = Result {
                let json = try ResultFile.contents(of: "\(folder)/\(path)", followsLinks: false)
                return try RunRow(json: json, path: path)
            }
            return Entry(path: path, stamp: stamp, row: row)
        }
        let list = RunList(
            rows: entries.compactMap { entry in
                guard case .success(var row) = entry.row else { return nil }
                row.hasPage = pages.contains(Spelling(row.pagePath))
                return row
            },
            leftOut: links
                + entries.compactMap { entry in
                    guard case .failure(let error) = entry.row else { return nil }
                    return LeftOutFile(path: entry.path, reason: "\(error)")
                }
        )
        self.known = Dictionary(entries.map { (Spelling($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        return list
    }
}

package enum ResultFolder {
    /// Hidden files are unfinished.
    package static func names(below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasPrefix(".") && !$0.contains("/.") }
    }

    /// On all cores; in the order of the files.
    package static func read<File: Sendable, Value: Sendable>(
        _ files: [File],
        _ read: @escaping @Sendable (File) -> Value
    ) async -> [Value] {
        let width = max(1, min(files.count, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [(Int, Value)].self) { group in
            for lane in 0..<width {
                group.addTask { stride(from: lane, to: files.count, by: width).map { ($0, read(files[$0])) } }
            }
            return await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
