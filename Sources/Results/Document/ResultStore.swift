package import Foundation
import Glibc
import Values

/// Folder of results: `<folder>/<profile>/<UTC time>[-<label>].json`.
package struct ResultStore: Sendable {
    package struct WritingError: Error, CustomStringConvertible, Sendable {
        package let operation: String
        package let path: String
        package let code: Int32

        package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
    }

    package let folder: URL

    package init(folder: URL) {
        self.folder = folder
    }

    /// File for a result, with unsafe characters of its name replaced.
    ///
    /// `label` distinguishes runs, for example by the release under test.
    package func location(profile: String, startedAtMicroseconds: Int64, label: String? = nil) -> URL {
        let time = UTCText.compact(microseconds: startedAtMicroseconds)
        let suffix = label.map { "-" + Self.fileName($0) } ?? ""
        return profileFolder(profile).appending(path: "\(time)\(suffix).json")
    }

    package func profileFolder(_ profile: String) -> URL {
        folder.appending(path: Self.fileName(profile))
    }

    package func journalLocation(profile: String, startedAtMicroseconds: Int64, label: String? = nil) -> URL {
        location(profile: profile, startedAtMicroseconds: startedAtMicroseconds, label: label)
            .deletingPathExtension().appendingPathExtension("journal")
    }

    /// Label for a file name: the release, or else the first label by key; nil without labels.
    package static func fileLabel(of labels: [String: String]) -> String? {
        labels["release"] ?? labels.min { $0.key < $1.key }?.value
    }

    private static func fileName(_ text: String) -> String {
        let kept = text.unicodeScalars.prefix(80).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "._-+".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
        }
        let name = String(kept.drop { $0 == "." })
        return name.isEmpty ? "unnamed" : name
    }

    /// Writes a result atomically: a temporary file beside it, synced, then linked.
    ///
    /// An existing file is never overwritten; the new name gets a number. With a journal, the result has the journal's name:
    /// two runs may start in one second, and a journal beside a result of its name counts as finished.
    ///
    /// - Throws: `WritingError`, `EncodingError`, or an error of the file system if the folder cannot be created.
    package func write(_ document: ResultDocument, label: String? = nil, journal: URL? = nil) throws -> URL {
        var wanted = location(
            profile: document.run.profile,
            startedAtMicroseconds: document.run.startedAtMicroseconds,
            label: label
        )
        if let name = journal?.lastPathComponent, let end = name.range(of: ".journal", options: .backwards) {
            wanted = wanted.deletingLastPathComponent().appending(path: "\(name[..<end.lowerBound]).json")
        }
        let folder = wanted.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = folder.appending(path: ".\(wanted.lastPathComponent).\(getpid()).tmp").path
        // Also if the disk is full.
        defer { _ = unlink(temporary) }
        try Self.writeSynced(document.json(), to: temporary)
        return try Self.publish(temporary, as: wanted)
    }

    /// Links instead of renaming, because `link` refuses an existing name and `rename` replaces it.
    private static func publish(_ temporary: String, as wanted: URL) throws(WritingError) -> URL {
        let base = wanted.deletingPathExtension().lastPathComponent
        let folder = wanted.deletingLastPathComponent()
        for number in 1...1_000 {
            let candidate = number == 1 ? wanted : folder.appending(path: "\(base)-\(number).json")
            if link(temporary, candidate.path) == 0 {
                syncFolder(folder.path)
                return candidate
            }
            if errno == EEXIST || access(candidate.path, F_OK) == 0 { continue }
            // Some file systems have no hard links; a rename must do there.
            guard rename(temporary, candidate.path) == 0 else {
                throw WritingError(operation: "rename to", path: candidate.path, code: errno)
            }
            syncFolder(folder.path)
            return candidate
        }
        throw WritingError(operation: "find a free name for", path: wanted.path, code: EEXIST)
    }

    private static func writeSynced(_ data: Data, to path: String) throws(WritingError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw WritingError(operation: "create", path: path, code: errno) }
        defer { _ = close(descriptor) }
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw WritingError(operation: "write", path: path, code: errno) }
            rest = rest.dropFirst(written)
        }
        guard fsync(descriptor) == 0 else { throw WritingError(operation: "sync", path: path, code: errno) }
    }

    private static func syncFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
