import ArgumentParser
import LoadProfile

/// `podswarm profile`: reads profiles without running them.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Work with profiles.",
        subcommands: [Validate.self]
    )

    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Report every mistake in a profile, with its line and what is allowed.",
            discussion: PodswarmExit.discussion
        )

        @OptionGroup var profile: ProfileOptions

        func run() throws {
            let plan = try self.profile.plan()
            print("\(self.profile.path): valid")
            let audience = "\(plan.audience.viewers) viewers for \(plan.duration)"
            print("  \(plan.name): \(audience), digest \(plan.digest.prefix(12))")
        }
    }
}
