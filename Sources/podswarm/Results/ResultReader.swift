import CapacityResult
import Comparison
import Console
import Foundation
import JSON
import Rehearsal
import Rulebook
import RunResult

/// Finds and reads the results that files, folders and labels on the command line stand for.
struct ResultReader: Sendable {
    /// What was found, in the order of the paths.
    struct Found: Sendable {
        var runs: [RunFigures] = []
        /// Searches for a capacity; never beside runs.
        var capacities: [CapacityFigures] = []
        /// JSON files that are no results.
        var skipped: [Comparability.SkippedFile] = []
        /// Results that cannot be read.
        var unreadable: [Comparability.UnfitRun] = []
    }

    /// Where results with a label are looked for.
    let results: String
    /// Names of distributions to read whole, such as `pod_manifest.response`.
    let distributions: Set<String>
    /// Whether folders and labels stand for searches for a capacity where both lie there.
    var prefersCapacities = false

    /// Reads everything that the inputs stand for: runs, or searches for a capacity.
    ///
    /// Of a folder with both, the runs are meant. Runs that a search made are no runs of the profile as it stands: folders
    /// and labels stand for them only where it is their own label that is asked for.
    ///
    /// - Parameter inputs: Files, folders, or `label:NAME=VALUE`.
    /// - Returns: What was found, and what was passed over.
    /// - Throws: `CommandFailure` for an input that stands for nothing, and for inputs of both kinds.
    func read(_ inputs: [String]) async throws -> Found {
        var all = Found()
        for input in inputs {
            let found = try await read(input)
            all.runs += found.runs
            all.capacities += found.capacities
            all.skipped += found.skipped
            all.unreadable += found.unreadable
        }
        guard all.runs.isEmpty || all.capacities.isEmpty else {
            throw CommandFailure(.badInput, "\(inputs.joined(separator: " ")): \(Self.mixed)")
        }
        return all
    }

    static let mixed = "results of runs and of searches for a capacity cannot be held against each other"

    private func read(_ input: String) async throws -> Found {
        if input.hasPrefix("label:") { return try await labelled(input) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: input, isDirectory: &isFolder) else {
            throw CommandFailure(.badInput, "\(input): no such file or folder")
        }
        guard isFolder.boolValue else {
            let found = await read(paths: [input])
            if let skipped = found.skipped.first {
                throw CommandFailure(.badInput, "\(input): \(skipped.reason)")
            }
            return found
        }
        let found = await read(paths: Self.files(below: input))
        let kept = ofOneKind(found, keepsSearched: false)
        guard !kept.isEmpty else {
            let why = found.isEmpty ? "no results" : "no results but the runs of searches for a capacity"
            throw CommandFailure(.badInput, "\(input): \(why) in this folder")
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
            throw CommandFailure(.badInput, "'\(input)' is no label; write label:NAME=VALUE")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: results, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure(.badInput, "\(results): no such folder to look for \(input) in; see --results")
        }
        let (name, value) = (String(parts[0]), String(parts[1]))
        let found = await read(paths: Self.files(below: results))
        let labelled = Found(
            runs: found.runs.filter { $0.run.labels[name] == value },
            capacities: found.capacities.filter { $0.search.labels[name] == value }
        )
        let kept = ofOneKind(labelled, keepsSearched: name == RunLabels.capacity)
        guard !kept.isEmpty else {
            throw CommandFailure(.badInput, "\(input): no result below \(results) has this label")
        }
        return Found(runs: kept.runs, capacities: kept.capacities)
    }

    /// What a place with results of several kinds stands for.
    private func ofOneKind(_ found: Found, keepsSearched: Bool) -> Found {
        var kept = found
        if !keepsSearched { kept.runs.removeAll { $0.run.labels[RunLabels.capacity] != nil } }
        if prefersCapacities || kept.runs.isEmpty {
            if !kept.capacities.isEmpty { kept.runs = [] }
        } else {
            kept.skipped += kept.capacities.map {
                Comparability.SkippedFile(path: $0.path, reason: "a capacity result; see --capacity")
            }
            kept.capacities = []
        }
        return kept
    }

    /// Every JSON file below a folder, sorted; hidden ones are somebody's half-written files.
    private static func files(below folder: String) -> [String] {
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            name.hasSuffix(".json") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted().map { base + $0 }
    }

    /// Reads files on all cores.
    private func read(paths: [String]) async -> Found {
        let width = max(1, min(paths.count, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [(Int, Outcome)].self) { group in
            for lane in 0..<width {
                group.addTask {
                    stride(from: lane, to: paths.count, by: width).map { ($0, outcome(of: paths[$0])) }
                }
            }
            let outcomes = await group.reduce(into: []) { $0 += $1 }
            return outcomes.sorted { $0.0 < $1.0 }.reduce(into: Found()) { found, outcome in
                switch outcome.1 {
                case .run(let run): found.runs.append(run)
                case .capacity(let search): found.capacities.append(search)
                case .skipped(let file): found.skipped.append(file)
                case .unreadable(let run): found.unreadable.append(run)
                }
            }
        }
    }

    private enum Outcome: Sendable {
        case run(RunFigures)
        case capacity(CapacityFigures)
        case skipped(Comparability.SkippedFile)
        case unreadable(Comparability.UnfitRun)
    }

    private func outcome(of path: String) -> Outcome {
        do {
            let data = try ResultFile.contents(of: path)
            do {
                return .run(try RunFigures(json: data, path: path, distributions: distributions))
            } catch {
                guard CapacityDocument.isNamed(in: data) else { throw error }
                return capacity(in: data, at: path)
            }
        } catch let error as RunFigures.ReadingError {
            if case .notAResult = error {
                return .skipped(Comparability.SkippedFile(path: path, reason: "\(error)"))
            }
            return .unreadable(
                Comparability.UnfitRun(path: path, aspect: nil, allowed: false, reasons: ["\(error)"])
            )
        } catch let error as ResultDocument.ReadingError {
            return .skipped(Comparability.SkippedFile(path: path, reason: "\(error)"))
        } catch {
            let reason = "cannot be read: \((error as NSError).localizedDescription)"
            return .skipped(Comparability.SkippedFile(path: path, reason: reason))
        }
    }
    private func capacity(in data: Data, at path: String) -> Outcome {
        do {
            return .capacity(CapacityFigures(try CapacityDocument(json: data), path: path))
        } catch {
            let reason = CapacityDocument.words(for: error, in: data)
            return .skipped(Comparability.SkippedFile(path: path, reason: reason))
        }
    }
}

extension ResultReader.Found {
    fileprivate var isEmpty: Bool { runs.isEmpty && capacities.isEmpty && unreadable.isEmpty }
}
