package import Foundation
import Glibc
import Values

package enum JournalFolder {
    /// `<name>.journal`, and rotated ones, `<name>.journal.1` and so on.
    package struct Run: Equatable, Sendable {
        /// Newest first: the first readable file has all content.
        package let files: [URL]
        package let isBeingWritten: Bool
        /// Whether a result with its name exists.
        package let hasResult: Bool

        /// A result is made only on request.
        package var isOrphan: Bool { !isBeingWritten && !hasResult }
    }

    /// Subfolders, links and special files are ignored; a missing folder is empty.
    package static func runs(in folder: URL) -> [Run] {
        let parts = parts(of: folder).filter { isFile("\(folder.path)/\($0.name)") }
        return Dictionary(grouping: parts, by: \.base).sorted { $0.key < $1.key }.map { base, parts in
            let newestFirst = parts.sorted { ($0.age ?? .max) > ($1.age ?? .max) }
            let current = folder.appending(path: base)
            return Run(
                files: newestFirst.map { folder.appending(path: $0.name) },
                isBeingWritten: parts.contains { $0.age == nil } && JournalLines.isBeingWritten(current),
                hasResult: access(current.deletingPathExtension().appendingPathExtension("json").path, F_OK) == 0
            )
        }
    }

    /// nil if nothing is there; notes are on links, folders and special files that are named like journals.
    package static func found(at path: String) -> (runs: [Run], notes: [String], isFolder: Bool)? {
        let url = URL(fileURLWithPath: path)
        switch PathKind(of: path) {
        case .missing: return nil
        case .file: return ([Run(files: [url], isBeingWritten: false, hasResult: false)], [], false)
        case .folder:
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let inside = names.sorted().map { url.appending(path: $0) }.filter { PathKind(of: $0.path) == .folder }
            let folders = [url] + inside
            return (folders.flatMap(runs(in:)), folders.flatMap(notes(in:)), true)
        }
    }

    static func notes(in folder: URL) -> [String] {
        parts(of: folder).map(\.name).filter { !isFile("\(folder.path)/\($0)") }.sorted().map { name in
            let path = folder.appending(path: name).relativePath
            return "\(path) is left aside: it is not a regular file; name it, if it is a link to a journal."
        }
    }

    private static func parts(of folder: URL) -> [(name: String, base: String, age: Int?)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.compactMap { name in
            part(of: name).map { (name: name, base: $0.base, age: $0.number) }
        }
    }

    /// Links lead elsewhere.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func part(of name: String) -> (base: String, number: Int?)? {
        if name.hasSuffix(".journal") { return (name, nil) }
        guard let range = name.range(of: ".journal.", options: .backwards) else { return nil }
        guard let number = Int(name[range.upperBound...]), number > 0 else { return nil }
        return (String(name[..<range.upperBound].dropLast()), number)
    }
}
