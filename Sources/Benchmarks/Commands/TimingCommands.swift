import ArgumentParser

struct LatenessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lateness",
        abstract: "Planned to sent at a fixed rate, evenly spaced over all viewers.",
        discussion: """
            The peers do not say when a request should have left: h2load and hey are there for the CPU per request at \
            the same rate. It cannot be compared with a closed loop's: a paced loop sleeps between requests.
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
        let peers = options.peers()
        let parameters = [
            "spin_us": spin, "slot_us": slot, "viewers": viewers, "requests_per_second": rate, "seconds": seconds,
        ]
        try options.measure("lateness", parameters, rewritingEvery: 2) { bench, round, document in
            document.add(round: round, cell: "HTTP", .podswarm, try podswarm(bench, slotMicroseconds: 0))
            document.add(round: round, cell: Cell.inSlots, .podswarm, try podswarm(bench, slotMicroseconds: slot))
            for peer in peers {
                guard let figures = try figures(of: peer, bench) else { continue }
                document.add(round: round, cell: "HTTP", peer.subject, figures)
            }
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

    private func figures(of peer: Peer, _ bench: Bench) throws -> [Quantity: Double]? {
        let connecting = 3 + viewers / 2000
        let length = connecting + seconds + 2
        let arguments = peer.paced(
            .http,
            url: bench.server.playlistURL(.http),
            connections: viewers,
            perSecond: rate,
            seconds: length
        )
        guard let arguments else { return nil }
        let child = try bench.start(peer, arguments)
        let window = try SteadyWindow(
            of: child,
            connections: viewers,
            seconds: seconds,
            connectingSeconds: connecting,
            server: bench.server
        )
        _ = try peer.requests(in: try child.wait(atMostSeconds: length + 60).output)
        return window.figures
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
            let ways = (
                try bursts(.http2, secureViewers, bench).bursts, try bursts(.tls, secureViewers, bench).bursts
            )
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
