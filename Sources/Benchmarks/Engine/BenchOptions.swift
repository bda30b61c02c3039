import ArgumentParser
import Foundation
import Swarm
import Transport

struct BenchOptions: ParsableArguments {
    @Option(help: "Rounds; in each one everybody takes a turn.")
    var rounds = 3

    @Option(help: "Core of nginx.")
    var serverCore = 0

    @Option(help: "Core of the generator that is measured.")
    var clientCore = 1

    @Option(
        name: .customLong("peer"),
        help:
            "A generator to compare with (wrk, h2load, hey, or none); may be repeated. All that are installed if left out."
    )
    var peerNames: [String] = []

    @Option(help: "What carries podswarm's requests: auto, or curl for libcurl alone.")
    var transport = CarrierChoice.auto

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1") }
        guard serverCore >= 0, clientCore >= 0, serverCore != clientCore else {
            throw ValidationError("--server-core and --client-core must be two different cores")
        }
        let cores = ProcessInfo.processInfo.processorCount
        guard max(serverCore, clientCore) < cores else {
            throw ValidationError("this machine has cores 0 to \(cores - 1)")
        }
        try Self.requireFolder(of: json)
        for name in peerNames where Peer(rawValue: name) == nil && name != "none" {
            throw ValidationError("--peer \(name): it is wrk, h2load, hey or none")
        }
    }

    /// Refuses a file that could not be written after the measurement.
    static func requireFolder(of json: String?) throws {
        guard let json else { return }
        let folder = URL(fileURLWithPath: json).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw ValidationError("--json \(json): \(folder) is no folder that can be written to")
        }
    }

    /// The installed peers of the options; missing ones are named on standard error.
    func peers() -> [Peer] {
        let wanted = peerNames.isEmpty ? Peer.allCases : peerNames.compactMap { Peer(rawValue: $0) }
        for peer in wanted where !peer.tool.isInstalled {
            FileHandle.standardError.write(Data("left out: \(BenchmarkError.missing(peer.tool))\n".utf8))
        }
        return wanted.filter(\.tool.isInstalled)
    }

    /// As `peers`, for commands whose figures mean nothing without a ratio.
    func requiredPeers() throws -> [Peer] {
        let peers = peers()
        guard !peers.isEmpty || peerNames.contains("none") else {
            throw ValidationError("no peer is installed, so that there is nothing to compare with")
        }
        return peers
    }
}

struct Bench {
    let server: NginxServer
    let clientCore: Int
    let carriers: CarrierChoice

    static func run(_ options: BenchOptions, _ body: (Bench) throws -> Void) throws {
        // Children inherit the limit, and with it room for thousands of connections.
        Preflight.raiseDescriptorLimit()
        let server = try NginxServer(core: options.serverCore)
        defer { server.stop() }
        try body(Bench(server: server, clientCore: options.clientCore, carriers: options.transport))
    }

    func engine(_ order: EngineOrder, under callgrind: Callgrind? = nil) throws -> EngineProcess {
        server.forgetConnections()
        return try EngineProcess(order, core: clientCore, in: server.folder, under: callgrind)
    }

    func start(
        _ peer: Peer,
        _ arguments: [String],
        under callgrind: Callgrind? = nil
    ) throws(BenchmarkError) -> ChildProcess {
        server.forgetConnections()
        return try ChildProcess(
            try Tool.taskset.path(),
            ["taskset", "-c", "\(clientCore)"] + (callgrind?.wrapper ?? []) + [try peer.tool.path()] + arguments,
            in: server.folder
        )
    }
}
