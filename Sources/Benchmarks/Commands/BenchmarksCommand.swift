package import ArgumentParser
import Foundation
import Rules
import Transport

package struct BenchmarksCommand: ParsableCommand {
    private static let help = CommandText.of("benchmarks")
    package static let configuration = CommandConfiguration(
        commandName: "podswarm-benchmarks",
        abstract: help.abstract,
        discussion: help.discussion,
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
