import Foundation
import Glibc
import TestSupport

/// A real Slurm on this machine: a controller and three nodes, in a folder of their own.
final class SlurmCluster: Sendable {
    static let nodes = ["n1", "n2", "n3"]

    let folder: TemporaryFolder
    private let ports: [LoopbackPort]
    private let daemons: [String: ChildProcess]

    /// Starts a cluster, hands it to `body` when all nodes are idle, and stops it whatever happens.
    static func running<Outcome: Sendable>(
        patience: Int = 60,
        _ body: (SlurmCluster) async throws -> Outcome
    ) async throws -> Outcome {
        let cluster = try await SlurmCluster(patience: patience)
        do {
            try await cluster.isIdle()
            let outcome = try await body(cluster)
            await cluster.stop()
            return outcome
        } catch {
            let logs = cluster.folder.files(in: "log").map { file in
                let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                return "\(file.lastPathComponent): \(text.suffix(1_500))"
            }
            await cluster.stop()
            throw Obstacle("\(error)\n\(logs.joined(separator: "\n"))")
        }
    }

    private init(patience: Int) async throws {
        folder = try TemporaryFolder()
        ports = try (0...Self.nodes.count).map { _ in try LoopbackPort(backlog: nil, mayBeBoundAgain: true) }
        for name in ["state", "log", "spool", "shared"] { try folder.makeFolder(name) }
        // munge and Slurm read neither a key nor a configuration that others could have written.
        for place in [folder.path, folder.file("state").path, folder.file("spool").path] { chmod(place, 0o755) }
        var generator = SystemRandomNumberGenerator()
        let key = try folder.write(Data((0..<128).map { _ in generator.next() }), to: "munge.key")
        chmod(key, 0o400)
        let settings = try folder.write(Self.settings(folder, ports, patience), to: "slurm.conf")
        var daemons: [String: ChildProcess] = [:]
        let munge = [
            "--foreground", "--force", "--key-file=\(key)", "--socket=\(folder.file("munge.sock").path)",
            "--pid-file=\(folder.file("munged.pid").path)", "--log-file=\(folder.file("log/munged").path)",
            "--seed-file=\(folder.file("munge.seed").path)",
        ]
        let munged = try ChildProcess(try ExternalTool.munged.path(), munge)
        daemons["munged"] = munged
        let socket = folder.file("munge.sock").path
        try await munged.wait(for: "socket") { _ in access(socket, F_OK) == 0 }
        let controller = try ExternalTool.slurmctld.path()
        daemons["slurmctld"] = try ChildProcess(controller, ["-D", "-c", "-f", settings])
        for node in Self.nodes {
            daemons[node] = try ChildProcess(try ExternalTool.slurmd.path(), ["-D", "-N", node, "-f", settings])
        }
        self.daemons = daemons
    }

    private static func settings(_ folder: TemporaryFolder, _ ports: [LoopbackPort], _ patience: Int) throws -> String {
        let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
        var text = try PackageFolder.text("Tests/Cluster/slurm.conf.in")
        let names = ["CONTROLLER"] + nodes.map { $0.uppercased() }
        for (name, port) in zip(names, ports) { text = text.replacing("@PORT_\(name)@", with: "\(port.number)") }
        text = text.replacing("@PATIENCE@", with: "\(patience)")
        text = text.replacing("@FOLDER@", with: folder.path).replacing("@HOST@", with: String(host))
        return text.replacing("@USER@", with: NSUserName())
    }

    private var environment: [String: String] { ["SLURM_CONF": folder.file("slurm.conf").path] }

    private func isIdle() async throws {
        let isSeen = try await Patience.sees {
            try await ContinuousClock().sleep(for: .milliseconds(200))
            let end = try await ExternalTool.sinfo.run(["-h", "-N", "-o", "%t"], environment: environment)
            return end.output.split(separator: "\n") == Self.nodes.map { _ in "idle" }
        }
        guard isSeen else { throw Obstacle("the nodes do not become idle") }
    }

    /// Submits a script as it is, from the shared folder.
    func submit(_ script: [String], _ options: [String], _ variables: [String: String] = [:]) async throws -> String {
        let log = ["--chdir=\(folder.file("shared").path)", "--output=\(folder.file("log/job-%j").path)"]
        let end = try await ExternalTool.sbatch.run(
            ["--parsable"] + log + options + script,
            environment: environment.merging(variables) { $1 }
        ).succeeded()
        return end.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns when a job is over: its exit status, as Slurm keeps it.
    func ended(_ job: String) async throws -> Int {
        let isSeen = try await Patience.sees { !facts(of: job).isEmpty }
        guard isSeen, let status = facts(of: job)["ExitCode"]?.prefix(while: { $0 != ":" }), let status = Int(status)
        else { throw Obstacle("job \(job) does not end: \(facts(of: job))") }
        return status
    }

    /// What Slurm keeps of a job that is over, by name; nothing of one that is not.
    func facts(of job: String) -> [Substring: Substring] {
        let text = (try? String(contentsOf: folder.file("log/jobs"), encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("JobId=\(job) ") } ?? ""
        let pairs = line.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    func output(of job: String) -> String {
        (try? String(contentsOf: folder.file("log/job-\(job)"), encoding: .utf8)) ?? ""
    }

    /// Everything of a node is gone at once, as with its power.
    func kill(_ node: String) {
        daemons[node]?.kill()
        for process in processes(of: node) { Glibc.kill(process, SIGKILL) }
    }

    /// Processes of jobs, and what of Slurm looks after them.
    ///
    /// A job's processes have its variables, and this cluster's folder is among those.
    private func processes(of node: String? = nil) -> Set<Int32> {
        var found: Set<Int32> = []
        let wanted = Set(
            ["SLURM_CONF=\(folder.file("slurm.conf").path)"] + (node.map { ["SLURMD_NODENAME=\($0)"] } ?? [])
        )
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int32(name), let variables = Self.read("/proc/\(name)/environ") else { continue }
            guard wanted.isSubset(of: variables.split(separator: "\0").map(String.init)) else { continue }
            guard variables.contains("SLURM_JOB_ID=") else { continue }
            found.insert(process)
            let status = Self.read("/proc/\(name)/status") ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
            guard let parent = line.flatMap({ Int32($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) }) else {
                continue
            }
            if Self.read("/proc/\(parent)/comm")?.hasPrefix("slurmstepd") == true { found.insert(parent) }
        }
        return found
    }

    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private func stop() async {
        for process in processes() { Glibc.kill(process, SIGKILL) }
        for name in Self.nodes + ["slurmctld", "munged"] { await daemons[name]?.stop() }
        for process in processes() { Glibc.kill(process, SIGKILL) }
    }
}
