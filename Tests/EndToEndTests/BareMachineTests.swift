import Foundation
import Results
import TestSupport
import Testing
import Values

/// Machines that lack what a run takes for granted.
///
/// Over sockets, because it is the kernel that has no ports left.
@Suite(.fewWaiting, .enabled("namespaces can only be made with CAP_SYS_ADMIN") { await BareMachine.canBeMade() })
struct BareMachineTests {
    @Test(arguments: [["run", "profile.yaml"], ["check", "profile.yaml"], []])
    func withoutItsArgumentsNoCommandSucceeds(arguments: [String]) async throws {
        let end = try await BareMachine.run("mount -t tmpfs podswarm /proc && exec \"$@\"", arguments)
        #expect(end.status == 2, "\(end.output)\(end.errors)")
        #expect(end.errors.contains("/proc is not mounted"), "\(end.errors)")
    }

    @Test(arguments: [4, 6, 15]) func withTooFewDescriptorsNoCommandBegins(limit: Int) async throws {
        let end = try await BareMachine.run("ulimit -n \(limit) && exec \"$@\"", ["explain", "pod_mismatch"])
        #expect(end.status == 2 && end.errors.contains("may open \(limit) files"), "\(end.status)\(end.errors)")
    }

    @Test func onlyTheHardLimitOfDescriptorsCounts() async throws {
        let end = try await BareMachine.run("ulimit -S -n 6 && exec \"$@\"", ["explain", "pod_mismatch"])
        #expect(end.status == 0, "\(end.status)\(end.errors)")
    }

    @Test func withoutALoopbackDeviceTheEmbeddedOriginIsNotStarted() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let end = try await BareMachine.run("exec \"$@\"", ["check", rehearsal.profile])
        #expect(end.status == 2 && end.errors.contains("needs the loopback device"), "\(end.errors)")
        #expect(!end.errors.contains("***"), "\(end.errors)")
    }

    /// One port is left for each viewer, and each takes more: the generator is the limit, and podswarm has no defect.
    @Test func portsThatAreUsedUpAreTheGeneratorsLimit() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let script = """
            ip link set lo up || exit 71
            echo 40000 40029 > /proc/sys/net/ipv4/ip_local_port_range
            exec "$@"
            """
        let arguments = [
            "run", rehearsal.profile, "--results", rehearsal.folder.file("results").path, "--viewers", "25",
            "--set", "audience.churnPerMinute=100%", "--set", "connection.sourceAddresses=[127.0.0.1]",
        ]
        let end = try await BareMachine.run(script, arguments)
        #expect(end.status == 3, "\(end.output)\(end.errors)")
        #expect(!end.errors.contains("counts"), "\(end.errors)")
        let file = try #require(rehearsal.folder.results(in: "results").first)
        let document = try ResultDocument(json: Data(contentsOf: file))
        #expect(document.reconciliation != nil)
    }
}

/// podswarm in namespaces of its own, which end with it.
enum BareMachine {
    /// Runs a script that ends by running `"$@"`, which is podswarm with these arguments.
    static func run(_ script: String, _ arguments: [String]) async throws -> ChildProcess.End {
        try await ChildProcess.run(
            try ExternalTool.bash.path(),
            ["-c", "exec unshare -m -n bash -c \"$0\" \"$@\"", script, "bash", try PodswarmExecutable.path()]
                + arguments
        )
    }

    static func canBeMade() async -> Bool {
        let script = "mount -t tmpfs podswarm /proc && ip -V"
        return (try? await run(script, []).status) == 0
    }
}
