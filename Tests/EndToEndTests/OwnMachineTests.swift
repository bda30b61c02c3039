import Foundation
import Glibc
import Results
import TestSupport
import Testing

/// What a target answers never leads podswarm to the services of the machine that it runs on.
///
/// Over sockets, because only those tell whether a connection was tried; all runs go side by side.
@Suite(.fewWaiting) struct OwnMachineTests {
    /// Services that know nothing of the run; each counts who connects.
    private struct Services {
        let ports: [LoopbackPort]

        init() throws { ports = try ["127.0.0.1", "127.9.9.9", "::1"].map { try LoopbackPort(address: $0) } }

        /// Each of them, the first by three of its names.
        var authorities: String {
            let first = ["127.0.0.1", "localhost", "2130706433"].map { "\($0):\(ports[0].number)" }
            return (first + ["127.9.9.9:\(ports[1].number)", "[::1]:\(ports[2].number)"]).joined(separator: ",")
        }

        /// How many have been connected to; no more than connections that wait there can be seen.
        var reached: Int {
            ports.count { port in
                var waiting = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
                return poll(&waiting, 1, 0) > 0
            }
        }
    }

    private static func profile(_ kind: String, adServer: String, opening authorities: String) -> String {
        """
        name: own-machine
        duration: 12s
        target:
          podServing:
            contentURL: \(adServer)/master.m3u8
            adServer: \(adServer)
            networkCode: "1"
            customAssetKey: live
            mediaIDs: whole
            authorisedHosts: [\(authorities)]
        audience: {viewers: 2, ramp: 100ms}
        impressions: allowed
        playback: {segments: all}
        breaks: {\(kind.hasPrefix("asset") ? "interstitials: true" : "source: {list: [3s, 8s]}"), podDuration: 2s}
        connection: {timeouts: {connect: 20s, firstByte: 20s, total: 20s}}
        thresholds: ["viewers.joined > 0"]
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

        """
    }

    private static let kinds = [
        "rendition", "segment", "steering", "redirect", "pod", "pod-segment", "asset-list", "asset", "metadata", "ping",
    ]

    /// Each kind of place before viewers of a profile that names no other host, and before those of one that opens them: what the
    /// server answers would lead there.
    @Test func noServiceIsReachedThatTheProfileDoesNotName() async throws {
        let scenes = try Self.kinds.flatMap { kind in
            try ["", "127.0.0.1, localhost, 127.9.9.9, \"[::1]\""].map {
                (kind: kind, opened: $0, services: try Services())
            }
        }
        let settings = scenes.map { "\($0.kind)=\($0.services.authorities)" }
        try await ForeignScript.serving("pointing_home", settings) { port, _ in
            try await withThrowingTaskGroup { group in
                for (number, scene) in scenes.enumerated() {
                    group.addTask {
                        let adServer = "http://127.0.1.\(number + 1):\(port)"
                        let profile = Self.profile(scene.kind, adServer: adServer, opening: scene.opened)
                        let outcome = try await Rehearsal(profile).run()
                        #expect(outcome.document.viewers["joined"] == 2, "\(scene.kind): \(outcome.end.errors)")
                        #expect(
                            (scene.services.reached > 0) == !scene.opened.isEmpty,
                            "\(scene.kind), [\(scene.opened)]"
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
