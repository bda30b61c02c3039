package import Foundation
import Glibc
import Values

/// Folder of results: `<folder>/<profile>/<UTC time>[-<label>].json`.
package struct ResultStore: Sendable {
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
    /// - Throws: `FileError`, `EncodingError`, or an error of the file system if the folder cannot be created.
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
        let temporary = folder.appending(path: ".\(wanted.lastPathComponent).\(getpid()).tmp")
        // Also if the disk is full.
        defer { _ = unlink(temporary.path) }
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(operation: "create", path: temporary.path, code: errno) }
        defer { _ = close(descriptor) }
        try ResultDisk.ofThisMachine.writeSynced(Array(document.json()), to: descriptor, path: temporary.path)
        return try ResultDisk.publish(temporary, as: wanted)
    }
}
