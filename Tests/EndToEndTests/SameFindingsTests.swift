import Foundation
import Results
import TestSupport
import Testing

/// One rule, one severity: `lint`, `check` and `run` find the same in the same channel.
///
/// Over sockets, because versions come with time; all looks go side by side, each with a beginning of its own.
@Suite(.fewWaiting) struct SameFindingsTests {
    /// Scenarios of `versions.py`, and a code that is found in each; nil where nothing above advice is.
    private static let scenes: [(path: String, code: String?)] = [
        ("spelt/a.m3u8", nil), ("plain/a.m3u8", nil), ("key/a.m3u8", "segment_attributes_changed"),
        ("steered/main.m3u8", nil), ("unversioned/main.m3u8", "steering_unavailable"),
        ("worded/main.m3u8", "steering_manifest_invalid"), ("strange/main.m3u8", "steering_pathway_unknown"),
        ("cloned/main.m3u8", "steering_pathway_unknown"), ("signed/a.m3u8", "date_range_signed_anew"),
        ("resigned/a.m3u8", "date_range_changed"),
    ]

    @Test func eachCommandFindsTheSame() async throws {
        try await ForeignScript.serving("versions") { port, _ in
            try await withThrowingTaskGroup { group in
                for scene in Self.scenes {
                    group.addTask { try await Self.expectTheSame(scene.path, scene.code, "http://127.0.0.1:\(port)/") }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func expectTheSame(_ path: String, _ code: String?, _ server: String) async throws {
        func address(_ command: String) -> String { server + path.replacing("/", with: "-\(command)/") }
        async let linted = codes(ofLint: address("lint"))
        async let checked = codes(ofCheck: address("check"))
        async let ran = Rehearsal(profile(address("run"))).run().document.findings.map(\.code)
        let (lint, check, run) = try await (ofTarget(linted, code), ofTarget(checked, code), ofTarget(ran, code))
        let told = Comment(rawValue: "\(path): lint \(lint.sorted()), check \(check.sorted()), run \(run.sorted())")
        #expect(lint == check && lint == run, told)
        #expect(code.map(lint.contains) ?? true, told)
    }

    /// Without what a starved machine brings about by itself.
    private static func ofTarget(_ codes: [String], _ wanted: String?) -> Set<String> {
        Set(codes.filter { $0 == wanted || !StarvedMachine.findings.contains($0) })
    }

    private static func profile(_ address: String) -> String {
        """
        name: same
        duration: 10s
        target: {urlTemplates: {content: "\(address)"}}
        audience: {viewers: 1, ramp: 1s, personas: [hlsjs]}
        playback: {segments: none}
        breaks: none
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

        """
    }

    private static func codes(ofLint address: String) async throws -> [String] {
        let arguments = ["lint", address, "--follow", "8s", "--format", "json"]
        let end = try await PodswarmExecutable.run(arguments, limit: .seconds(90))
        let document = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
        let findings = try #require(JSONExpectation.value(at: "findings", in: document) as? [[String: Any]])
        return findings.compactMap { $0["code"] as? String }
    }

    private static func codes(ofCheck address: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        let file = try folder.write(profile(address), to: "profile.yaml")
        let end = try await PodswarmExecutable.run(["check", file, "--patience", "8s"], limit: .seconds(90))
        return end.output.matches(of: /(?m)^  (?:FINDING|ADVICE ) +([a-z_]+):/).map { String($0.1) }
    }
}
