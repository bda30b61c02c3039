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
    private let pace: CheckpointPace
    /// Since the last checkpoint: its bytes, and those of the intervals.
    private var checkpointBytes = 0
    private var intervalBytes = 0

    init(wanted: URL, header: JournalRecord, disk: ResultDisk, pace: CheckpointPace) {
        self.wanted = wanted
        self.header = header
        self.disk = disk
        self.pace = pace
    }

    var wish: CheckpointPace.Wish { pace.wish(intervals: intervalBytes, checkpoint: checkpointBytes) }

    /// Throws `Gap`, `FileError` or an error of `payload`, after which a checkpoint must come next.
    mutating func keep(interval payload: @autoclosure () throws -> Data) throws {
        guard isGapless else { throw Gap() }
        isGapless = false
        guard file?.isReachable == true else { throw FileError(operation: "find", path: wanted.path, code: ENOENT) }
        let length = try file?.append([JournalRecord(kind: .interval, payload: payload())]) ?? 0
        bytes += Int64(length)
        intervalBytes += length
        isGapless = true
    }

    /// A nil `payload` could not be encoded; a failure loses nothing and is retried after as many intervals.
    mutating func sumUp(_ payload: Data?) {
        intervalBytes = 0
        guard isGapless, file?.isReachable == true, let payload else { return }
        guard let length = try? file?.append([JournalRecord(kind: .checkpoint, payload: payload)]) else { return }
        bytes += Int64(length)
        checkpointBytes = length
    }

    /// Closes a gap; throws `FileError`, after which the next record must be a checkpoint again.
    mutating func keep(checkpoint payload: Data) throws {
        isGapless = false
        (checkpointBytes, intervalBytes) = (payload.count, 0)
        let record = JournalRecord(kind: .checkpoint, payload: payload)
        if file?.isReachable == true {
            bytes += Int64(try file?.append([record]) ?? 0)
        } else {
            // The file does not exist yet, or was deleted.
            var begun = try JournalFile.begun(for: wanted, with: [header, record], on: disk)
            try begun.publish(as: wanted)
            url = begun.url
            bytes += begun.length
            file = consume begun
        }
        isGapless = true
    }

    /// Renames the journal to the next free number and begins another; returns the reason if the old file continues.
    ///
    /// Throws if the checkpoint is in neither file.
    mutating func rotate(checkpoint payload: Data) throws -> FileError? {
        guard let name = url, file?.isReachable == true else {
            try keep(checkpoint: payload)
            return nil
        }
        do throws(FileError) {
            let records = [header, JournalRecord(kind: .checkpoint, payload: payload)]
            try replace(name, by: JournalFile.begun(for: name, with: records, on: disk))
            (checkpointBytes, intervalBytes) = (payload.count, 0)
            isGapless = true
            return nil
        } catch {
            try keep(checkpoint: payload)
            return error
        }
    }

    private mutating func replace(_ name: URL, by begun: consuming JournalFile) throws(FileError) {
        let old: URL
        do throws(FileError) {
            old = try putAway(name)
        } catch {
            begun.discard()
            throw error
        }
        do throws(FileError) {
            try begun.rename(to: name)
        } catch {
            _ = Glibc.rename(old.path, name.path)
            begun.discard()
            throw error
        }
        rotated.append(old)
        bytes += begun.length
        file = consume begun
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

/// Grows by whole, synced records and is locked while it is open; used from one thread at a time.
///
/// Its hidden name until publication keeps other processes from a journal without header and checkpoint or without lock.
struct JournalFile: ~Copyable {
    private(set) var url: URL
    private let descriptor: Int32
    private let disk: ResultDisk
    /// Whole records known to be on the disk.
    private(set) var length: Int64 = 0
    private var checksum: UInt32 = 0
    /// Whether bytes after `length` could not be truncated.
    private var hasTornTail = false

    deinit {
        _ = close(descriptor)
    }

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

    /// Takes the first free number if the name exists.
    mutating func publish(as wanted: URL) throws(FileError) { url = try ResultDisk.publish(url, as: wanted) }

    mutating func rename(to name: URL) throws(FileError) {
        try ResultDisk.rename(url, to: name)
        url = name
    }

    func discard() { _ = unlink(url.path) }
}
