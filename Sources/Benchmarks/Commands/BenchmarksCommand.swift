import ArgumentParser

/// podswarm's figures beside those of other load generators, on the same nginx in the same minute.
@main
struct BenchmarksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podswarm-benchmarks",
        abstract: "Measures podswarm beside wrk, h2load and hey, alternating on one nginx.",
        discussion: """
            nginx is started on one core, the load generators take turns on another. Absolute figures move with the \
            machine and the minute: the ratios within a round are what to compare.
            """,
        subcommands: [
            PollCommand.self, BurstCommand.self, LatenessCommand.self, MemoryCommand.self, HandshakeCommand.self,
            ParseCommand.self, RecordCommand.self, CleanCommand.self, FaultyCommand.self, InstructionsCommand.self,
            SameCommand.self,
            EngineCommand.self,
        ],
        defaultSubcommand: PollCommand.self
    )
}
