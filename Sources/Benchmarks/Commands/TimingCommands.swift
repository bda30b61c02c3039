import ArgumentParser
import Glibc

struct LatenessCommand: ParsableCommand {
    static let configuration = CommandConfiguration("lateness")

    @OptionGroup var options: CoreOptions

    @Option(help: "Connected viewers.")
    var viewers = 10_000

    @Option(help: "Requests per second of all viewers together.")
    var rate = 5_000

    @Option(help: "Seconds of load.")
    var seconds = 10

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...18_000)
        try require("--rate", rate, in: 1...1_000_000)
        try require("--seconds", seconds, in: 1...600)
    }

    func run() throws {
        let parameters = ["viewers": viewers, "requests_per_second": rate, "seconds": seconds]
        try options.measure("lateness", parameters, rewritingEvery: 2) { bench, round, document in
            document.add(round: round, cell: "HTTP", .podswarm, try podswarm(bench))
        }
    }

    private func podswarm(_ bench: Bench) throws -> [Quantity: Double] {
        var order = EngineOrder(.openLoop, .http, on: bench, viewers: viewers)
        order.requestsPerSecond = rate
        order.seconds = seconds
        let report = try bench.engine(order).finish().report
        guard report.loopRequests > 0 else { return [:] }
        let cpu = Double(report.loopCPUMicroseconds) / Double(report.loopRequests)
        return report.lateness.merging([.cpuPerRequest: cpu]) { $1 }
    }
}

struct BurstCommand: ParsableCommand {
    static let configuration = CommandConfiguration("burst")

    @OptionGroup var options: CoreOptions

    @Option(help: "Connected viewers.")
    var viewers = 10_000

    @Option(help: "Connected viewers over TLS 1.3, and as many over HTTP/2.")
    var secureViewers = 5_000

    @Option(help: "Bursts of each kind in one round.")
    var repetitions = 5

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...18_000)
        try require("--secure-viewers", secureViewers, in: 1...18_000)
        try require("--repetitions", repetitions, in: 1...1000)
    }

    func run() throws {
        try options.measure("burst", ["viewers": viewers, "secure_viewers": secureViewers, "repetitions": repetitions])
        { bench, round, document in
            let report = try bursts(.http, viewers, bench)
            // Consecutive bursts are compared.
            for (index, (own, bare)) in zip(report.bursts, report.bareBursts).enumerated() {
                let number = (round - 1) * repetitions + index + 1
                document.add(round: number, cell: "HTTP", .podswarm, own)
                document.add(round: number, cell: "HTTP", .bareSend, bare)
            }
            let ways = (try bursts(.http2, secureViewers, bench).bursts, try bursts(.tls, secureViewers, bench).bursts)
            for (index, (own, old)) in zip(ways.0, ways.1).enumerated() {
                let number = (round - 1) * repetitions + index + 1
                document.add(round: number, cell: "HTTP/2", .podswarm, own)
                document.add(round: number, cell: "HTTP/2", .overHTTP1, old)
            }
        }
    }

    private func bursts(_ scheme: Scheme, _ viewers: Int, _ bench: Bench) throws -> EngineReport {
        var order = EngineOrder(.burst, scheme, on: bench, viewers: viewers)
        order.repetitions = repetitions
        return try bench.engine(order).finish().report
    }
}

struct PollCommand: ParsableCommand {
    static let configuration = CommandConfiguration("poll")

    @OptionGroup var options: CoreOptions

    @Option(help: "One cell only: http, tls or http2.")
    var scheme: Scheme?

    @Option(help: "Connections of that one cell, one for each viewer.")
    var connections = 1000

    @Option(help: "Seconds between the two marks of a run.")
    var seconds = 6

    private struct Case {
        let scheme: Scheme
        let connections: Int

        var name: String { "\(scheme.name) \(connections)" }

        /// Enough for the slowest generator.
        var connectingSeconds: Int { scheme.isSecure ? 3 + connections / 400 : 2 + connections / 3000 }
    }

    private var cases: [Case] {
        if let scheme { return [Case(scheme: scheme, connections: connections)] }
        return [64, 1000, 10_000].map { Case(scheme: .http, connections: $0) }
            + [1000, 5000].map { Case(scheme: .tls, connections: $0) }
            + [1000, 5000].map { Case(scheme: .http2, connections: $0) }
    }

    mutating func validate() throws {
        try require("--connections", connections, in: 1...18_000)
        try require("--seconds", seconds, in: 1...600)
    }

    func run() throws {
        let peers = Peer.installed
        try options.measure("poll", ["seconds": seconds], rewritingEvery: 2) { bench, round, document in
            for cell in cases {
                document.add(round: round, cell: cell.name, .podswarm, try podswarm(cell, bench))
                for peer in peers where cell.scheme.peers.contains(peer) {
                    document.add(round: round, cell: cell.name, peer.subject, try figures(of: peer, cell, bench))
                }
            }
        }
    }

    private func podswarm(_ cell: Case, _ bench: Bench) throws -> [Quantity: Double] {
        var order = EngineOrder(.closedLoop, cell.scheme, on: bench, viewers: cell.connections)
        // The marks come half a second after the engine is connected.
        order.seconds = seconds + 2
        let engine = try bench.engine(order)
        let steady = try steadyFigures(of: engine.child, cell, bench.server)
        _ = try engine.finish()
        return steady
    }

    private func figures(of peer: Peer, _ cell: Case, _ bench: Bench) throws -> [Quantity: Double] {
        let length = cell.connectingSeconds + seconds + 2
        let arguments = peer.closedLoop(
            cell.scheme,
            url: bench.server.playlistURL(cell.scheme),
            connections: cell.connections,
            seconds: length
        )
        let child = try bench.start(peer, arguments)
        let steady = try steadyFigures(of: child, cell, bench.server)
        _ = try peer.requests(in: try child.wait(atMostSeconds: length + 60).output)
        return steady
    }

    private static let settling: UInt32 = 500_000

    /// Measures any load generator from outside, between two marks with all connections open; it must outlast the second mark.
    private func steadyFigures(
        of child: ChildProcess,
        _ cell: Case,
        _ server: NginxServer
    ) throws(BenchmarkError) -> [Quantity: Double] {
        guard let clock = ProcessClock(child.identifier) else {
            throw .unusable(program: child.program, reason: "it ended at once")
        }
        for _ in 0..<cell.connectingSeconds * 10 where server.answeredConnections < cell.connections { usleep(100_000) }
        let open = server.answeredConnections
        guard open >= cell.connections else {
            throw .unusable(program: child.program, reason: "it has only \(open) of \(cell.connections) connections")
        }
        usleep(Self.settling)
        let first = (clock.microseconds, try server.requests(), ContinuousClock.now)
        sleep(UInt32(seconds))
        let last = (clock.microseconds, try server.requests(), ContinuousClock.now)
        // Minus the status request.
        let requests = last.1 - first.1 - 1
        guard requests > 0, kill(child.identifier, 0) == 0 else {
            throw .unusable(program: child.program, reason: "it ended before the second mark")
        }
        return [
            .cpuPerRequest: (last.0 - first.0) / Double(requests),
            .requestsPerSecond: Double(requests) / ((last.2 - first.2) / .seconds(1)),
        ]
    }
}
