import Comparison
import Foundation

/// One `podswarm run` of a few seconds, as a child, with its result.
struct ShortRun {
    /// The executable beside this one.
    let executable: String
    let profile: URL
    /// nil leaves it to the scheduler, which has an origin to place too.
    let core: Int?
    let seconds: Int

    /// Finds the executable and writes the profile.
    init(_ profile: String, named name: String, seconds: Int, core: Int?, in folder: URL) throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        executable = own.deletingLastPathComponent().appendingPathComponent("podswarm").path
        guard access(executable, X_OK) == 0 else {
            throw BenchmarkError.file("there is no podswarm beside \(own.lastPathComponent): build it too")
        }
        self.profile = folder.appendingPathComponent("\(name).yaml")
        self.core = core
        self.seconds = seconds
        try Data(profile.utf8).write(to: self.profile)
    }

    /// Runs to the end; nil where the generator was the limit, which says nothing of the target.
    func figures() throws -> RunFigures? {
        try resultFile().map { try RunFigures(json: Data(contentsOf: $0), path: $0.path) }
    }

    /// The same, as the file that was written.
    func resultFile() throws -> URL? {
        let folder = profile.deletingPathExtension().appendingPathExtension(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = ["run", profile.path, "--results", folder.path, "--quiet"]
        let child = try start(arguments, in: folder)
        do {
            _ = try child.wait(atMostSeconds: seconds + 60)
        } catch {
            guard case .failed(_, Self.clientLimited, _) = error else { throw error }
            return nil
        }
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        guard let file = files?.compactMap({ $0 as? URL }).first(where: { $0.pathExtension == "json" }) else {
            throw BenchmarkError.file("podswarm wrote no result")
        }
        return file
    }

    private func start(_ arguments: [String], in folder: URL) throws(BenchmarkError) -> ChildProcess {
        guard let core else { return try ChildProcess(executable, ["podswarm"] + arguments, in: folder) }
        let pinned = ["taskset", "-c", "\(core)", executable] + arguments
        return try ChildProcess(try Tool.taskset.path(), pinned, in: folder)
    }

    /// Of a run that was not decidable.
    private static let clientLimited = ChildEnding.exited(status: 3)
}
