import Foundation
import Results
import TestSupport
import Testing

/// One rule, one severity: `lint`, `check` and `run` find the same in the same channel.
///
/// Over sockets, because the commands are programs; all looks go side by side, each with a beginning of its own. What they make of
/// other channels is compared in virtual time.
@Suite(.fewWaiting) struct SameFindingsTests {
    /// Scenarios of `versions.py`, and a code that is found in each.
    @Test(arguments: [
        ("key/a.m3u8", "segment_attributes_changed"), ("worded/main.m3u8", "steering_manifest_invalid"),
    ])
    func eachCommandFindsTheSame(path: String, code: String) async throws {
        try await ForeignScript.serving("versions") { port, _ in
            func address(_ command: String) -> String {
                "http://127.0.0.1:\(port)/\(path.replacing("/", with: "-\(command)/"))"
            }
            async let linted = Self.codes(ofLint: address("lint"))
            async let checked = Self.codes(ofCheck: address("check"))
            async let ran = Rehearsal(Self.profile(address("run"))).run().document.findings.map(\.code)
            let found = try await [linted, checked, ran].map { Self.ofTarget($0, code) }
            #expect(Set(found).count == 1 && found[0].contains(code), "lint, check, run: \(found.map { $0.sorted() })")
        }
    }

    /// Without what a starved machine brings about by itself.
    private static func ofTarget(_ codes: [String], _ wanted: String) -> Set<String> {
        Set(codes.filter { $0 == wanted || !StarvedMachine.findings.contains($0) })
    }

    private static func profile(_ address: String) -> String {
        """
        name: same
        duration: 15s
        target: {urlTemplates: {content: "\(address)"}}
        audience: {viewers: 1, ramp: 1s, personas: [hlsjs]}
        playback: {segments: none}
        breaks: none
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

        """
    }

    private static func codes(ofLint address: String) async throws -> [String] {
        let arguments = ["lint", address, "--follow", "15s", "--format", "json"]
        let end = try await PodswarmExecutable.run(arguments, limit: .seconds(90))
        let document = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
        let findings = try #require(JSONExpectation.value(at: "findings", in: document) as? [[String: Any]])
        return findings.compactMap { $0["code"] as? String }
    }

    private static func codes(ofCheck address: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        let file = try folder.write(profile(address), to: "profile.yaml")
        let end = try await PodswarmExecutable.run(["check", file, "--patience", "15s"], limit: .seconds(90))
        return end.output.matches(of: /(?m)^  (?:FINDING|ADVICE ) +([a-z_]+):/).map { String($0.1) }
    }
}
