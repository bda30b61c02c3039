import ArgumentParser
import Console
import LoadProfile
import Players
import Rehearsal

/// `podswarm profile`: reads profiles without running them.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Work with profiles.",
        subcommands: [Validate.self, Personas.self]
    )

    struct Personas: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "personas",
            abstract: "Show the players that a profile can name: every fact of each, or of one with its sources.",
            discussion: "The paths of facts are those under which audience.personas of a profile changes them."
        )

        @Argument(help: "One player, such as hlsjs; all side by side if left out.")
        var name: String?

        func run() throws {
            guard let name else {
                print(PersonaTable().text(), terminator: "")
                return
            }
            guard let known = KnownPersona.named(name) else {
                let names = KnownPersona.all.map(\.persona.name).joined(separator: ", ")
                throw CommandFailure(.badInput, "there is no persona \(name); there are \(names)")
            }
            print(PersonaTable([known]).text(), terminator: "")
        }
    }

    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Report every mistake in a profile, with its line and what is allowed.",
            discussion: "Exit status: 0 valid; 2 bad arguments, or mistakes in the profile."
        )

        @OptionGroup var profile: ProfileOptions

        func run() throws {
            let plan = try profile.plan()
            RunOutput.tell("\(profile.path): valid", on: .output)
            let audience = "\(plan.audience.viewers) viewers for \(plan.duration)"
            RunOutput.tell("  \(plan.name): \(audience), digest \(plan.digest.prefix(12))", on: .output)
        }
    }
}
