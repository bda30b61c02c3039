import ArgumentParser
import Glibc
import Values

struct LatenessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lateness",
        abstract: "Planned to sent at a fixed rate, evenly spaced over all viewers.",
        discussion: """
            The CPU per request cannot be compared with a closed loop's: a paced loop sleeps between requests.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Connected viewers.")
    var viewers = 10_000

    @Option(help: "Requests per second of all viewers together.")
    var rate = 5_000

    @Option(help: "Seconds of load.")
    var seconds = 10

    @Option(help: "Microseconds before each instant in which podswarm reads the clock instead of sleeping.")
    var spin = 0

    @Option(help: "Microseconds of the slots that polls leave in, beside those that leave at instants of their own.")
    var slot = 1_000

    mutating func validate() throws {
        try require("--slot", slot, in: 1...100_000)
        try require("--viewers", viewers, in: 1...18_000)
        try require("--rate", rate, in: 1...1_000_000)
        try require("--spin", spin, in: 0...100_000)
        try require("--seconds", seconds, in: 1...600)
    }

    func run() throws {
        let parameters = [
            "spin_us": spin, "slot_us": slot, "viewers": viewers, "requests_per_second": rate, "seconds": seconds,
        ]
        try options.measure("lateness", parameters, rewritingEvery: 2) { bench, round, document in
            document.add(round: round, cell: "HTTP", .podswarm, try podswarm(bench, slotMicroseconds: 0))
            document.add(round: round, cell: Cell.inSlots, .podswarm, try podswarm(bench, slotMicroseconds: slot))
        }
    }

    private func podswarm(_ bench: Bench, slotMicroseconds: Int) throws -> [Quantity: Double] {
        var order = EngineOrder(.openLoop, .http, on: bench, viewers: viewers)
        order.requestsPerSecond = rate
        order.seconds = seconds
        order.spinMicroseconds = spin
        order.slotMicroseconds = slotMicroseconds
        let report = try bench.engine(order).finish().report
        guard report.loopRequests > 0 else { return [:] }
        let cpu = Double(report.loopCPUMicroseconds) / Double(report.loopRequests)
        return report.lateness.merging([.cpuPerRequest: cpu]) { $1 }
    }
}

struct BurstCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "All viewers ask at one instant T, and a bare loop sends over the same connections by turns.",
        discussion: """
            The peers have no instant that all connections keep, so they are left out. Over TLS the \
            bursts of HTTP/2 are compared with those of HTTP/1.1.
            """
    )

    @OptionGroup var options: BenchOptions

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
                document.add(round: number, cell: "HTTP", .podswarm, own.figures)
                document.add(round: number, cell: "HTTP", .bareSend, bare.figures)
            }
            let ways = (try bursts(.http2, secureViewers, bench).bursts, try bursts(.tls, secureViewers, bench).bursts)
            for (index, (own, old)) in zip(ways.0, ways.1).enumerated() {
                let number = (round - 1) * repetitions + index + 1
                document.add(round: number, cell: "HTTP/2", .podswarm, own.figures)
                document.add(round: number, cell: "HTTP/2", .overHTTP1, old.figures)
            }
        }
    }

    private func bursts(_ scheme: Scheme, _ viewers: Int, _ bench: Bench) throws -> EngineReport {
        var order = EngineOrder(.burst, scheme, on: bench, viewers: viewers)
        order.repetitions = repetitions
        return try bench.engine(order).finish().report
    }
}

extension BurstTimes {
    fileprivate var figures: [Quantity: Double] {
        [.firstSend: firstSend, .medianSend: medianSend, .lastSend: lastSend, .lastAnswer: lastAnswer]
    }
}

struct PollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "CPU per poll: every connection asks again as soon as it has been answered.",
        discussion: """
            The playlist changes every two seconds. podswarm's viewers record every answer and compare or parse it; \
            the peers throw it away. Without --scheme all cells are measured.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "One cell only: http, tls, http2 or h2c.")
    var scheme: Scheme?

    @Option(help: "Connections of that one cell, one for each viewer.")
    var connections = 1000

    @Option(help: "Seconds between the two marks of a run.")
    var seconds = 6

    @Flag(help: "One cell, a thousand connections over HTTP.")
    var quick = false

    private struct Case {
        let scheme: Scheme
        let connections: Int

        var name: String { "\(scheme.name) \(connections)" }

        /// Enough for the slowest generator.
        var connectingSeconds: Int { scheme.isSecure ? 3 + connections / 400 : 2 + connections / 3000 }
    }

    private var cases: [Case] {
        if quick { return [Case(scheme: .http, connections: 1000)] }
        if let scheme { return [Case(scheme: scheme, connections: connections)] }
        let overEither =
            [64, 1000, 10_000].map { Case(scheme: .http, connections: $0) }
            + [1000, 5000].map { Case(scheme: .tls, connections: $0) }
            + [1000, 5000].map { Case(scheme: .http2, connections: $0) }
        return options.transport == .curl ? overEither : overEither + [Case(scheme: .h2c, connections: 1000)]
    }

    mutating func validate() throws {
        try require("--connections", connections, in: 1...18_000)
        try require("--seconds", seconds, in: 1...600)
        guard scheme != .h2c || options.transport == .auto else {
            throw ValidationError("--scheme h2c: libcurl speaks HTTP/2 over TLS only; leave out --transport curl")
        }
    }

    func run() throws {
        let peers = try options.requiredPeers()
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
        let window = try window(of: engine.child, cell, bench)
        let (report, resources, _) = try engine.finish()
        return figures(window, resources, requests: report.requests, cell)
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
        let window = try window(of: child, cell, bench)
        let (report, resources) = try child.wait(atMostSeconds: length + 60)
        return figures(window, resources, requests: try peer.requests(in: report), cell)
    }

    private func window(of child: ChildProcess, _ cell: Case, _ bench: Bench) throws -> SteadyWindow {
        try SteadyWindow(
            of: child,
            connections: cell.connections,
            seconds: seconds,
            connectingSeconds: cell.connectingSeconds,
            server: bench.server
        )
    }

    private func figures(
        _ window: SteadyWindow,
        _ resources: ChildProcess.Resources,
        requests: Int,
        _ cell: Case
    ) -> [Quantity: Double] {
        window.figures.merging(
            [
                .wholeCPUPerRequest: resources.cpuMicroseconds / Double(requests),
                .peakResident: Double(resources.peakResidentBytes) / Double(cell.connections),
            ]
        ) { $1 }
    }
}

