import ArgumentParser
import Foundation
import Rules

/// Writes a line on standard error.
func tell(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

extension CommandConfiguration {
    init(_ name: String) {
        let text = CommandText.of("benchmarks \(name)")
        self.init(commandName: name, abstract: text.abstract, discussion: text.discussion)
    }
}

struct FigureOptions: ParsableArguments {
    @Option(help: "Rounds; each load generator has one turn in each.")
    var rounds = 3

    mutating func validate() throws { try require("--rounds", rounds, in: 1...Int.max) }

    @discardableResult
    func measure(
        _ command: String,
        _ parameters: [String: Int],
        _ measureRound: (Int, inout BenchmarkDocument) throws -> Void
    ) throws -> BenchmarkDocument {
        let parameters = parameters.merging(["rounds": rounds]) { $1 }
        var document = BenchmarkDocument(command: command, parameters: parameters)
        for round in 1...rounds { try measureRound(round, &document) }
        document.show()
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

    /// The playlist stands still unless `seconds` is given.
    @discardableResult
    func measure(
        _ command: String,
        _ parameters: [String: Int],
        rewritingEvery seconds: Int? = nil,
        _ measureRound: (Bench, Int, inout BenchmarkDocument) throws -> Void
    ) throws -> BenchmarkDocument {
        let server = try NginxServer(core: serverCore)
        defer { server.stop() }
        if let seconds { server.rewrite(everySeconds: seconds) }
        let bench = Bench(server: server, clientCore: clientCore)
        return try figures.measure(command, parameters) { try measureRound(bench, $0, &$1) }
    }
}

struct Bench {
    let server: NginxServer
    let clientCore: Int

    func engine(_ order: EngineOrder, under callgrind: Callgrind? = nil) throws -> EngineProcess {
        server.forgetConnections()
        return try EngineProcess(order, core: clientCore, in: server.folder, under: callgrind)
    }

    func start(_ peer: Peer, _ arguments: [String]) throws(BenchmarkError) -> ChildProcess {
        server.forgetConnections()
        return try ChildProcess(core: clientCore, [try peer.tool.path()] + arguments, in: server.folder)
    }
}
