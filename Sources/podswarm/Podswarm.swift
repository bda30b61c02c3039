import ArgumentParser
import Foundation
import Rehearsal
import Results

@main
struct Podswarm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podswarm",
        abstract: "Rehearse a live ad break with thousands of viewers, and say who got the pod in time.",
        discussion: """
            A first run needs nothing but podswarm itself:

              podswarm run quick

            A first profile for a stream of your own, and a first look at it:

              podswarm init https://live.example.com/channel/multivariant.m3u8
              podswarm check my-channel.yaml

            What a run would ask of it, without a run:

              podswarm plan my-channel.yaml

            \(PodswarmExit.discussion)
            """,
        version: PodswarmVersion.current,
        subcommands: [
            InitCommand.self, RunCommand.self, SoakCommand.self, RecoverCommand.self, MergeCommand.self,
            WatchCommand.self, RendezvousCommand.self, CompareCommand.self, TrendCommand.self, ReportCommand.self,
            ResultsCommand.self, CheckCommand.self, PlanCommand.self, CapacityCommand.self, AudienceCommand.self,
            OriginCommand.self,
            ExplainCommand.self, LintCommand.self, ProfileCommand.self, ResultCommand.self,
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
                throw CommandFailure(.badInput, "/proc is not mounted, so that podswarm does not know its arguments")
            }
            var command = try parseAsRoot()
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
