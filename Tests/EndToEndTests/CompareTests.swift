import Foundation
import TestSupport
import Testing

/// `podswarm compare` over result files, as a user meets it.
@Suite(.fewAtOnce) struct CompareTests {
    /// Five results of each release, the second with all latencies multiplied.
    private func results(factor: Double, change: (inout [String: Any]) -> Void = { _ in }) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let spread = [1, 1.02, 0.98, 1.01, 0.99]
        for (side, release) in ["1.4.1", "1.4.2"].enumerated() {
            let name = "results/\(release)"
            let path = folder.url.appending(path: name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            for (number, noise) in spread.enumerated() {
                var result = try Self.result(
                    release,
                    start: Int64(2 * number + side),
                    factor: side == 0 ? noise : noise * factor
                )
                if side == 1 { change(&result) }
                try folder.write(JSONSerialization.data(withJSONObject: result), to: "\(name)/\(number).json")
            }
        }
        return folder
    }

    /// The result that Measurement's tests pin, as another run.
    private static func result(_ release: String, start: Int64, factor: Double) throws -> [String: Any] {
        let file = GoldenFile.result
        var result = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        var run = try #require(result["run"] as? [String: Any])
        run["started_at_us"] = 1_795_291_200_000_000 + start * 600_000_000
        run["labels"] = ["release": release]
        result["run"] = run
        var requests = try #require(result["requests"] as? [String: [String: Any]])
        for (kind, request) in requests {
            var latencies = try #require(request["latencies"] as? [String: [String: Any]])
            for (metric, latency) in latencies {
                for percentile in ["p50_us", "p95_us", "p99_us"] {
                    let figure = try #require(latency[percentile] as? NSNumber)
                    // The pinned run is of a few milliseconds, where the floor alone would decide.
                    latencies[metric]?[percentile] = Int64(figure.doubleValue * 20 * factor)
                }
            }
            requests[kind]?["latencies"] = latencies
        }
        result["requests"] = requests
        return result
    }

    private func compare(_ folder: TemporaryFolder, _ more: [String] = []) async throws -> ChildProcess.End {
        let sides = ["label:release=1.4.1", "--against", "label:release=1.4.2"]
        return try await PodswarmExecutable.run(["compare"] + sides + ["--results", folder.path] + more)
    }

    @Test func equalReleasesPass() async throws {
        let end = try await compare(try results(factor: 1.001))
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.errors == "")
        #expect(end.output.hasPrefix("base: release=1.4.1: 5 runs, profile "))
        #expect(end.output.contains("\nNO REGRESSION within the margins (exit 0)\n"))
        #expect(end.output.contains("playlist.response.p99"))
    }

    @Test func aSlowerReleaseFailsInEveryForm() async throws {
        let folder = try results(factor: 1.3)
        try folder.write("{}", to: "results/1.4.2/notes.json")
        let json = folder.url.appending(path: "comparison.json")
        let markdown = folder.url.appending(path: "comparison.md")
        let sides = ["results/1.4.1", "results/1.4.2"].map { folder.url.appending(path: $0).path }
        let end = try await PodswarmExecutable.run(
            ["compare", sides[0], "--against", sides[1], "--json", json.path, "--markdown", markdown.path]
        )
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        #expect(end.output.contains("\nREGRESSION (exit 1)\n"))
        #expect(end.output.contains("Left aside"))
        #expect(end.output.contains("notes.json"))
        #expect(try String(contentsOf: markdown, encoding: .utf8).hasPrefix("### podswarm: ❌ regression\n"))
        #expect(try await PrintedSchema.complaints(by: "--comparison", about: Data(contentsOf: json)) == "")
    }

    @Test func aMachineReadsTheDocumentFromStandardOutput() async throws {
        let end = try await compare(try results(factor: 1.3), ["--json", "-"])
        #expect(end.status == 1)
        let parsed = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
        let verdict = try #require(parsed?["verdict"] as? [String: Any])
        #expect(verdict["outcome"] as? String == "regression")
        #expect(verdict["exit_code"] as? Int == 1)
    }

    @Test func unlikeProfilesAreRefusedUnlessTheUserInsists() async throws {
        let folder = try results(factor: 1) { result in
            guard var run = result["run"] as? [String: Any] else { return }
            run["profile_digest"] = "sha256:00"
            result["run"] = run
        }
        let refused = try await compare(folder)
        #expect(refused.status == 3)
        #expect(refused.output.contains("NOT COMPARABLE (exit 3)"))
        #expect(refused.output.contains("profile_digest differs: base sha256:"))
        let insisted = try await compare(folder, ["--allow-different", "profile"])
        #expect(insisted.status == 0, "\(insisted.output)")
        #expect(insisted.output.contains("(--allow-different profile)"))
    }

    @Test func aResultOfAnotherVersionIsRefusedByName() async throws {
        let folder = try results(factor: 1)
        try folder.write(#"{"schema": "podswarm.result", "schema_version": 99}"#, to: "results/1.4.1/new.json")
        let sides = ["results/1.4.1", "results/1.4.2"].map { folder.url.appending(path: $0).path }
        let end = try await PodswarmExecutable.run(["compare", sides[0], "--against", sides[1]])
        #expect(end.status == 3)
        let told = end.output.replacing(#/\s+/#, with: " ")
        #expect(told.contains("new.json: its schema version is 99"), "\(end.output)")
    }

    @Test func theUsersMarginIsTheOneThatCounts() async throws {
        let folder = try results(factor: 1.3)
        let metrics = ["pod_manifest.response.p50", "pod_manifest.response.p99", "playlist.response.p99"]
        let margins = metrics.flatMap { ["--margin", "\($0)=50"] }
        let end = try await compare(folder, margins)
        #expect(end.status == 0, "\(end.output)")
    }
}
