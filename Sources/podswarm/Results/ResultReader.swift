import Comparison
import Foundation
import Rehearsal
import Results
import Rules
import Values

/// Reads the results that files, folders and labels on the command line name.
struct ResultReader: Sendable {
    /// In the order of the inputs.
    struct Found: Sendable {
        var runs: [RunFigures] = []
        /// Empty if there are runs.
        var capacities: [CapacityFigures] = []
        /// JSON files that are not results.
        var skipped: [LeftOutFile] = []
        var unreadable: [LeftOutFile] = []
    }

    let results: String
    /// Whether inputs with both runs and searches for a capacity mean the searches.
    var prefersCapacities = false

    /// Reads files, folders and `label:NAME=VALUE`; inputs without results, or of both kinds, are errors.
    ///
    /// Folders and labels ignore runs that a search made, except for the label of searches itself.
    func read(_ inputs: [String]) async throws -> Found {
        var all = Found()
        for input in inputs { all.add(try await read(input)) }
        guard all.runs.isEmpty || all.capacities.isEmpty else {
            throw CommandFailure("\(inputs.joined(separator: " ")): \(Self.mixed)")
        }
        return all
    }

    static let mixed = "results of runs and of searches for a capacity cannot be compared"

    private func read(_ input: String) async throws -> Found {
        if input.hasPrefix("label:") { return try await labelled(input) }
        let kind = PathKind(of: input)
        guard kind != .missing else {
            throw CommandFailure("\(input): no such file or folder; label:NAME=VALUE selects runs by a label")
        }
        guard kind == .folder else {
            let found = await read(paths: [input], followsLinks: true)
            if let skipped = found.skipped.first { throw CommandFailure("\(input): \(skipped.reason)") }
            return found
        }
        let found = await read(paths: Self.files(below: input))
        let kept = ofOneKind(found, keepsSearched: false)
        guard !kept.isEmpty else {
            let why = found.isEmpty ? "no results" : "no results but the runs of searches for a capacity"
            throw CommandFailure("\(input): \(why) in this folder")
        }
        return kept
    }

    private func labelled(_ input: String) async throws -> Found {
        let parts = input.dropFirst("label:".count).split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandFailure("'\(input)' is not a label; write label:NAME=VALUE")
        }
        guard PathKind(of: results) == .folder else {
            throw CommandFailure("\(results): no such folder to look for \(input) in; see --results")
        }
        let (name, value) = (String(parts[0]), String(parts[1]))
        let found = await read(paths: Self.files(below: results))
        let labelled = Found(
            runs: found.runs.filter { $0.run.labels[name] == value },
            capacities: found.capacities.filter { $0.search.labels[name] == value }
        )
        let kept = ofOneKind(labelled, keepsSearched: name == RunLabels.capacity)
        guard !kept.isEmpty else { throw CommandFailure("\(input): no result below \(results) has this label") }
        return Found(runs: kept.runs, capacities: kept.capacities)
    }

    private func ofOneKind(_ found: Found, keepsSearched: Bool) -> Found {
        var kept = found
        if !keepsSearched { kept.runs.removeAll { $0.run.labels[RunLabels.capacity] != nil } }
        if prefersCapacities || kept.runs.isEmpty {
            if !kept.capacities.isEmpty { kept.runs = [] }
        } else {
            kept.skipped += kept.capacities.map {
                LeftOutFile(path: $0.path, reason: "a capacity result; see --capacity")
            }
            kept.capacities = []
        }
        return kept
    }

    private static func files(below folder: String) -> [String] {
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        return ResultFolder.names(below: folder).filter { $0.hasSuffix(".json") }.sorted().map { base + $0 }
    }

    private func read(paths: [String], followsLinks: Bool = false) async -> Found {
        let found = await ResultFolder.read(paths) { self.found(at: $0, followsLinks) }
        return found.reduce(into: Found()) { $0.add($1) }
    }

    private func found(at path: String, _ followsLinks: Bool) -> Found {
        do {
            let data = try ResultFile.contents(of: path, followsLinks: followsLinks)
            switch try StoredFigures(json: data, path: path) {
            case .run(let run): return Found(runs: [run])
            case .capacity(let search): return Found(capacities: [search])
            }
        } catch {
            let file = LeftOutFile(path: path, reason: "\(error)")
            let isOfRun = (error as? RunFigures.ReadingError)?.isOfRun == true
            return isOfRun ? Found(unreadable: [file]) : Found(skipped: [file])
        }
    }
}

extension ResultReader.Found {
    fileprivate var isEmpty: Bool { runs.isEmpty && capacities.isEmpty && unreadable.isEmpty }

    fileprivate mutating func add(_ other: Self) {
        runs += other.runs
        capacities += other.capacities
        skipped += other.skipped
        unreadable += other.unreadable
    }
}
