import ArgumentParser
import Foundation

/// User instructions per poll: the figure with next to no noise.
struct InstructionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instructions",
        abstract: "User instructions per poll, counted by callgrind as the difference of a long run and a short one.",
        discussion: """
            The playlist stands still: callgrind makes everything fifty times slower, and versions would come fifty \
            times as often. hey is left out: Go does not run under valgrind.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Connections, one for each viewer.")
    var connections = 64

    @Option(help: "Requests of the short run; the long one makes three times as many.")
    var requests = 2_000

    @Option(help: "One cell only: http, tls or http2.")
    var scheme: Scheme?

    @Option(help: "Fail where podswarm needs more instructions than this for a poll over HTTP.")
    var limit: Int?

    mutating func validate() throws {
        try require("--connections", connections, in: 1...1000)
        guard requests >= connections else { throw ValidationError("--requests must be at least --connections") }
    }

    func run() throws {
        let peers = options.peers().filter { $0 != .hey }
        let document = try options.measure("instructions", ["connections": connections, "requests": requests]) {
            bench,
            round,
            document in
            let callgrind = try Callgrind(in: bench.server.folder)
            for scheme in scheme.map({ [$0] }) ?? [.http, .tls] {
                let cell = "\(scheme.name) \(connections)"
                let own = try instructions(scheme, bench, callgrind)
                document.add(round: round, cell: cell, .podswarm, [.instructionsPerRequest: own])
                for peer in peers where scheme.peers.contains(peer) {
                    let figure = try instructions(of: peer, scheme, bench, callgrind)
                    document.add(round: round, cell: cell, peer.subject, [.instructionsPerRequest: figure])
                }
            }
        }
        try checkLimit(document)
    }

    private func checkLimit(_ document: BenchmarkDocument) throws {
        guard let limit else { return }
        guard let cell = document.cells.first(where: { $0.name == "\(Scheme.http.name) \(connections)" }),
            let median = cell.medians[.podswarm]?[.instructionsPerRequest]
        else { throw ValidationError("--limit is for HTTP, which was not measured") }
        guard median > Double(limit) else { return }
        FileHandle.standardError.write(
            Data("a poll takes \(median.shortText) user instructions and may take \(limit)\n".utf8)
        )
        throw ExitCode(1)
    }

    private static let attempts = 4

    private typealias Count = (instructions: Double, requests: Int)

    /// The difference removes what is equal in both runs: the start, connecting, the end.
    private func perRequest(_ short: Count, _ long: Count) -> Double {
        (long.instructions - short.instructions) / Double(long.requests - short.requests)
    }

    private func instructions(_ scheme: Scheme, _ bench: Bench, _ callgrind: Callgrind) throws -> Double {
        func count(_ requests: Int) throws -> Count {
            var order = EngineOrder(.closedLoop, scheme, on: bench, viewers: connections)
            order.requests = requests
            let (report, _, output) = try finish(order, bench, callgrind)
            return (try Callgrind.instructions(in: output), report.loopRequests)
        }
        return perRequest(try count(requests), try count(3 * requests))
    }

    /// Runs an engine that may get stuck: about once in fifty runs one does under valgrind 3.19, all its threads waiting, and
    /// none in hundreds without it.
    private func finish(
        _ order: EngineOrder,
        _ bench: Bench,
        _ callgrind: Callgrind
    ) throws -> (report: EngineReport, resources: ChildProcess.Resources, output: String) {
        for _ in 1..<Self.attempts {
            do {
                return try bench.engine(order, under: callgrind).finish()
            } catch BenchmarkError.failed(let program, let ending, _) {
                FileHandle.standardError.write(Data("\(program) ended with \(ending) and is run again\n".utf8))
            }
        }
        return try bench.engine(order, under: callgrind).finish()
    }

    private func instructions(
        of peer: Peer,
        _ scheme: Scheme,
        _ bench: Bench,
        _ callgrind: Callgrind
    ) throws -> Double {
        func count(_ seconds: Int) throws -> Count {
            let arguments = peer.closedLoop(
                scheme,
                url: bench.server.playlistURL(scheme),
                connections: connections,
                seconds: seconds
            )
            let output = try bench.start(peer, arguments, under: callgrind).wait(atMostSeconds: 120).output
            return (try Callgrind.instructions(in: output), try peer.requests(in: output))
        }
        // The handshakes of all connections take seconds here.
        let short = scheme.isSecure ? 6 : 2
        return perRequest(try count(short), try count(2 * short))
    }
}
