import Foundation
import Glibc

/// Open journal that grows by whole, synced records and is locked while it is open.
///
/// It has a hidden name until it is published, so that no process sees a journal without header and checkpoint, or an unlocked
/// one that is being written. Used from one thread at a time; every call may wait for the disk.
struct JournalFile: ~Copyable {
    private(set) var url: URL
    private let descriptor: Int32
    private let disk: ResultDisk
    /// Bytes known to be on the disk; all of them are whole records.
    private(set) var length: Int64 = 0
    /// Checksum of the last record on the disk.
    private var checksum: UInt32 = 0
    /// Whether bytes after `length` could not be truncated.
    private var hasTornTail = false

    private init(url: URL, descriptor: Int32, disk: ResultDisk) {
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
    /// - Throws: `FileError`.
    static func begun(
        for wanted: URL,
        with records: [JournalRecord],
        on disk: ResultDisk
    ) throws(FileError) -> JournalFile {
        let folder = wanted.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: ".\(wanted.lastPathComponent).\(getpid()).tmp")
        _ = unlink(url.path)
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(operation: "create", path: wanted.path, code: errno) }
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
    /// - Throws: `FileError`.
    @discardableResult mutating func append(_ records: [JournalRecord]) throws(FileError) -> Int {
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
            try disk.writeSynced(bytes, to: descriptor, path: url.path)
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

    private mutating func takeBackTail() throws(FileError) {
        let code = disk.truncate(descriptor, length)
        guard code == 0 else { throw FileError(operation: "truncate", path: url.path, code: code) }
        hasTornTail = false
    }

    /// Renames to `wanted`, or to that name with the first free number.
    mutating func publish(as wanted: URL) throws(FileError) {
        url = try ResultDisk.publish(url, as: wanted)
    }

    mutating func rename(to name: URL) throws(FileError) {
        try ResultDisk.rename(url, to: name)
        url = name
    }

    func discard() {
        _ = unlink(url.path)
    }
}
