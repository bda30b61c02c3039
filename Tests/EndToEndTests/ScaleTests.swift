import Foundation
import Results
import TestSupport
import Testing

/// The profile for many viewers against the target that is shipped with it, both as they are but for their size.
///
/// Over sockets, because the target is the nginx that is shipped with the profile.
@Suite(.fewWaiting) struct ScaleTests {
    @Test func theProfileRunsAgainstItsOwnTarget() async throws {
        let outcome = try await Self.serving { origin in
            try await Rehearsal(shipped: "scale").run(
                ["--viewers", "40", "--duration", "10s"]
                    + [
                        "target.podServing.contentURL=\(origin)/live/multivariant.m3u8",
                        "target.podServing.adServer=\(origin)", "audience.ramp=2s", "abort.after=9s",
                        "generator.maximumLateness=10s", "generator.maximumLoopDelay=30s",
                        "generator.maximumCoreWait=30s",
                        "connection.\(StarvedMachine.timeouts.replacing(": {", with: "={"))",
                        "thresholds=[playlist.errors == 0, viewers.registration_failed == 0]",
                    ].flatMap { ["--set", $0] }
            )
        }
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(document.viewers["registered"] == 40)
        #expect(document.breaks.each.isEmpty)
        // News every two seconds, so that three of them are in the eight that all viewers watch: most in time on a calm machine.
        let playlists = try #require(document.requests["playlist"])
        #expect(playlists.count >= 40 * (outcome.isCalm ? 2 : 1), "\(playlists.count) playlists")
        #expect(playlists.errors == 0)
        // The target ends the connection of each registration: what stays open is one for each viewer.
        let connections = document.requests.values.reduce(0) { $0 + $1.newConnections }
        #expect(connections <= 2 * 40, "\(connections) connections")
    }

    /// Starts the shipped target, which takes over a socket that listens already.
    private static func serving<Result: Sendable>(_ body: (String) async throws -> Result) async throws -> Result {
        let port = try LoopbackPort()
        let origin = "http://127.0.0.1:\(port.number)"
        let child = try ChildProcess(
            try ExternalTool.bash.path(),
            [PackageFolder.file("Profiles/scale-target/serve.sh").path, String(port.number)],
            environment: ["NGINX": LoopbackPort.nginxVariable(count: 1)],
            inherited: [port.descriptor]
        )
        return try await child.stopped { try await body(origin) }
    }
}
