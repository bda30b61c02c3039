import Foundation
import Results
import TestSupport
import Testing
import Values

/// A target that repeats every secret it is told, and makes more: none comes out of any output.
///
/// Over sockets, because pages are looked at while the run goes.
@Suite(.fewWaiting) struct IndiscreetTargetTests {
    /// What the profile takes from the environment, by the variable's name.
    private static let environment = [
        "VAULT": "QUIET-VAULT-7731", "CHANNEL": "whispered channel", "API_KEY": "Hush/Key+5512%",
        "NETWORK": "netw0rk-secret",
        "CLAIMS": "section=murmured&home=1", "BASIC": "Basic b3BlcmF0b3I6QkFTSUMtUEFTUy0zMzE3",
        "TOKEN_KEY": "signing-key-8842",
    ]

    /// What must not come out, in any letter case: the values, their words and spellings, and what the server makes itself.
    private static let secrets = [
        "QUIET-VAULT", "whispered", "Hush/Key", "Hush%2FKey", "Hush%252FKey", "netw0rk-secret", "murmured",
        "b3BlcmF0b3I6QkFTSUMtUEFTUy0zMzE3", "signing-key-8842", "9tQx7Lm2Vr4Zs8Kp1Ny6Wd3", "Hx4Kc9Rt2Wq7Bn5Vz8Md1Js6",
        "PEACHTREE", "COOKIE-CRUMB", "BASIC-PASS-3317", "hmac=",
    ]

    /// Findings that are told in words of the target's.
    private static let codes = ["not_a_playlist", "foreign_stream_id", "tag_malformed"]

    private typealias Outputs = [String: String]

    private static func leaks(in outputs: Outputs, sessions: [Substring]) -> [String] {
        outputs.sorted { $0.key < $1.key }.flatMap { name, text in
            let lowered = text.lowercased()
            let found =
                secrets.filter { lowered.contains($0.lowercased()) }
                + sessions.filter { text.contains($0.prefix(12)) }.map(String.init)
            return found.map { secret in
                let place = lowered.range(of: secret.lowercased().prefix(12))
                let around = place.map {
                    lowered[..<$0.lowerBound].suffix(80) + "<<<" + lowered[$0.lowerBound...].prefix(60)
                }
                return "\(secret) in \(name): \(around ?? "")"
            }
        }
    }

    @Test func nothingThatATargetRepeatsComesOutAnywhere() async throws {
        try await ForeignScript.serving("indiscreet") { port, server in
            let profile = try ForeignScript.profile("indiscreet", url: "http://127.0.0.1:\(port)")
            let rehearsal = try Rehearsal(profile)
            try rehearsal.folder.write(
                profile.replacing("adServer: http", with: "adServer: ${BASIC}http"),
                to: "broken.yaml"
            )
            var outputs = try await Self.watchedRun(rehearsal, before: server)
            let file = try #require(rehearsal.resultFiles.first)
            let document = try ResultDocument(json: Data(contentsOf: file))
            #expect(Set(Self.codes).isSubset(of: document.findings.map(\.code)), "\(document.findings.map(\.code))")
            #expect(document.requests["metadata"]?.errors ?? 0 > 0)
            outputs.merge(try await Self.commands(about: file, rehearsal, port: port)) { $1 }
            let sessions = server.output.split(separator: "\n").dropFirst()
            #expect(sessions.count >= 12)
            #expect(outputs.count > 20)
            #expect(outputs.values.allSatisfy { !$0.isEmpty })
            let leaks = Self.leaks(in: outputs, sessions: Array(sessions))
            #expect(leaks == [], "\(leaks.joined(separator: "\n"))")
        }
    }

