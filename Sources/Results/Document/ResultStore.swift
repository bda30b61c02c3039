package import Foundation
import Glibc
import Values

/// Folder of results: `<folder>/<profile>/<UTC time>[-<label>].json`.
package struct ResultStore: Sendable {
    package let folder: URL

    package init(folder: URL) { self.folder = folder }

    package func location(profile: String, startedAtMicroseconds: Int64, label: String? = nil) -> URL {
        let time = UTCText.compact(microseconds: startedAtMicroseconds)
        let suffix = label.map { "-" + Self.fileName($0) } ?? ""
        return profileFolder(profile).appending(path: "\(time)\(suffix).json")
    }

    package func profileFolder(_ profile: String) -> URL { folder.appending(path: Self.fileName(profile)) }

    package func journalLocation(profile: String, startedAtMicroseconds: Int64, label: String? = nil) -> URL {
        location(profile: profile, startedAtMicroseconds: startedAtMicroseconds, label: label)
            .deletingPathExtension().appendingPathExtension("journal")
    }

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

    /// A result has the name of its journal, which then counts as finished: two runs may start in one second.
    package func write(_ document: ResultDocument, label: String? = nil, journal: URL? = nil) throws -> URL {
        let (profile, start) = (document.run.profile, document.run.startedAtMicroseconds)
        var wanted = location(profile: profile, startedAtMicroseconds: start, label: label)
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

/// File system calls that can fail, replaceable in tests.
package struct ResultDisk: Sendable {
    /// Returns the bytes written, or the negative errno.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    package var sync: @Sendable (Int32) -> Int32
    /// Returns 0 or errno.
    package var truncate: @Sendable (Int32, Int64) -> Int32

    package static let ofThisMachine = ResultDisk(
        write: { descriptor, bytes in
            let written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            return written < 0 ? -Int(errno) : written
        },
        sync: { fdatasync($0) == 0 ? 0 : errno },
        truncate: { ftruncate($0, off_t($1)) == 0 ? 0 : errno }
    )

    /// An error may leave a part written.
    func writeSynced(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0) }
            if written == -Int(EINTR) { continue }
            guard written > 0 else {
                throw FileError(operation: "write", path: path, code: written < 0 ? Int32(clamping: -written) : EIO)
            }
            rest = rest.dropFirst(written)
        }
        let code = sync(descriptor)
        guard code == 0 else { throw FileError(operation: "sync", path: path, code: code) }
    }

    /// Takes the first free number: `link` refuses an existing name, `rename` would replace it.
    static func publish(_ temporary: URL, as wanted: URL) throws(FileError) -> URL {
        let folder = wanted.deletingLastPathComponent()
        let base = wanted.deletingPathExtension().lastPathComponent
        for number in 1...1_000 {
            let name = number == 1 ? wanted : folder.appending(path: "\(base)-\(number).\(wanted.pathExtension)")
            if link(temporary.path, name.path) == 0 {
                _ = unlink(temporary.path)
                syncFolder(of: name)
                return name
            }
            if errno == EEXIST || access(name.path, F_OK) == 0 { continue }
            // Some file systems have no hard links.
            try rename(temporary, to: name)
            return name
        }
        throw FileError(operation: "find a free name for", path: wanted.path, code: EEXIST)
    }

    static func rename(_ file: URL, to name: URL) throws(FileError) {
        guard Glibc.rename(file.path, name.path) == 0 else {
            throw FileError(operation: "rename to", path: name.path, code: errno)
        }
        syncFolder(of: name)
    }

    /// A rename then survives a loss of power.
    static func syncFolder(of file: URL) {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}

package struct FileError: Error, Equatable, CustomStringConvertible, Sendable {
    package let operation: String
    package let path: String
    package let code: Int32

    package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}
