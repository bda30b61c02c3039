import Foundation
import Results
import Values

/// Run of a profile with the `podswarm` beside this program.
struct ProfileRun {
    let profile: String
    let viewers: Int
    /// nil: as the profile says.
    let seconds: Int?
    /// Real time, not virtual time.
    var overSockets = false
    var command = "run"

    private static let virtualStart = "2026-11-21T20:00:00Z"

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("podswarm-runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    static var executable: String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return own.deletingLastPathComponent().appendingPathComponent("podswarm").path
    }

    /// Accepts any exit status; throws `BenchmarkError` without a result.
    func result(_ settings: [String], in folder: URL) throws -> ResultDocument {
        var arguments = ["podswarm", command, profile, "--viewers", "\(viewers)"]
        if !overSockets { arguments += ["--virtual-time", Self.virtualStart] }
        if let seconds { arguments += ["--duration", "\(seconds)s"] }
        arguments += settings + ["--results", folder.path, "--quiet", "--no-report"]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let child = try ChildProcess(Self.executable, arguments, in: folder)
        var ending: BenchmarkError?
        do throws(BenchmarkError) {
            _ = try child.wait(atMostSeconds: (seconds ?? Self.longestSeconds) + 120)
        } catch {
            ending = error
        }
        do {
            return try ResultDocument.only(in: folder)
        } catch {
            throw ending.map { $0 as any Error } ?? error
        }
    }

    private static let longestSeconds = 3_600
}

extension ResultDocument {
    /// The only result of a folder; throws `BenchmarkError` without one.
    static func only(in folder: URL) throws -> ResultDocument {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        // Results lie in subfolders of their profiles.
        let results = files?.compactMap { $0 as? URL }.filter {
            $0.pathExtension == "json" && $0.deletingLastPathComponent().path != folder.path
        }
        guard let file = results?.first else { throw BenchmarkError.file("podswarm wrote no result") }
        return try ResultDocument(json: Data(contentsOf: file))
    }
}
