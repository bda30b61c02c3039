import Foundation
import RunResult
import TestSupport

/// Shards of one profile as processes of this machine, which meet in a folder, and their merge.
struct ShardedRehearsal: Sendable {
    /// What a merge came to.
    struct Merge: Sendable {
        let end: ChildProcess.End
        /// Nil where there is nothing to judge.
        let document: ResultDocument?
        let file: URL?
    }

    static let runID = "r"

    let folder: TemporaryFolder
    let count: Int
    private let profile: String

    /// - Parameters:
    ///   - profile: What all run together.
    ///   - count: How many shards share it.
    /// - Throws: What Foundation says.
    init(_ profile: String, shards count: Int) throws {
        folder = try TemporaryFolder()
        self.count = count
        self.profile = try folder.write(profile, to: "profile.yaml")
    }

    var results: String { folder.file("results").path }

    /// Starts one of them.
    func start(_ index: Int, _ more: [String] = []) throws -> ChildProcess {
        let place = ["--rendezvous", folder.file("rendezvous").path, "--run-id", Self.runID, "--start-lead", "2s"]
        let files = ["--results", results, "--intervals", intervalsFile(of: index), "--quiet", "--no-report"]
        let arguments = ["run", profile, "--shard", "\(index)/\(count)"] + place + files + more
        return try ChildProcess(try PodswarmExecutable.path(), arguments)
    }

    /// Starts all of them, and returns how each ended.
    func run(limit: Duration = .seconds(90)) async throws -> [ChildProcess.End] {
        let shards = try (0..<count).map { try start($0) }
        var ends: [ChildProcess.End] = []
        for shard in shards { ends.append(try await shard.ended(within: limit)) }
        return ends
    }

    /// Merges what there is, whatever it is.
    func merge() async throws -> Merge {
        let arguments = ["merge", results, "--run-id", Self.runID, "--results", folder.file("merged").path]
        let end = try await PodswarmExecutable.run(arguments + ["--quiet", "--no-report"])
        let file = folder.results(in: "merged").first
        return Merge(end: end, document: try file.map { try ResultDocument(json: Data(contentsOf: $0)) }, file: file)
    }

    /// The result of a shard that came to its end.
    func resultFile(of index: Int) -> URL? {
        folder.results(in: "results").first { $0.lastPathComponent.contains("-shard-\(index)-of-") }
    }

    /// What a shard had told of, second by second.
    func lines(of index: Int) throws -> [KilledRun.Line] { try KilledRun.Line.all(in: intervalsFile(of: index)) }

    private func intervalsFile(of index: Int) -> String { folder.file("intervals-\(index)").path }
}
