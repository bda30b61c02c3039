import ArgumentParser
import Foundation
import Transport
import Values

/// Writes a line on standard error.
func tell(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

struct FigureOptions: ParsableArguments {
    @Option(help: "Rounds; each load generator has one turn in each.")
    var rounds = 3

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        try require("--rounds", rounds, in: 1...Int.max)
        // Refuses an unwritable file before the measurement.
        guard let json else { return }
        let folder = URL(fileURLWithPath: json).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw ValidationError("--json \(json): \(folder) is not a folder that can be written to")
        }
    }
}

extension FigureOptions {
    @discardableResult
    func measure(
        _ command: String,
        _ parameters: [String: Int],
        _ measureRound: (Int, inout BenchmarkDocument) throws -> Void
    ) throws -> BenchmarkDocument {
        let parameters = parameters.merging(["rounds": rounds]) { $1 }
        var document = BenchmarkDocument(command: command, parameters: parameters)
        for round in 1...rounds { try measureRound(round, &document) }
        try document.finish(json: json)
        return document
    }
}

extension ParsableArguments {
    func require(_ option: String, _ value: Int, in range: ClosedRange<Int>) throws {
        guard !range.contains(value) else { return }
        let (least, most) = (range.lowerBound, range.upperBound)
        let limits = most == .max ? "at least \(least)" : "between \(least) and \(most)"
        throw ValidationError("\(option) must be \(limits)")
    }
}

struct CoreOptions: ParsableArguments {
    @OptionGroup var figures: FigureOptions

    @Option(help: "Core of nginx.")
    var serverCore = 0

    @Option(help: "Core of the generator that is measured.")
    var clientCore = 1

    mutating func validate() throws {
        guard serverCore >= 0, clientCore >= 0, serverCore != clientCore else {
            throw ValidationError("--server-core and --client-core must be two different cores")
        }
        let cores = ProcessInfo.processInfo.processorCount
        guard max(serverCore, clientCore) < cores else {
            throw ValidationError("this machine has cores 0 to \(cores - 1)")
        }
    }
}

struct BenchOptions: ParsableArguments {
    @OptionGroup var cores: CoreOptions

    @Option(
        name: .customLong("peer"),
        help: "A generator to compare with (wrk, h2load, or none); may be repeated. All that are installed if left out."
    )
    var peerNames: [String] = []

    @Option(help: "What carries podswarm's requests: auto, or curl for libcurl alone.")
    var transport = CarrierChoice.auto

    mutating func validate() throws {
        for name in peerNames where Peer(rawValue: name) == nil && name != "none" {
            throw ValidationError("--peer \(name): it is wrk, h2load or none")
        }
    }

    func peers() -> [Peer] {
        let wanted = peerNames.isEmpty ? Peer.allCases : peerNames.compactMap { Peer(rawValue: $0) }
        return wanted.filter(\.tool.isInstalled)
    }

    /// As `peers`, for figures that mean nothing without a ratio.
    func requiredPeers() throws -> [Peer] {
        let peers = peers()
        guard !peers.isEmpty || peerNames.contains("none") else {
            throw ValidationError("no peer is installed, so that there is nothing to compare with")
        }
        return peers
    }
}

extension BenchOptions {
    /// The playlist stands still unless `seconds` is given.
    @discardableResult
    func measure(
        _ command: String,
        _ parameters: [String: Int],
        rewritingEvery seconds: Int? = nil,
        _ measureRound: (Bench, Int, inout BenchmarkDocument) throws -> Void
    ) throws -> BenchmarkDocument {
        let server = try NginxServer(core: cores.serverCore)
        defer { server.stop() }
        if let seconds { server.rewrite(everySeconds: seconds) }
        let bench = Bench(server: server, clientCore: cores.clientCore, carriers: transport)
        return try cores.figures.measure(command, parameters) { try measureRound(bench, $0, &$1) }
    }
}

struct Bench {
    let server: NginxServer
    let clientCore: Int
    let carriers: CarrierChoice

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
        let command = (callgrind?.wrapper ?? []) + [try peer.tool.path()] + arguments
        return try ChildProcess(core: clientCore, command, in: server.folder)
    }
}
