import Comparison
import Console
import Foundation
import Rulebook
import RunResult

/// Finds and reads the results that files, folders and labels on the command line stand for.
struct ResultReader: Sendable {
    /// What was found, in the order of the paths.
    struct Found: Sendable {
        var runs: [RunFigures] = []
        /// JSON files that are no results.
        var skipped: [Comparability.SkippedFile] = []
        /// Results that cannot be read.
        var unreadable: [Comparability.UnfitRun] = []
    }

    /// Where results with a label are looked for.
    let results: String
    /// Names of distributions to read whole, such as `pod_manifest.response`.
    let distributions: Set<String>

    /// Reads everything that the inputs stand for.
    ///
    /// - Parameter inputs: Files, folders, or `label:NAME=VALUE`.
    /// - Returns: Runs, and what was passed over.
    /// - Throws: `CommandFailure` for an input that stands for nothing.
    func read(_ inputs: [String]) async throws -> Found {
        var all = Found()
        for input in inputs {
            let found = try await read(input)
            all.runs += found.runs
            all.skipped += found.skipped
            all.unreadable += found.unreadable
        }
        return all
    }

    private func read(_ input: String) async throws -> Found {
        if input.hasPrefix("label:") { return try await labelled(input) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: input, isDirectory: &isFolder) else {
            throw CommandFailure(.badInput, "\(input): no such file or folder")
        }
        let found = await read(paths: isFolder.boolValue ? Self.files(below: input) : [input])
        if !isFolder.boolValue, let skipped = found.skipped.first {
            throw CommandFailure(.badInput, "\(input): \(skipped.reason)")
        }
        guard !found.runs.isEmpty || !found.unreadable.isEmpty else {
            throw CommandFailure(.badInput, "\(input): no results in this folder")
        }
        return found
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
        let found = await read(paths: Self.files(below: results))
        let runs = found.runs.filter { $0.run.labels[String(parts[0])] == String(parts[1]) }
        guard !runs.isEmpty else {
            throw CommandFailure(.badInput, "\(input): no result below \(results) has this label")
        }
        return Found(runs: runs)
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
                case .skipped(let file): found.skipped.append(file)
                case .unreadable(let run): found.unreadable.append(run)
                }
            }
        }
    }

    private enum Outcome: Sendable {
        case run(RunFigures)
        case skipped(Comparability.SkippedFile)
        case unreadable(Comparability.UnfitRun)
    }

    private func outcome(of path: String) -> Outcome {
        do {
            let data = try ResultFile.contents(of: path)
            return .run(try RunFigures(json: data, path: path, distributions: distributions))
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
}
