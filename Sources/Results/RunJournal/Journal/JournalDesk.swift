import Foundation
import Glibc

/// Part of a journal writer that waits for the disk; used from one thread at a time.
struct JournalDesk: ~Copyable {
    /// Records before the next one are missing, so only a checkpoint may follow.
    struct Gap: Error {}

    /// The name gets a number if another run has it.
    let wanted: URL
    private let disk: ResultDisk
    private let header: JournalRecord
    private var file: JournalFile?
    private(set) var url: URL?
    private var isGapless = false
    /// Bytes of whole records, over all files.
    private(set) var bytes: Int64 = 0
    /// Oldest first.
    private var rotated: [URL] = []

    init(wanted: URL, header: JournalRecord, disk: ResultDisk) {
        (self.wanted, self.header, self.disk) = (wanted, header, disk)
    }

    /// Throws `Gap`, `FileError` or an error of `record`, after which a checkpoint must come next; returns the bytes.
    mutating func keep(interval record: @autoclosure () throws -> JournalRecord) throws -> Int {
        guard isGapless else { throw Gap() }
        isGapless = false
        let length = try append(record())
        isGapless = true
        return length
    }

    /// A failure loses nothing.
    mutating func sumUp(_ checkpoint: JournalRecord) -> Int? { isGapless ? try? append(checkpoint) : nil }

    private mutating func append(_ record: JournalRecord) throws(FileError) -> Int {
        guard file?.isReachable == true, let length = try file?.append([record]) else {
            throw FileError(operation: "find", path: wanted.path, code: ENOENT)
        }
        bytes += Int64(length)
        return length
    }

    /// Closes a gap, unless it throws; `anew` in another file, or returns the reason if the old one continues.
    mutating func keep(checkpoint: JournalRecord, anew: Bool) throws(FileError) -> (bytes: Int, problem: FileError?) {
        isGapless = false
        // The file may not exist yet, or may have been deleted.
        guard file?.isReachable == true else { return (try begin(checkpoint, replacing: nil), nil) }
        var problem: FileError?
        do throws(FileError) {
            if anew { return (try begin(checkpoint, replacing: url), nil) }
        } catch {
            problem = error
        }
        let length = try append(checkpoint)
        isGapless = true
        return (length, problem)
    }

    private mutating func begin(_ checkpoint: JournalRecord, replacing name: URL?) throws(FileError) -> Int {
        var begun = try JournalFile.begun(for: name ?? wanted, with: [header, checkpoint], on: disk)
        if let name {
            try replace(name, by: begun.url)
            begun.url = name
        } else {
            begun.url = try ResultDisk.publish(begun.url, as: wanted)
        }
        let length = begun.length
        bytes += length
        (url, isGapless) = (begun.url, true)
        file = consume begun
        return Int(length)
    }

    private mutating func replace(_ name: URL, by begun: URL) throws(FileError) {
        var old: URL?
        do throws(FileError) {
            let place = try putAway(name)
            old = place
            try ResultDisk.rename(begun, to: name)
            rotated.append(place)
        } catch {
            if let old { _ = Glibc.rename(old.path, name.path) }
            _ = unlink(begun.path)
            throw error
        }
    }

    private func putAway(_ name: URL) throws(FileError) -> URL {
        for number in 1...10_000 {
            let old = URL(filePath: "\(name.path).\(number)")
            guard access(old.path, F_OK) != 0 else { continue }
            // A missing file was moved by the sender of the signal, as logrotate does.
            guard rename(name.path, old.path) == 0 || errno == ENOENT else {
                throw FileError(operation: "rename to", path: old.path, code: errno)
            }
            return old
        }
        throw FileError(operation: "find a free number for", path: name.path, code: EEXIST)
    }

    mutating func remove() {
        guard let url else { return }
        for file in rotated + [url] { _ = unlink(file.path) }
        ResultDisk.syncFolder(of: url)
        file = nil
        self.url = nil
        isGapless = false
    }
}

/// Whole, synced records; a hidden name keeps others from a journal without lock, header and checkpoint.
struct JournalFile: ~Copyable {
    fileprivate(set) var url: URL
    private let descriptor: Int32
    private let disk: ResultDisk
    /// Whole records known to be on the disk.
    private(set) var length: Int64 = 0
    private var checksum: UInt32 = 0
    /// Whether bytes after `length` could not be truncated.
    private var hasTornTail = false

    deinit { _ = close(descriptor) }

    /// Hidden until published as `wanted`; deleted on an error.
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

    /// Whether the file still has a name.
    var isReachable: Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0
    }

    /// Returns the bytes; an error leaves nothing of the records.
    @discardableResult mutating func append(_ records: [JournalRecord]) throws(FileError) -> Int {
        if hasTornTail { try takeBackTail() }
        var last = checksum
        let bytes = records.flatMap { $0.line(continuing: &last) }
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
}
