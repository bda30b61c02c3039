import ArgumentParser
import Foundation
import Rehearsal
import Results
import Rules
import Transport
import Values

@main
struct Podswarm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "podswarm",
        version: PodswarmVersion.current,
        subcommands: [
            InitCommand.self, RunCommand.self, SoakCommand.self, RecoverCommand.self, MergeCommand.self,
            WatchCommand.self, RendezvousCommand.self, CompareCommand.self, TrendCommand.self, ReportCommand.self,
            ResultsCommand.self, CheckCommand.self, PlanCommand.self, CapacityCommand.self, AudienceCommand.self,
            OriginCommand.self, ExplainCommand.self, LintCommand.self, ProfileCommand.self, ResultCommand.self,
        ]
    )

    static func main() async {
        // A closed pipe must not end the process before it has written its result.
        signal(SIGPIPE, SIG_IGN)
        // The failing write then reports a limit on file sizes (ulimit -f).
        signal(SIGXFSZ, SIG_IGN)
        Interruption.tellBeforeListening()
        do {
            // Without arguments from /proc every command would print its help and succeed.
            guard !CommandLine.arguments.isEmpty else {
                throw CommandFailure("/proc is not mounted, so that podswarm does not know its arguments")
            }
            try Self.checkDescriptors(DescriptorLimit.raise())
            let arguments = Self.joined(CommandLine.arguments.dropFirst())
            try Self.checkCommands(arguments)
            try Self.checkRemovedOptions(arguments)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            PodswarmExit.leave(PodswarmExit.passed.rawValue)
        } catch let failure as CommandFailure {
            RunOutput.tell("podswarm: \(failure.message)")
            PodswarmExit.leave(failure.exit.rawValue)
        } catch let code as ExitCode {
            PodswarmExit.leave(code.rawValue)
        } catch {
            leave(error)
        }
    }

    /// libdispatch traps where it cannot open the few descriptors of its own.
    private static func checkDescriptors(_ limit: Int) throws {
        guard limit < leastDescriptors else { return }
        throw CommandFailure(
            "this process may open \(limit) files, and podswarm needs \(leastDescriptors): raise the limit (ulimit -n 1024)"
        )
    }

    private static let leastDescriptors = 16

    /// Joins a negative number to its option: alone it would be read as an option, and the value be called missing.
    private static func joined(_ arguments: some Sequence<String>) -> [String] {
        arguments.reduce(into: []) { joined, argument in
            if let option = joined.last, option.hasPrefix("--"), option.utf8.count > 2, !option.contains("="),
                argument.first == "-", argument.dropFirst().first?.isNumber == true
            {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
    }

    /// Throws `CommandFailure` for an unknown command, which the parser takes for a stray argument, or ignores after `help`.
    private static func checkCommands(_ arguments: [String]) throws {
        var commands = configuration.subcommands
        for word in arguments[(arguments.first == "help" ? 1 : 0)...] {
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" || arguments.first == "help" else { return }
            let names = commands.compactMap { $0.configuration.commandName }
            guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
                throw CommandFailure("there is no command '\(word)'; \(NearestName.advice(for: word, among: names))")
            }
            commands = command.configuration.defaultSubcommand == nil ? command.configuration.subcommands : []
        }
    }

    private static func checkRemovedOptions(_ arguments: [String]) throws {
        guard let command = arguments.first else { return }
        for option in arguments.dropFirst().prefix(while: { $0 != "--" }).map({ $0.prefix { $0 != "=" } })
        where option.hasPrefix("--") {
            guard let advice = CommandText.all["\(command) \(option)"]?.abstract else { continue }
            throw CommandFailure("\(command) \(option) was removed: \(advice)")
        }
    }

    /// Usage errors end with status 2.
    private static func leave(_ error: any Error) -> Never {
        let text = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            print(text)
            PodswarmExit.leave(PodswarmExit.passed.rawValue)
        }
        let isUsage = exitCode(for: error) == .validationFailure
        RunOutput.tell(text)
        PodswarmExit.leave((isUsage ? PodswarmExit.badInput : .ownDefect).rawValue)
    }
}
