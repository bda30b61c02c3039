import Foundation
import TestSupport

/// A folder of results as nights leave them: four profiles, a release every twelve nights, now and then a failure.
struct LibraryFolder {
    let folder: TemporaryFolder

    init(nights: Int) throws {
        folder = try TemporaryFolder()
        try Self.write(to: folder, nights: nights)
    }

    static func write(to folder: TemporaryFolder, nights: Int) throws {
        let history = try ResultHistory()
        for (number, profile) in ["final", "kick-off", "nightly", "quick"].enumerated() {
            for night in 0..<nights {
                let isSlow = night >= nights / 3 && night < nights / 2
                var changes: [String: Any?] = [
                    "series": nil, "run.profile": profile, "run.interrupted": false, "health.within_budget": true,
                    "health.suspect": false,
                    "run.started_at_us": ResultHistory.start + Int64(night) * 86_400_000_000 + Int64(number)
                        * 600_000_000,
                ]
                if (night + number) % 19 == 0 {
                    let reasons = ["breaks.on_time >= 99%: observed 96.97%"]
                    changes["verdict"] = ["exit_code": 1, "outcome": "failed", "reasons": reasons] as [String: Any]
                }
                let json = try history.json(
                    night,
                    release: "1.\(night / 12)",
                    factor: (isSlow ? 1.4 : 1) * ResultHistory.noise(night),
                    changes
                )
                try folder.write(json, to: "\(profile)/\(night).json")
            }
        }
    }

    func index() async throws -> URL {
        _ = try await PodswarmExecutable.run(["results", "index", folder.path]).succeeded()
        return folder.file("index.html")
    }

    func serving<Outcome: Sendable>(_ body: (_ url: String) async throws -> Outcome) async throws -> Outcome {
        let server = try ChildProcess(
            try PodswarmExecutable.path(),
            ["results", "serve", folder.path, "--listen", "127.0.0.1:0"]
        )
        return try await server.stopped {
            try await server.wait(for: "URL") { $0.errors.contains("Results: http://") }
            let said = server.errors.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\//)
            return try await body(said.map { String($0.output) } ?? "")
        }
    }
}