/// Measures any load generator from outside, between two marks with all connections open.
struct SteadyWindow {
    let cpuMicroseconds: Double
    let requests: Int
    let seconds: Double

    private static let settling: UInt32 = 500_000

    /// The generator must outlast the second mark.
    init(
        of child: ChildProcess,
        connections: Int,
        seconds: Int,
        connectingSeconds: Int,
        server: NginxServer
    ) throws(BenchmarkError) {
        guard let clock = ProcessClock(child.identifier) else {
            throw .unusable(program: child.program, reason: "it ended at once")
        }
        for _ in 0..<connectingSeconds * 10 where server.answeredConnections < connections { usleep(100_000) }
        let open = server.answeredConnections
        guard open >= connections else {
            throw .unusable(program: child.program, reason: "it has only \(open) of \(connections) connections")
        }
        usleep(Self.settling)
        let first = (clock.microseconds, try server.requests(), ContinuousClock.now)
        sleep(UInt32(seconds))
        let last = (clock.microseconds, try server.requests(), ContinuousClock.now)
        cpuMicroseconds = last.0 - first.0
        // Minus the status request.
        requests = last.1 - first.1 - 1
        self.seconds = (last.2 - first.2) / .seconds(1)
        guard requests > 0, kill(child.identifier, 0) == 0 else {
            throw .unusable(program: child.program, reason: "it ended before the second mark")
        }
    }

    var figures: [Quantity: Double] {
        [.cpuPerRequest: cpuMicroseconds / Double(requests), .requestsPerSecond: Double(requests) / seconds]
    }
}
