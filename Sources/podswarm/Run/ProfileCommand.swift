import ArgumentParser
import Foundation
import Origin
import Profile
import Rehearsal
import Values

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration("profile", subcommands: [List.self, Validate.self, Personas.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration("profile list")

        func run() throws {
            let profiles = BundledProfiles()
            guard let folder = profiles.folder else {
                throw CommandFailure("no profiles found: name their folder in \(BundledProfiles.variable)")
            }
            let names = profiles.names
            guard !names.isEmpty else {
                throw CommandFailure("\(folder.path): no profiles there; see \(BundledProfiles.variable)")
            }
            let column = (names.map(\.count).max() ?? 0) + 2
            let width = StandardStream.output.width
            for name in names {
                let summary = profiles.summary(of: name)
                guard !summary.isEmpty else {
                    RunOutput.tell(name, on: .output)
                    continue
                }
                let lines = WrappedText.lines(
                    summary,
                    width: width,
                    first: name.padded(to: column),
                    then: String(repeating: " ", count: column)
                )
                RunOutput.tell(lines.joined(separator: "\n"), on: .output)
            }
            RunOutput.tell("They lie in \(folder.path).", on: .output)
        }
    }

    struct Personas: ParsableCommand {
        static let configuration = CommandConfiguration("profile personas")

        @Argument(help: "One player, such as hlsjs; all side by side if left out.")
        var name: String?

        func run() throws {
            guard let name else { return print(PersonaTable().text(), terminator: "") }
            guard let known = KnownPersona.named(name) else {
                let advice = NearestName.advice(for: name, among: KnownPersona.all.map(\.persona.name))
                throw CommandFailure("there is no persona '\(name)'; \(advice)")
            }
            print(PersonaTable([known]).text(), terminator: "")
        }
    }

    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration("profile validate")

        @OptionGroup var profile: ProfileOptions

        @Flag(help: "Print the profile with its included files, --set and environment; secrets are masked.")
        var show = false

        func run() throws {
            let plan = try profile.plan()
            if case .embedded(let origin) = plan.target {
                // Reads the files of faults and of the channel, whose mistakes would end a run at its start.
                let settings = OriginConfiguration(origin, of: plan, profileFolder: profile.folder)
                _ = try CommandFailure.telling { try OriginService(settings) }
            }
            if show { return StandardStream.output.write(try profile.resolved()) }
            RunOutput.tell("\(profile.path): valid", on: .output)
            let audience = "\(GroupedDigits.counted(plan.audience.viewers, "viewer")) for \(plan.duration.text)"
            RunOutput.tell("  \(plan.name): \(audience), digest \(plan.digest.prefix(12))", on: .output)
            if let note = plan.proxyNote { RunOutput.tell("  \(note)", on: .output) }
        }
    }
}
