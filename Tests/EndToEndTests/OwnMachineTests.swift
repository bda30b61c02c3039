import Foundation
import Glibc
import RunResult
import TestSupport
import Testing

/// What a target answers never leads podswarm to the services of the machine that it runs on.
@Suite(.fewAtOnce) struct OwnMachineTests {
    /// Services that know nothing of the run; each counts who connects.
    private struct Services {
        let ports: [(address: String, port: LoopbackPort)]

        init() throws {
            ports = try ["127.0.0.1", "127.9.9.9", "::1"].map { ($0, try LoopbackPort(address: $0)) }
        }

        /// Each of them, the first by three of its names.
        var authorities: [String] {
            let numbers = ports.map { String($0.port.number) }
            let first = ["127.0.0.1", "localhost", "2130706433"].map { "\($0):\(numbers[0])" }
            return first + ["127.9.9.9:\(numbers[1])", "[::1]:\(numbers[2])"]
        }

        /// How many have been connected to; no more than connections that wait there can be seen.
        var reached: Int {
            ports.count { _, port in
                var waiting = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
                return poll(&waiting, 1, 0) > 0
            }
        }
    }

    private static func profile(_ kind: String, port: Substring, opening authorities: [String]) -> String {
        """
        name: own-machine
        duration: 14s
        target:
          podServing:
            contentURL: http://127.0.0.2:\(port)/master.m3u8
            adServer: http://127.0.0.2:\(port)
            networkCode: "1"
            customAssetKey: live
            mediaIDs: whole
            authorisedHosts: [\(authorities.map { "\"\($0)\"" }.joined(separator: ", "))]
        audience: {viewers: 2, ramp: 100ms}
        impressions: allowed
        playback: {segments: all}
        breaks: {\(kind.hasPrefix("asset") ? "interstitials: true" : "source: {list: [3s]}"), podDuration: 2s}
        connection: {timeouts: {connect: 3s, firstByte: 3s, total: 4s}}
        thresholds: ["viewers.joined > 0"]
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

        """
    }

    /// How many services are reached by a run, where the profile opens them to the target and where it does not.
    private static func reached(_ kind: String, isOpen: Bool) async throws -> Int {
        let services = try Services()
        let script = PackageFolder.file("Tests/ForeignServers/pointing_home.py").path
        let authorities = services.authorities
        let arguments = [script, authorities.joined(separator: ","), kind]
        let server = try ChildProcess(try ExternalTool.python.path(), arguments)
        return try await server.stopped {
            try await server.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            let port = server.output.prefix { $0.isNumber }
            let opened = isOpen ? ["127.0.0.1", "localhost", "127.9.9.9", "[::1]"] : []
            let outcome = try await Rehearsal(profile(kind, port: port, opening: opened)).run()
            #expect(outcome.document.viewers["joined"] == 2, "\(outcome.end.output)\(outcome.end.errors)")
            return services.reached
        }
    }

    @Test(arguments: [
        "rendition", "segment", "steering", "redirect", "pod", "pod-segment", "asset-list", "asset", "metadata", "ping",
    ])
    func noServiceIsReachedThatTheProfileDoesNotName(kind: String) async throws {
        async let closed = Self.reached(kind, isOpen: false)
        async let open = Patience.agreeing {
            try await Self.reached(kind, isOpen: true)
        } on: {
            $0 > 0
        }
        #expect(try await closed == 0)
        #expect(try await open > 0, "what the server answers leads there")
    }
}
