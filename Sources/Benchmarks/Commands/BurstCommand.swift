import ArgumentParser

/// Everybody asks at one instant.
struct BurstCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "All viewers ask at one instant T, and a bare loop sends over the same connections by turns.",
        discussion: "The peers have no instant that all connections keep, so that there is nobody to compare with."
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Connected viewers.")
    var viewers = 10_000

    @Option(help: "Bursts of each kind in one round.")
    var repetitions = 5

    mutating func validate() throws {
        guard (1...18_000).contains(viewers) else { throw ValidationError("--viewers must be between 1 and 18000") }
        guard (1...1000).contains(repetitions) else {
            throw ValidationError("--repetitions must be between 1 and 1000")
        }
    }

    func run() throws {
        var document = BenchmarkDocument(
            command: "burst",
            parameters: ["viewers": viewers, "repetitions": repetitions, "rounds": options.rounds]
        )
        try Bench.run(options) { bench in
            for round in 0..<options.rounds {
                var order = EngineOrder(.burst, .http, on: bench, viewers: viewers)
                order.repetitions = repetitions
                let report = try bench.engine(order).finish().report
                // Two bursts that follow each other are what is compared.
                for (index, (own, bare)) in zip(report.bursts, report.bareBursts).enumerated() {
                    let number = round * repetitions + index + 1
                    document.add(round: number, cell: "HTTP", .podswarm, own.figures)
                    document.add(round: number, cell: "HTTP", .bareSend, bare.figures)
                }
            }
        }
        try document.finish(json: options.json)
    }
}

extension BurstTimes {
    fileprivate var figures: [Quantity: Double] {
        [.firstSend: firstSend, .medianSend: medianSend, .lastSend: lastSend, .lastAnswer: lastAnswer]
    }
}
