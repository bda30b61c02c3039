import Foundation
import TestSupport
import Testing

/// `podswarm trend` on result files, and Apache Otava on the table that it writes.
@Suite(.fewAtOnce) struct TrendTests {
    private struct Trend: Decodable {
        struct Metric: Decodable {
            struct ChangePoint: Decodable { var index: Int }
            var metric: String
            var verdict: String
            var changePoints: [ChangePoint]

            enum CodingKeys: String, CodingKey {
                case metric
                case verdict
                case changePoints = "change_points"
            }
        }
        var metrics: [Metric]
    }

    /// What `otava analyze --output json` prints: by test, the runs at which anything changed.
    private struct OtavaChange: Decodable {
        struct Metric: Decodable {
            var metric: String
            var percent: String

            enum CodingKeys: String, CodingKey {
                case metric
                case percent = "forward_change_percent"
            }
        }
        var attributes: [String: String]
        var changes: [Metric]
    }

    /// The first night of a release that takes a third more.
    private static let planted = 25

    private static func factor(_ night: Int) -> Double {
        let noise = [0.00, 0.03, -0.02, 0.015, -0.03, 0.01, -0.01, 0.02, -0.015, 0.005, -0.025]
        return (night >= planted ? 1.33 : 1) * (1 + noise[night * 7 % noise.count])
    }

    private static func folder(nights: Int, last: Double = 1) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let history = try ResultHistory()
        for night in 0..<nights {
            let factor = Self.factor(night) * (night == nights - 1 ? last : 1)
            let release = night >= planted ? "1.5.0" : "1.4.9"
            try folder.write(history.json(night, release: release, factor: factor), to: "\(night).json")
        }
        return folder
    }

    @Test func apacheOtavaFindsThePlantedStepInTheTable() async throws {
        let folder = try Self.folder(nights: 40)
        let outputs = try TemporaryFolder()
        let files = ["csv", "json", "yaml"].map { "\(outputs.path)/history.\($0)" }
        let end = try await PodswarmExecutable.run([
            "trend", folder.path, "--csv", files[0], "--json", files[1], "--otava-config", files[2],
        ])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let trend = try JSONDecoder().decode(Trend.self, from: Data(contentsOf: URL(filePath: files[1])))
        let ours = try #require(trend.metrics.first { $0.metric == "pod_manifest.response.p99" })
        #expect(ours.changePoints.map(\.index) == [Self.planted])

        let script = "import sys; from otava.main import main; sys.exit(main())"
        let output = try await ExternalTool.python(
            script,
            ["analyze", "--config-file", files[2], "--since", "2026-01-01", "--output", "json", "quick"],
            limit: .seconds(120)
        )
        let found = try JSONDecoder().decode([String: [OtavaChange]].self, from: output)
        let changes = try #require(found["quick"])
        #expect(changes.count == 1)
        let change = try #require(changes.first)
        #expect(change.attributes["release"] == "1.5.0")
        #expect(change.attributes["commit"] == "c\(Self.planted)")
        let theirs = try #require(change.changes.first { $0.metric == "pod_manifest.response.p99" })
        #expect((30...36).contains(try #require(Double(theirs.percent))), "\(theirs.percent)")
        #expect(!change.changes.contains { $0.metric == "playlist.response.p99" })
    }

    @Test func aWorseNewestRunFailsAndIsNamed() async throws {
        let folder = try Self.folder(nights: 20, last: 1.5)
        let end = try await PodswarmExecutable.run(["trend", folder.path])
        #expect(end.status == 1, "\(end.errors)")
        #expect(end.output.contains("WORSE THAN THE RUNS BEFORE (exit 1)"))
        #expect(end.output.contains("pod_manifest.response.p99 is worse"))
    }

    @Test func fewRunsDecideNothing() async throws {
        let folder = try Self.folder(nights: 4)
        let end = try await PodswarmExecutable.run(["trend", folder.path])
        #expect(end.status == 3, "\(end.output)\(end.errors)")
        #expect(end.output.contains("TOO FEW RUNS TO TELL (exit 3)"))
    }

    @Test func otherProfilesAndUncertainRunsAreNamed() async throws {
        let folder = try Self.folder(nights: 12)
        let history = try ResultHistory()
        let other = try history.json(0, release: "1", factor: 1) { document in
            ResultHistory.edit(&document, "run") { $0["profile_digest"] = "sha256:77" }
        }
        let limited = try history.json(3, release: "1", factor: 1) { document in
            ResultHistory.edit(&document, "health") { health in
                health["within_budget"] = false
                health["reasons"] = ["loop delay above 10 ms"]
            }
        }
        try folder.write(other, to: "other.json")
        try folder.write(limited, to: "3.json")
        try folder.write("{}", to: "foreign.json")
        let end = try await PodswarmExecutable.run(["trend", folder.path])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let told = end.output.replacing(#/\s+/#, with: " ")
        #expect(told.contains("3.json: client-limited: loop delay above 10 ms"), "\(end.output)")
        #expect(told.contains("foreign.json: "))
        #expect(told.contains("sha256:77: 1 run"))
        let followed = try await PodswarmExecutable.run(["trend", folder.path, "--digest", "77"])
        #expect(followed.status == 3)
        let unknown = try await PodswarmExecutable.run(["trend", folder.path, "--digest", "abc"])
        #expect(unknown.status == 2)
        #expect(try await PodswarmExecutable.run(["trend", folder.path, "--otava-config", "x"]).status == 2)
        #expect(try await PodswarmExecutable.run(["trend", folder.path, "--gate", "bogus"]).status == 2)
    }
}
