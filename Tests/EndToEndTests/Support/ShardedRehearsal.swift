import Foundation
import Results
import TestSupport
import Values

/// Shards of one profile as processes of this machine, which meet in a folder or where they are told, and their merge.
struct ShardedRehearsal: Sendable {
    struct Merge: Sendable {
        let end: ChildProcess.End
        /// Nil where there is nothing to judge.
        let document: ResultDocument?
        let file: URL?
    }

    static let runID = "r"

    let folder: TemporaryFolder
    let count: Int
    /// The options that say where they meet.
    let place: [String]
    private let profile: String

    init(_ profile: String, shards count: Int, place: [String]? = nil) throws {
        folder = try TemporaryFolder()
        self.count = count
        self.place = (place ?? ["--rendezvous", folder.file("rendezvous").path]) + ["--run-id", Self.runID]
        self.profile = try folder.write(profile, to: "profile.yaml")
    }

    var results: String { folder.file("results").path }

    /// Starts one of them, with a lead that a busy machine does not use up: by a shard that wakes late all refuse.
    func start(
        _ index: Int,
        _ more: [String] = [],
        environment: [String: String] = [:],
        isQuiet: Bool = true
    ) throws -> ChildProcess {
        let files = ["--results", results, "--intervals", intervalsFile(of: index), "--no-report"]
        let shard = ["run", profile, "--shard", "\(index)/\(count)", "--start-lead", "8s"]
        let arguments = shard + place + files + (isQuiet ? ["--quiet"] : []) + more
        return try ChildProcess(try PodswarmExecutable.path(), arguments, environment: environment)
    }

    func run() async throws -> [ChildProcess.End] {
        let shards = try (0..<count).map { try start($0) }
        var ends: [ChildProcess.End] = []
        for shard in shards { ends.append(try await shard.ended()) }
        return ends
    }

    func merge(_ more: [String] = []) async throws -> Merge {
        let arguments = ["merge", results, "--run-id", Self.runID, "--results", folder.file("merged").path]
        let end = try await PodswarmExecutable.run(arguments + ["--quiet", "--no-report"] + more)
        return try merge(end, in: "merged")
    }

    /// Merges what they told where they met.
    func mergeOfPlace() async throws -> Merge {
        let arguments = ["merge", "--results", folder.file("told").path, "--quiet", "--no-report"] + place
        return try merge(try await PodswarmExecutable.run(arguments), in: "told")
    }

    func watch(_ more: [String] = []) throws -> ChildProcess {
        let arguments = ["watch", "--results", folder.file("watched").path, "--no-report"] + place + more
        return try ChildProcess(try PodswarmExecutable.path(), arguments)
    }

    /// What whoever followed them came to.
    func watched(_ end: ChildProcess.End) throws -> Merge { try merge(end, in: "watched") }

    /// What became of all, where a shard made it.
    func merge(_ end: ChildProcess.End, in name: String) throws -> Merge {
        let file = folder.results(in: name).first { $0.lastPathComponent.hasSuffix("-merged.json") }
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
