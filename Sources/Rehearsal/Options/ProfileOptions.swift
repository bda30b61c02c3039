import AdServing
package import ArgumentParser
package import Foundation
package import Profile
import Swarm
import Transport

package struct ProfileOptions: ParsableArguments {
    @Argument(help: Self.help, completion: Self.completion)
    package var path: String

    @Option(help: "How long viewers watch, such as 90s or 8h.")
    package var duration: String?

    @Option(help: "How many viewers.")
    package var viewers: String?

    @Option(help: "Seed of everything left to chance.")
    package var seed: String?

    @Option(
        name: .customLong("set"),
        help: "Override a field, such as breaks.podIdentifier=synchronised; may be repeated."
    )
    package var settings: [String] = []

    package init() {}

    /// The help text of every command's profile argument.
    package static let help: ArgumentHelp = "The profile: a file, or the name of a bundled one, such as quick."

    package static let completion = CompletionKind.custom { _, _, typed in ProfileCompletion.candidates(for: typed) }

    /// The profile's paths are relative to it.
    package var folder: URL { Self.folder(of: path) }

    /// The folder of a file or bundled profile; where neither exists, that of a file of this name.
    package static func folder(of path: String) -> URL {
        let file = (try? BundledProfiles.ofThisProcess.file(for: path)) ?? path
        return URL(fileURLWithPath: file).deletingLastPathComponent()
    }

    /// All overrides as `field=value`, the short options first, so that a `--set` of the same field wins.
    package var overrides: [String] {
        let short = [("duration", duration), ("audience.viewers", viewers), ("seed", seed)]
        return short.compactMap { name, value in value.map { "\(name)=\($0)" } } + settings
    }

    /// Parses the profile with the overrides, nil being those of the command line; throws `CommandFailure` with every mistake.
    package func plan(overrides: [String]? = nil) throws -> LoadPlan {
        try Self.plan(of: path, overrides: overrides ?? self.overrides)
    }

    /// Parses a file or bundled profile with the overrides, `field=value`; throws `CommandFailure` with every mistake.
    package static func plan(of path: String, overrides: [String]) throws -> LoadPlan {
        let path = try BundledProfiles.ofThisProcess.file(for: path)
        var read: LoadPlan?
        do {
            let overrides = try overrides.map { try Override(parsing: $0) }
            let plan = try ProfileReader().read(contentsOf: path, overrides: overrides)
            // With several profiles in one run, the secrets of one must not appear in the output of another.
            KnownSecrets.ofThisProcess = KnownSecrets.ofThisProcess.union(KnownSecrets(plan.secrets))
            read = plan
            try plan.connection.checkTLSFiles()
            return plan
        } catch let error as TransportError {
            // OpenSSL calls a file unreadable that it had no memory for.
            try read.map { try Preflight.Limits.ofThisMachine().check($0) }
            throw CommandFailure(.badInput, "\(path): connection: \(error)")
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
    }
}