    /// Runs while others look on: what both see, and all files that are left.
    private static func watchedRun(_ rehearsal: Rehearsal, before server: ChildProcess) async throws -> Outputs {
        let exports = [
            "junit=junit.xml", "markdown=summary.md", "csv=seconds.csv", "hlog=log.hlog", "iab=streams.json",
        ]
        let run = try rehearsal.start(
            [
                "--metrics", "127.0.0.1:0", "--dashboard", "127.0.0.1:0", "--keep-journal",
                "--intervals",
                "\(rehearsal.folder.path)/intervals.jsonl",
            ] + exports.flatMap { ["--output", $0.replacing("=", with: "=\(rehearsal.folder.path)/")] },
            environment: environment
        )
        try await run.wait(for: "URLs") { $0.errors.contains("Metrics: ") && $0.errors.contains("Dashboard: ") }
        func url(_ name: String) throws -> String {
            let line = run.errors.split(separator: "\n").first { $0.hasPrefix(name) }
            return String(try #require(line).dropFirst(name.count))
        }
        let (metrics, dashboard) = (try url("Metrics: "), try url("Dashboard: "))
        var seen: Outputs = [:]
        // The run goes on until everybody was served and all is seen.
        try await run.wait(for: "findings") { _ in
            let page = try await PageClient(base: metrics).get("").body
            seen["metrics"] = page
            // Codes that were not found are there with 0.
            let found = page.split(separator: "\n").filter { $0.hasPrefix("podswarm_findings{") && !$0.hasSuffix(" 0") }
            return codes.allSatisfy { code in found.contains { $0.contains("\"\(code)\"") } }
                && server.output.count { $0 == "\n" } > 12
        }
        seen["dashboard"] = try await PageClient(base: dashboard).get("").body
        seen["events"] = try await ExternalTool.bash.run(
            [
                "-c",
                """
                exec 3<>/dev/tcp/${0}; printf 'GET /events HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "${0/\\//:}" >&3
                events=0
                while ((events < 3)) && IFS= read -r -t 180 line <&3; do
                    printf '%s\\n' "$line"
                    [[ $line != data:* ]] || ((++events))
                done
                true
                """,
                host(of: dashboard),
            ]
        ).output
        #expect(seen["events"]?.contains("\ndata:") == true, "\(seen["events"] ?? "")")
        run.send(SIGINT)
        let end = try await run.ended()
        #expect(end.status == 130, "\(end.output)\(end.errors)")
        (seen["output"], seen["errors"]) = (end.output, end.errors)
        let files =
            rehearsal.folder.files(in: "results")
            + exports.compactMap {
                $0.split(separator: "=").last.map { rehearsal.folder.file(String($0)) }
            }
        for file in files + [rehearsal.folder.file("intervals.jsonl")] {
            seen[file.lastPathComponent] = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
        return seen
    }

    private static func host(of url: String) -> String {
        String(url.dropFirst("http://".count).prefix { $0 != "/" }).replacing(":", with: "/")
    }

    /// What all other commands say of the result, of the profile and of the target.
    private static func commands(about result: URL, _ rehearsal: Rehearsal, port: Substring) async throws -> Outputs {
        let folder = result.deletingLastPathComponent().path
        let channel =
            "http://operator:BASIC-PASS-3317@127.0.0.1:\(port)/vault/master.m3u8?channel=public&token=whispered"
        let broken = rehearsal.profile.replacing("profile.yaml", with: "broken.yaml")
        let lint = [channel, "--header", "X-Api-Key: Hush/Key+5512%"]
        let commands: [[String]] =
            [
                ["check", rehearsal.profile, "--patience", "8s", "--exchange", "--har", "-"],
                ["plan", rehearsal.profile], ["plan", rehearsal.profile, "--json"],
                ["profile", "validate", rehearsal.profile], ["profile", "validate", broken], ["run", broken],
                ["lint"] + lint, ["lint"] + lint + ["--format", "json"], ["lint"] + lint + ["--follow", "5s"],
                ["result", "show", result.path], ["report", result.path, "--output", "-"],
                ["compare", "--base", result.path, "--candidate", result.path], ["trend", folder],
            ]
            + ["junit", "markdown", "csv", "hlog", "iab", "prometheus"].map {
                ["result", "export", result.path, "--format", $0]
            }
        var outputs: Outputs = [:]
        for command in commands {
            let end = try await PodswarmExecutable.run(command, environment: environment)
            #expect(end.status != 70 && !end.isSignal, "\(command): \(end.errors)")
            outputs[
                command.joined(separator: " ").replacing(channel, with: "URL").replacing("Hush/Key+5512%", with: "KEY")
            ] =
                end.output + end.errors
        }
        return outputs
    }
}
