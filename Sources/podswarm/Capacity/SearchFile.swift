import CapacityResult
import CapacityRuns
import Console
import Foundation
import JSON
import Rehearsal
import Report
import RunResult

/// The file of a search, written anew after each run, and the folder of its runs' results beside it.
struct SearchFile {
    private static let prefix = "capacity-"

    let url: URL
    /// Keeps other processes away from the search for as long as this one lives.
    private let lock: FileHandle

    /// Of the runs' results.
    var folder: URL { url.deletingPathExtension() }

    /// Begins a search, or goes on with the newest of the same kind that was not ended.
    ///
    /// - Parameters:
    ///   - folder: Of the profile's results.
    ///   - new: The search as it would begin.
    ///   - anew: Whether it begins in any case.
    /// - Returns: Its file, and what it knows.
    /// - Throws: `CommandFailure` where the folder cannot be made or written to.
    static func open(
        in folder: URL,
        for new: CapacityDocument,
        anew: Bool
    ) throws(CommandFailure) -> (SearchFile, CapacityLedger) {
        // In virtual time nothing is gained by it.
        let isVirtual = { (search: CapacityDocument) in search.search.host.name == RunClock.virtualHost }
        for url in anew || isVirtual(new) ? [] : files(in: folder) {
            guard let data = try? Data(contentsOf: url), let known = try? CapacityDocument(json: data),
                known.state != .ended, !isVirtual(known), known.isSameSearch(as: new),
                let file = SearchFile(url)
            else { continue }
            var going = known
            going.state = .running
            // How much more it may spend, and what it must come to, is what was asked this time.
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

    /// An id that no other search has: those of virtual time may begin at one instant.
    private static func freeID(_ id: String, in folder: URL) -> String {
        var (free, number) = (id, 2)
        while FileManager.default.fileExists(atPath: folder.appending(path: "\(prefix)\(free).json").path) {
            (free, number) = ("\(id)-\(number)", number + 1)
        }
        return free
    }

    /// The newest first.
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

    /// Replaces the file by what is known now, whole or not at all.
    ///
    /// - Throws: `CommandFailure` that names it.
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

    /// From the folder of the file.
    func relativePath(of result: URL) -> String {
        let base = url.deletingLastPathComponent().path + "/"
        return result.path.hasPrefix(base) ? String(result.path.dropFirst(base.count)) : result.path
    }
}

extension CapacityDocument {
    /// Whether what this search has found is of use to the other one, which goes on with it.
    fileprivate func isSameSearch(as other: CapacityDocument) -> Bool {
        var (own, others) = (asked, other.asked)
        // A search may be given more time, or more runs, when it goes on.
        own.maximumSeconds = 0
        others.maximumSeconds = 0
        own.maximumRuns = 0
        others.maximumRuns = 0
        (own.watchSeconds, others.watchSeconds) =
            (own.watchSeconds.map { _ in 0 }, others.watchSeconds.map { _ in 0 })
        own.atLeast = nil
        others.atLeast = nil
        // More machines carry more, and what fewer found stays true.
        guard others.ceiling >= own.ceiling else { return false }
        (own.from, own.floor, own.ceiling, own.ceilingReason) =
            (others.from, others.floor, others.ceiling, others.ceilingReason)
        return own == others && search.profileDigest == other.search.profileDigest && search.seed == other.search.seed
            && search.labels == other.search.labels && search.target == other.search.target
    }
}
