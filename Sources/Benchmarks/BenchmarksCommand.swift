import ArgumentParser

/// The engine's figures beside those of wrk and h2load, on the same nginx in the same run.
@main
struct BenchmarksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podswarm-benchmarks",
        abstract: "Measures podswarm's engine beside wrk and h2load, alternating on one nginx.",
        discussion: """
            nginx is started on one core, the load generators take turns on another. Absolute figures move with the \
            machine and the minute: the ratios within a round are what to compare.
            """,
        subcommands: [PollCommand.self, MemoryCommand.self, EngineCommand.self],
        defaultSubcommand: PollCommand.self
    )
}

/// What both measurements are asked.
struct CommonOptions: ParsableArguments {
    @Option(help: "Rounds; in each one every generator runs once.")
    var rounds = 3

    @Option(help: "Core of nginx.")
    var serverCore = 0

    @Option(help: "Core of the generator that is measured.")
    var clientCore = 1

    @Option(help: "Also write the figures to this file as JSON.")
    var json: String?

    mutating func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1") }
        guard serverCore >= 0, clientCore >= 0, serverCore != clientCore else {
            throw ValidationError("--server-core and --client-core must be two different cores")
        }
    }
}
