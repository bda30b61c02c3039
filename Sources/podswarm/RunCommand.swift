import ArgumentParser
import Foundation
import LoadProfile
import Measurement

/// `podswarm run`: rehearses the breaks of a profile and writes the result.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Rehearse the ad breaks of a profile and write a result.",
        discussion: PodswarmExit.discussion
    )

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var options: RunOptions

    @OptionGroup var repetition: RepetitionOptions

    @Flag(help: "Fail where a series of windows creeps, as a soak does.")
    var failOnDrift = false

    func run() async throws {
        guard self.repetition.isRepeated else {
            throw try await self.session(self.profile, self.options).run().code
        }
        let repetition = RunRepetition(options: self.repetition, profile: self.profile, run: self.options)
        throw try await repetition.perform(self.session).code
    }

    private func session(_ profile: ProfileOptions, _ options: RunOptions) async throws -> RunSession {
        let plan = try profile.plan(overrides: profile.overrides + options.overrides)
        return try await options.session(
            of: plan,
            profile: profile,
            judgesDrift: self.failOnDrift || plan.windows.failsOnDrift ?? false
        )
    }
}

/// A profile on the command line, with what overrides it.
struct ProfileOptions: ParsableArguments {
    @Argument(help: "The profile, such as Profiles/quick.yaml.")
    var path: String

    @Option(help: "How long viewers watch, such as 90s or 8h.")
    var duration: String?

    @Option(help: "How many viewers.")
    var viewers: String?

    @Option(help: "Seed of everything left to chance.")
    var seed: String?

    @Option(
        name: .customLong("set"),
        help: "Override a field, such as breaks.podIdentifier=synchronised; may be repeated."
    )
    var settings: [String] = []

    /// All overrides as `field=value`, the short options first, so that a `--set` of the same field wins.
    var overrides: [String] {
        let short = [("duration", self.duration), ("audience.viewers", self.viewers), ("seed", self.seed)]
        return short.compactMap { name, value in value.map { "\(name)=\($0)" } } + self.settings
    }

    /// Reads the profile, or fails with every mistake in it.
    ///
    /// - Parameter overrides: Fields to override, `field=value`; nil takes those of the command line.
    /// - Returns: A plan that needs no further checks.
    /// - Throws: `CommandFailure` that lists every mistake.
    func plan(overrides: [String]? = nil) throws -> LoadPlan {
        try Self.plan(of: self.path, overrides: overrides ?? self.overrides)
    }

    /// Reads a profile, or fails with every mistake in it.
    ///
    /// - Parameters:
    ///   - path: The profile.
    ///   - overrides: Fields to override, `field=value`.
    /// - Returns: A plan that needs no further checks.
    /// - Throws: `CommandFailure` that lists every mistake.
    static func plan(of path: String, overrides: [String]) throws -> LoadPlan {
        do {
            let overrides = try overrides.map { try Override(parsing: $0) }
            return try ProfileReader(vocabulary: .ofThisVersion).read(contentsOf: path, overrides: overrides)
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
    }
}

extension ProfileVocabulary {
    /// The metrics and finding codes that this version knows.
    static let ofThisVersion = ProfileVocabulary(
        findingCodes: FindingCode.table.map(\.code),
        checkThreshold: { text in
            do {
                _ = try ThresholdRule(parsing: text)
                return nil
            } catch {
                return "\(error)"
            }
        }
    )
}

extension [ThresholdText] {
    /// The rules that the texts spell; a plan holds none that `ProfileVocabulary.ofThisVersion` has refused.
    var rules: [ThresholdRule] {
        self.compactMap { try? ThresholdRule(parsing: $0.text) }
    }
}

/// An end that is not a success, with its exit status and what to tell the person.
struct CommandFailure: Error {
    var exit: PodswarmExit
    var message: String

    init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
