import ArgumentParser
import Foundation

struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration("memory")

    @OptionGroup var options: CoreOptions

    @Option(help: "Viewers over HTTP.")
    var viewers = 10_000

    @Option(help: "Viewers over TLS 1.3, and as many over HTTP/2.")
    var secureViewers = 5_000

    private static let few = 64

    mutating func validate() throws {
        try require("--viewers", viewers, in: Self.few + 1...18_000)
        try require("--secure-viewers", secureViewers, in: Self.few + 1...18_000)
    }

    func run() throws {
        try options.measure(
            "memory",
            ["viewers": viewers, "secure_viewers": secureViewers],
            rewritingEvery: LivePlaylist.targetSeconds
        ) { bench, round, document in
            for scheme in [Scheme.http, .tls, .http2] {
                let figure = try residentPerViewer(scheme, bench)
                document.add(round: round, cell: scheme.name, .podswarm, [.residentPerViewer: figure])
            }
        }
    }

    private func residentPerViewer(_ scheme: Scheme, _ bench: Bench) throws -> Double {
        func residentBytes(_ viewers: Int) throws -> Int {
            try bench.engine(EngineOrder(.audience, scheme, on: bench, viewers: viewers)).finish().report.residentBytes
        }
        let many = scheme.isSecure ? secureViewers : viewers
        return Double(try residentBytes(many) - residentBytes(Self.few)) / Double(many - Self.few)
    }
}

struct HandshakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration("handshake")

    @OptionGroup var options: CoreOptions

    @Option(help: "Connections, at most 64 in the making at once.")
    var connections = 5_000

    mutating func validate() throws { try require("--connections", connections, in: 1...18_000) }

    func run() throws {
        let isCompared = Peer.installed.contains(.h2load)
        try options.measure("handshake", ["connections": connections]) { bench, round, document in
            let order = EngineOrder(.closedLoop, .tls, on: bench, viewers: connections)
            document.add(
                round: round,
                cell: Scheme.tls.name,
                .podswarm,
                figures(try bench.engine(order).finish().resources)
            )
            guard isCompared else { return }
            let url = bench.server.playlistURL(.tls)
            let arguments = ["-t1", "-c\(connections)", "-n\(connections)", "-m1", "--h1", url]
            let (report, resources) = try bench.start(.h2load, arguments).wait(atMostSeconds: 120)
            _ = try Peer.h2load.requests(in: report)
            document.add(round: round, cell: Scheme.tls.name, .h2load, figures(resources))
        }
    }

    private func figures(_ resources: ChildProcess.Resources) -> [Quantity: Double] {
        [.cpuPerConnection: resources.cpuMicroseconds / Double(connections)]
    }
}

/// Least noisy figure.
struct InstructionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration("instructions")

    @OptionGroup var options: CoreOptions

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
        let document = try options.measure("instructions", ["connections": connections, "requests": requests]) {
            bench,
            round,
            document in
            let callgrind = try Callgrind(in: bench.server.folder)
            for scheme in scheme.map({ [$0] }) ?? [.http, .tls] {
                let cell = "\(scheme.name) \(connections)"
                let figure = try instructionsPerRequest(scheme, bench, callgrind)
                document.add(round: round, cell: cell, .podswarm, [.instructionsPerRequest: figure])
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
        tell("a poll takes \(median.shortText) user instructions and may take \(limit)")
        throw ExitCode(1)
    }

    private static let attempts = 4

    /// The difference removes the start, connecting and the end.
    private func instructionsPerRequest(_ scheme: Scheme, _ bench: Bench, _ callgrind: Callgrind) throws -> Double {
        func count(_ requests: Int) throws -> (instructions: Double, requests: Int) {
            var order = EngineOrder(.closedLoop, scheme, on: bench, viewers: connections)
            order.requests = requests
            let (report, _, output) = try finish(order, bench, callgrind)
            return (try Callgrind.instructions(in: output), report.loopRequests)
        }
        let (short, long) = (try count(requests), try count(3 * requests))
        return (long.instructions - short.instructions) / Double(long.requests - short.requests)
    }

    /// About one engine in fifty hangs under valgrind 3.19, none in hundreds without it.
    private func finish(
        _ order: EngineOrder,
        _ bench: Bench,
        _ callgrind: Callgrind
    ) throws -> (report: EngineReport, resources: ChildProcess.Resources, output: String) {
        for _ in 1..<Self.attempts {
            do {
                return try bench.engine(order, under: callgrind).finish()
            } catch BenchmarkError.failed(let program, let ending, _) {
                tell("\(program) ended with \(ending) and is run again")
            }
        }
        return try bench.engine(order, under: callgrind).finish()
    }
}
