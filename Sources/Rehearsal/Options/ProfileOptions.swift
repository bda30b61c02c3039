import AdServing
package import ArgumentParser
import Console
package import LoadProfile
import ProfileSyntax
import Sockets
import Swarm
import Transport

/// A profile on the command line, with what overrides it.
package struct ProfileOptions: ParsableArguments {
    @Argument(help: "The profile, such as Profiles/quick.yaml.")
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

    /// All overrides as `field=value`, the short options first, so that a `--set` of the same field wins.
    package var overrides: [String] {
        let short = [("duration", duration), ("audience.viewers", viewers), ("seed", seed)]
        return short.compactMap { name, value in value.map { "\(name)=\($0)" } } + settings
    }

    /// Reads the profile, or fails with every mistake in it.
    ///
    /// - Parameter overrides: Fields to override, `field=value`; nil takes those of the command line.
    /// - Returns: A plan that needs no further checks.
    /// - Throws: `CommandFailure` that lists every mistake.
    package func plan(overrides: [String]? = nil) throws -> LoadPlan {
        try Self.plan(of: path, overrides: overrides ?? self.overrides)
    }

    /// Reads a profile, or fails with every mistake in it.
    ///
    /// - Parameters:
    ///   - path: The profile.
    ///   - overrides: Fields to override, `field=value`.
    /// - Returns: A plan that needs no further checks.
    /// - Throws: `CommandFailure` that lists every mistake.
    package static func plan(of path: String, overrides: [String]) throws -> LoadPlan {
        var read: LoadPlan?
        do {
            let overrides = try overrides.map { try Override(parsing: $0) }
            let plan = try ProfileReader().read(contentsOf: path, overrides: overrides)
            // Of several profiles in one run, what one of them hides must not come out under the other.
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
