import Foundation
import Glibc

/// Open journal that grows by whole, synced records and is locked while it is open.
///
/// It has a hidden name until it is published, so that no process sees a journal without header and checkpoint, or an unlocked
/// one that is being written. Used from one thread at a time; every call may wait for the disk.
struct JournalFile: ~Copyable {
    private(set) var url: URL
    private let descriptor: Int32
    private let disk: JournalDisk
    /// Bytes known to be on the disk; all of them are whole records.
    private(set) var length: Int64 = 0
    /// Checksum of the last record on the disk.
    private var checksum: UInt32 = 0
    /// Whether bytes after `length` could not be truncated.
    private var hasTornTail = false

    private init(url: URL, descriptor: Int32, disk: JournalDisk) {
        self.url = url
        self.descriptor = descriptor
        self.disk = disk
    }

    deinit {
        _ = close(descriptor)
    }

    /// Creates a file under a hidden name with its first records; deletes it on an error.
    ///
    /// `wanted` is the name for publication.
    ///
    /// - Throws: `JournalError`.
    static func begun(
        for wanted: URL,
        with records: [JournalRecord],
        on disk: JournalDisk
    ) throws(JournalError) -> JournalFile {
        let folder = wanted.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: ".\(wanted.lastPathComponent).\(getpid()).tmp")
        _ = unlink(url.path)
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw JournalError(operation: "create", path: wanted.path, code: errno) }
        var file = JournalFile(url: url, descriptor: descriptor, disk: disk)
        // A file system without locks still gets a journal.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        do {
            try file.append(records)
        } catch {
            _ = unlink(url.path)
            throw error
        }
        return file
    }

    /// Whether the file still has a name, so that it can be read later.
    var isReachable: Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0
    }

    /// Writes and syncs records and returns their bytes; on an error nothing of them remains.
    ///
    /// - Throws: `JournalError`.
    @discardableResult mutating func append(_ records: [JournalRecord]) throws(JournalError) -> Int {
        if hasTornTail { try takeBackTail() }
        var bytes: [UInt8] = []
        var last = checksum
        for record in records {
            let line = record.line(after: last)
            bytes += line.bytes
            last = line.checksum
        }
        hasTornTail = true
        do {
            try write(bytes)
            try sync()
        } catch {
            // Linux drops pages that it could not write back, and a later sync would report success.
            try? takeBackTail()
            throw error
        }
        hasTornTail = false
        length += Int64(bytes.count)
        checksum = last
        return bytes.count
    }

    private func write(_ bytes: [UInt8]) throws(JournalError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { disk.write(descriptor, $0) }
            if written == -Int(EINTR) { continue }
            guard written > 0 else {
                throw JournalError(
                    operation: "write",
                    path: url.path,
                    code: written < 0 ? Int32(clamping: -written) : EIO
                )
            }
            rest = rest.dropFirst(written)
        }
    }

    private func sync() throws(JournalError) {
        let code = disk.sync(descriptor)
        guard code == 0 else { throw JournalError(operation: "sync", path: url.path, code: code) }
    }

    private mutating func takeBackTail() throws(JournalError) {
        let code = disk.truncate(descriptor, length)
        guard code == 0 else { throw JournalError(operation: "truncate", path: url.path, code: code) }
        hasTornTail = false
    }

    /// Renames to `wanted`, or to that name with the first free number.
    mutating func publish(as wanted: URL) throws(JournalError) {
        let folder = wanted.deletingLastPathComponent()
        let base = wanted.deletingPathExtension().lastPathComponent
        for number in 1...1_000 {
            let name = number == 1 ? wanted : folder.appending(path: "\(base)-\(number).\(wanted.pathExtension)")
            if link(url.path, name.path) == 0 {
                _ = unlink(url.path)
                url = name
                return Self.syncFolder(of: name)
            }
            if errno == EEXIST || access(name.path, F_OK) == 0 { continue }
            // Some file systems have no hard links; a rename must do there.
            return try rename(to: name)
        }
        throw JournalError(operation: "find a free name for", path: wanted.path, code: EEXIST)
    }

    mutating func rename(to name: URL) throws(JournalError) {
        guard Glibc.rename(url.path, name.path) == 0 else {
            throw JournalError(operation: "rename to", path: name.path, code: errno)
        }
        url = name
        Self.syncFolder(of: name)
    }

    func discard() {
        _ = unlink(url.path)
    }

    /// Syncs the folder, so that a rename survives a loss of power.
    static func syncFolder(of file: URL) {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
