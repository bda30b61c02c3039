package import ArgumentParser
import Foundation
import Transport

package struct BenchmarksCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "podswarm-benchmarks",
        abstract: "Measures podswarm beside other load generators, alternating on one nginx.",
        discussion: """
            nginx is started on one core, the load generators take turns on another. Absolute figures move with the \
            machine and the minute: the ratios within a round are what to compare.

            Exit status: 0 done; 1 a limit or a proof does not hold; 2 there are no figures, such as where a program \
            is missing or fails; 64 bad arguments.
            """,
        subcommands: [
            PollCommand.self, PeersCommand.self, BurstCommand.self, LatenessCommand.self, MemoryCommand.self,
            HandshakeCommand.self,
            ParseCommand.self, CleanCommand.self, FaultyCommand.self,
            InstructionsCommand.self, NightCommand.self, EngineCommand.self,
        ],
        defaultSubcommand: PollCommand.self
    )

    /// 1 says that a figure misses its bar.
    private static let withoutFigures: Int32 = 2

    package init() {}

    /// Runs what the command line asks for, and ends the process.
    package static func main() {
        DescriptorLimit.raise()
        do {
            var command = try parseAsRoot()
            try command.run()
            // A loop's queue may still close connections whose state OpenSSL's exit handler frees.
            fflush(nil)
            _exit(0)
        } catch let error as BenchmarkError {
            tell("Error: \(error)")
            Foundation.exit(withoutFigures)
        } catch {
            exit(withError: error)
        }
    }
}
