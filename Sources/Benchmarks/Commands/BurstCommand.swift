import ArgumentParser

struct BurstCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "All viewers ask at one instant T, and a bare loop sends over the same connections by turns.",
        discussion: """
            The peers have no instant that all connections keep, so that there is nobody to compare with. Over TLS the \
            bursts of HTTP/2 are held against those of HTTP/1.1.
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
