import Foundation
import TestSupport
import Testing

/// The examples of `Profiles/ci`: the script does what it says, and the workflows use it as it is.
@Suite(.fewAtOnce) struct PullRequestExampleTests {
    private static let folder = PackageFolder.file("Profiles/ci")

    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        for name in ["base", "candidate"] {
            try home.write(Self.profile(name), to: "\(name).yaml")
        }
    }

    /// A break that everybody has within six seconds.
    ///
    /// What a busy machine brings about is not judged.
    private static func profile(_ name: String, faults: String = "") -> String {
        """
        name: \(name)
        duration: 6s
        seed: 7
        target: {embedded: {segmentDuration: 1s, adDuration: 1s\(faults)}}
        audience: {viewers: 5, ramp: 100ms}
        breaks: {source: {every: 3s}, podDuration: 1s, grace: 3s}
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
        thresholds: [breaks.on_time >= 0%]
        allowFindings: [\(StarvedMachine.findings.sorted().joined(separator: ", "))]
        """
    }

    private func rehearse(_ more: [String: String] = [:]) async throws -> ChildProcess.End {
        let environment = [
            "PODSWARM": try PodswarmExecutable.path(), "PODSWARM_RUNS": "2",
            "PODSWARM_REPORT": home.file("report").path,
        ]
        return try await ExternalTool.bash.run(
            [
                Self.folder.appending(path: "rehearse.sh").path, home.file("base.yaml").path,
                home.file("candidate.yaml").path,
            ],
            environment: environment.merging(more) { $1 },
            limit: .seconds(180)
        )
    }

    private func report(_ name: String) throws -> String {
        try String(contentsOf: home.file("report/\(name)"), encoding: .utf8)
    }

    @Test func aPullRequestHasItsCommentItsJUnitAndItsPage() async throws {
        let end = try await rehearse(["PODSWARM_UNDECIDED": "33"])
        // Two runs a side decide nothing but what is plainly new.
        #expect(end.status == 33, "\(end.output)\(end.errors)")
        let comment = try report("comment.md")
        #expect(comment.hasPrefix("### podswarm: ❔ inconclusive\n"))
        #expect(comment.contains("release=candidate (2 runs) against release=base (2 runs)"))
        // What GitHub takes, and what a screen does.
        #expect(comment.utf8.count < 65_536)
        let open = comment.split(separator: "<details>").first ?? ""
        #expect(open.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
        #expect(try report("junit.xml").contains("<testsuites"))
        #expect(try report("index.html").contains("</html>"))
        #expect(home.files(in: "report/runs").count == 2)
        #expect(home.results(in: "report/results").count == 4)
        // What one candidate left is no part of the next one's verdict.
        let again = try await rehearse()
        #expect(again.status == 2, "\(again.output)")
        #expect(again.errors.contains("report is not empty: remove it"), "\(again.errors)")
        #expect(home.results(in: "report/results").count == 4)
        #expect(try report("comment.md") == comment)
    }

    @Test func aCandidateThatIsWrongFailsTheJob() async throws {
        try home.write("- {fault: empty_pod}\n", to: "faults.yaml")
        try home.write(Self.profile("candidate", faults: ", faults: faults.yaml"), to: "candidate.yaml")
        let end = try await rehearse(["PODSWARM_UNDECIDED": "0"])
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        #expect(try report("comment.md").contains("empty_pod"))
    }

    @Test func aMistakeIsSaidAndNothingIsWritten() async throws {
        try home.write("name: candidate\nno: profile\n", to: "candidate.yaml")
        let end = try await rehearse()
        #expect(end.status == 2, "\(end.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.file("report/comment.md").path))
    }

    /// Every file that a workflow publishes is one that the script writes, and every option one that it has.
    @Test func theWorkflowsUseTheScriptAsItIs() async throws {
        let script = """
            import re, sys, yaml
            class Loader(yaml.SafeLoader): pass
            # "on" is a key of GitHub's and no truth value.
            Loader.yaml_implicit_resolvers = {
                first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool"]
                for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
            }
            texts = [open(path).read() for path in sys.argv[1:]]
            github, gitlab = (yaml.load(text, Loader) for text in texts)
            assert github["on"] == "pull_request" and github["permissions"]["pull-requests"] == "write"
            steps = github["jobs"]["rehearse"]["steps"]
            assert all(("run" in step) != ("uses" in step) for step in steps)
            # Reports are published of a job that failed, too.
            assert all(step["if"] == "always()" for step in steps[2:])
            job = gitlab["rehearse"]
            assert job["artifacts"]["when"] == "always" and job["allow_failure"]["exit_codes"] == [3]
            for text in texts:
                assert "loadtest/rehearse.sh loadtest/base.yaml loadtest/candidate.yaml" in text
                print(*sorted(set(re.findall("podswarm-report/?[a-z.*/]*", text))), sep="\\n")
                print(*sorted(set(re.findall("PODSWARM_[A-Z]+", text))), sep="\\n")
            """
        let files = ["github-workflow.yml", "gitlab-ci.yml"].map { Self.folder.appending(path: $0).path }
        let names = Set(
            String(decoding: try await ExternalTool.python(script, files), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        )
        #expect(
            names.subtracting([
                "podswarm-report", "podswarm-report/", "podswarm-report/comment.md", "podswarm-report/junit.xml",
                "podswarm-report/runs/*.xml", "PODSWARM_RUNS", "PODSWARM_UNDECIDED", "PODSWARM_COMMENT",
            ]) == []
        )
        let text = try String(contentsOf: Self.folder.appending(path: "rehearse.sh"), encoding: .utf8)
        for name in ["PODSWARM_RUNS", "PODSWARM_UNDECIDED", "$report/comment.md", "$report/junit.xml", "$report/runs/"]
        {
            #expect(text.contains(name), "\(name)")
        }
    }
}
