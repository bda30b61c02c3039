import Foundation
import Rehearsal
import Report
import Results
import Values

/// File of a search, rewritten after each run, with a folder of the runs' results beside it.
struct SearchFile {
    private static let prefix = "capacity-"

    let url: URL
    /// Keeps other processes from the search while this value exists.
    private let lock: FileHandle

    /// Folder of the runs' results.
    var folder: URL { url.deletingPathExtension() }

    /// Opens the newest unfinished search of the same kind, or begins one; `anew` always begins one.
    static func open(
        in folder: URL,
        for new: CapacityDocument,
        anew: Bool
    ) throws(CommandFailure) -> (SearchFile, CapacityLedger) {
        // A search in virtual time is made anew: it would gain nothing by going on.
        let isVirtual = { (search: CapacityDocument) in search.search.host.name == RunClock.virtualHost }
        for url in anew || isVirtual(new) ? [] : files(in: folder) {
            guard let data = try? Data(contentsOf: url), let known = try? CapacityDocument(json: data),
                known.state != .ended, !isVirtual(known), known.isSameSearch(as: new),
                let file = SearchFile(url)
            else { continue }
            var going = known
            going.state = .running
            // The new invocation determines the limits and the demand.
            going.asked = new.asked
            going.search.shards = new.search.shards
            return (file, CapacityLedger(going))
        }
        var new = new
        new.search.id = freeID(new.search.id, in: folder)
        let url = folder.appending(path: "\(prefix)\(new.search.id).json")
        guard let file = SearchFile(url) else {
            throw CommandFailure(
                .badInput,
                "--results: \(url.deletingPathExtension().path) cannot be made, or is in use"
            )
        }
        return (file, CapacityLedger(new))
    }

    /// Returns an id that no other search has, because searches in virtual time may begin at the same instant.
    private static func freeID(_ id: String, in folder: URL) -> String {
        var (free, number) = (id, 2)
        while FileManager.default.fileExists(atPath: folder.appending(path: "\(prefix)\(free).json").path) {
            (free, number) = ("\(id)-\(number)", number + 1)
        }
        return free
    }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted(by: >)
            .map { folder.appending(path: $0) }
    }

    private init?(_ url: URL) {
        let folder = url.deletingPathExtension()
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return nil
        }
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        lock = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        self.url = url
    }

    /// Replaces the file atomically.
    func write(_ document: CapacityDocument) throws(CommandFailure) {
        do {
            try document.json().write(to: url, options: .atomic)
        } catch {
            throw CommandFailure(
                .notWritten,
                "\(url.relativePath) cannot be written: \((error as NSError).localizedDescription)"
            )
        }
    }

    /// Path of a result, relative to the folder of the file.
    func relativePath(of result: URL) -> String {
        let base = url.deletingLastPathComponent().path + "/"
        return result.path.hasPrefix(base) ? String(result.path.dropFirst(base.count)) : result.path
    }
}

extension CapacityDocument {
    /// Whether `other` can go on with what this search has found.
    fileprivate func isSameSearch(as other: CapacityDocument) -> Bool {
        var (own, others) = (asked, other.asked)
        // A continued search may get more time or more runs.
        own.timeMaximumSeconds = 0
        others.timeMaximumSeconds = 0
        own.runsMaximum = 0
        others.runsMaximum = 0
        (own.watchMaximumSeconds, others.watchMaximumSeconds) =
            (own.watchMaximumSeconds.map { _ in 0 }, others.watchMaximumSeconds.map { _ in 0 })
        own.atLeast = nil
        others.atLeast = nil
        // A higher ceiling is permitted: more machines carry more, and the results so far stay true.
        guard others.ceiling >= own.ceiling else { return false }
        (own.from, own.floor, own.ceiling, own.ceilingReason) =
            (others.from, others.floor, others.ceiling, others.ceilingReason)
        return own == others && search.profileDigest == other.search.profileDigest && search.seed == other.search.seed
            && search.labels == other.search.labels && search.target == other.search.target
    }
}
