import Foundation
import TestSupport

/// A folder of results as nights leave them: four profiles, a release every twelve nights, now and then a failure.
struct LibraryFolder {
    let folder: TemporaryFolder
    /// Empty, so that nothing is left in the user's own.
    let caches: TemporaryFolder

    static let profiles = ["final", "kick-off", "nightly", "quick"]

    /// - Parameters:
    ///   - nights: Each has a run of every profile.
    ///   - pages: Whether each run has a page beside it; it says no more than that.
    /// - Throws: What Foundation says.
    init(nights: Int, pages: Bool = false) throws {
        folder = try TemporaryFolder()
        caches = try TemporaryFolder()
        let history = try ResultHistory()
        for profile in Self.profiles {
            try FileManager.default.createDirectory(at: folder.file(profile), withIntermediateDirectories: true)
        }
        for night in 0..<nights {
            let isSlow = night >= nights / 3 && night < nights / 2
            let noise = [0.00, 0.03, -0.02, 0.015, -0.03, 0.01, -0.01, 0.02, -0.015, 0.005, -0.025][night * 7 % 11]
            for (number, profile) in Self.profiles.enumerated() {
                let json = try history.json(
                    night,
                    release: "1.\(night / 12)",
                    factor: (isSlow ? 1.4 : 1) * (1 + noise)
                ) { document in
                    document["series"] = nil
                    ResultHistory.edit(&document, "run") { run in
                        run["profile"] = profile
                        run["started_at_us"] = (run["started_at_us"] as? Int64 ?? 0) + Int64(number) * 600_000_000
                        run["interrupted"] = false
                    }
                    ResultHistory.edit(&document, "health") { health in
                        health["within_budget"] = true
                        health["suspect"] = false
                    }
                    if (night + number) % 19 == 0 {
                        document["verdict"] =
                            [
                                "exit_code": 1, "outcome": "failed",
                                "reasons": ["breaks.on_time >= 99%: observed 96.97%"],
                            ]
                            as ResultHistory.Fields
                    }
                }
                try folder.write(json, to: "\(profile)/\(night).json")
                if pages { try folder.write("<!doctype html>", to: "\(profile)/\(night).html") }
            }
        }
    }

    /// Runs `podswarm results` there.
    func results(_ arguments: [String]) async throws -> ChildProcess.End {
        try await PodswarmExecutable.run(["results"] + arguments, environment: environment)
    }

    var environment: [String: String] { ["XDG_CACHE_HOME": caches.path] }

    /// Writes the page of all runs.
    func index(_ options: [String] = []) async throws -> URL {
        let end = try await results(["index", folder.path] + options)
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        return folder.file("index.html")
    }

    /// Serves the folder while the body goes on.
    func serving<Outcome>(_ body: (_ url: String) async throws -> Outcome) async throws -> Outcome {
        let server = try ChildProcess(
            try PodswarmExecutable.path(),
            ["results", "serve", folder.path, "--listen", "127.0.0.1:0"],
            environment: environment
        )
        do {
            try await server.wait(for: "URL", within: .seconds(30)) { $0.errors.contains("Results: http://") }
            let said = server.errors.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\//)
            let outcome = try await body(said.map { String($0.output) } ?? "")
            server.send(SIGINT)
            _ = try await server.ended(within: .seconds(30))
            return outcome
        } catch {
            server.kill()
            _ = try? await server.ended(within: .seconds(30))
            throw error
        }
    }
}
