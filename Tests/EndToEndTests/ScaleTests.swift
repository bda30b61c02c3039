import Foundation
import FoundationNetworking
import RunResult
import TestSupport
import Testing

/// The profile for many viewers against the target that is shipped with it, both as they are but for their size.
@Suite(.fewAtOnce) struct ScaleTests {
    @Test func theProfileRunsAgainstItsOwnTarget() async throws {
        let outcome = try await Self.serving { origin in
            try await Rehearsal(shipped: "scale").run(
                ["--viewers", "40", "--duration", "14s"]
                    + [
                        "target.podServing.contentURL=\(origin)/live/multivariant.m3u8",
                        "target.podServing.adServer=\(origin)", "audience.ramp=2s", "abort.after=10s",
                        "generator.maximumLateness=10s", "generator.maximumLoopDelay=30s",
                        "generator.maximumCoreWait=30s",
                        "thresholds=[playlist.errors == 0, viewers.registration_failed == 0]",
                    ].flatMap { ["--set", $0] }
            )
        }
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(document.viewers["registered"] == 40)
        #expect(document.breaks.each.isEmpty)
        // News every two seconds, so that five of them are in the twelve that all viewers watch: most of them in time.
        let playlists = try #require(document.requests["playlist"])
        #expect(playlists.count >= 40 * 3, "\(playlists.count) playlists")
        #expect(playlists.errors == 0)
        // The target ends the connection of each registration: what stays open is one for each viewer.
        let connections = document.requests.values.reduce(0) { $0 + $1.newConnections }
        #expect(connections <= 2 * 40, "\(connections) connections")
    }

    /// A limit that one connection for each viewer keeps and two do not.
    @Test func whatFitsNarrowlyIsSaidAndRuns() async throws {
        let outcome = try await Self.serving { origin in
            let rehearsal = try Rehearsal(shipped: "scale")
            let settings = [
                "target.podServing.contentURL=\(origin)/live/multivariant.m3u8",
                "target.podServing.adServer=\(origin)", "audience.ramp=1s", "generator.maximumLateness=10s",
                "generator.maximumLoopDelay=30s", "generator.maximumCoreWait=30s", "thresholds=[viewers.joined >= 1]",
                "abort.after=1s",
            ]
            let arguments =
                rehearsal.arguments(["--viewers", "40", "--duration", "2s"]) + settings.flatMap { ["--set", $0] }
            let limited = #"ulimit -n 180 && exec "$0" "$@""#
            let end = try await ExternalTool.bash.run(["-c", limited, try PodswarmExecutable.path()] + arguments)
            return try rehearsal.outcome(of: end)
        }
        let said = outcome.end.errors
        #expect(
            said.contains("this machine: 40 viewers fit into 180 file descriptors with one connection each"),
            "\(said)"
        )
        #expect(said.contains("ulimit -Hn 208"), "\(said)")
        #expect(outcome.document.viewers["joined"] == 40)
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
