import AdServing
package import ArgumentParser
import Foundation
package import Results
import Values

package struct ShardOptions: ParsableArguments {
    @Option(
        "i/n",
        """
        Run shard i of n, such as 0/4: every n-th viewer of the plan. With --rendezvous it is taken from the scheduler \
        where it says: SLURM_PROCID, PMI_RANK, OMPI_COMM_WORLD_RANK; and JOB_COMPLETION_INDEX, with --shard /n or \
        PODSWARM_SHARDS for how many there are.
        """
    )
    package var shard: String?

    @OptionGroup package var meeting: RendezvousOptions

    @Option(help: "The name by which the shards of one run find each other; good for one run. Of Slurm: the job's.")
    package var runID: String?

    @Option("duration", "How long shards wait for each other to come. (default: 5m)")
    package var gatherWithin: String?

    @Option(
        "duration",
        "Time from the last shard's arrival to the start; all must be ready when a third is left. (default: 15s)"
    )
    package var startLead: String?

    @Flag(
        help: """
            When this shard has ended, wait for all others and make the one result: the exit status is then that of all, \
            and --dashboard and --metrics show all.
            """
    )
    package var merge = false

    @Option(
        "duration",
        "With --merge: how long a shard may say nothing before it is taken for lost; at least 15s. (default: 60s)"
    )
    package var silence: String?

    @Option(
        "percent",
        "With --merge: share of the viewers that shards may hold which were their own limit, such as 5%."
    )
    package var tolerateLimited: String?

    package init() {}

    package static let standardSilence = "60s"
    /// A shard sends something every ten seconds at least.
    package static let silences: ClosedRange<Duration> = .seconds(15) ... .seconds(86_400)

    package var isUsed: Bool { shard != nil || meeting.rendezvous != nil || runID != nil || merge }

    /// Nil for an undivided run; throws `CommandFailure` for missing options.
    package func enrolment() async throws -> ShardEnrolment? {
        guard let party = try party(mergesByItself: false) else { return nil }
        let place = try await meeting.address(runID: party.mark.runID, for: "--shard").open()
        var enrolment = ShardEnrolment(party.mark, at: place, timing: party.timing)
        enrolment.mergesWithin = merge ? party.silence : nil
        enrolment.toleratedLimitedShare = try tolerateLimited.map(MergeOptions.share) ?? 0
        return enrolment
    }

    /// Nil for an undivided run; throws `CommandFailure` for missing options and for those without effect.
    ///
    /// `mergesByItself` merges without `--merge`.
    package func party(mergesByItself: Bool) throws -> ShardParty? {
        try refuseUnused(mergesByItself: mergesByItself)
        guard isUsed else { return nil }
        guard meeting.rendezvous != nil else {
            throw CommandFailure("a run in shards: name the place where they meet with --rendezvous")
        }
        let environment = ProcessInfo.processInfo.environment
        let (index, count) = try CommandFailure.telling { try ShardMark.place(shard, environment: environment) }
        guard let runID = runID ?? environment["SLURM_JOB_ID"] else {
            throw CommandFailure("--rendezvous: name the run with --run-id, alike for all its shards")
        }
        let lead = try Duration(startLead ?? "15s", of: "--start-lead", in: .seconds(1) ... .seconds(3_600))
        let gathering = try Duration(gatherWithin ?? "5m", of: "--gather-within", in: .seconds(1) ... .seconds(86_400))
        return ShardParty(
            mark: ShardMark(runID: runID, index: index, count: count),
            timing: .init(gathering: gathering, lead: lead, margin: lead / 3),
            silence: try Duration(silence ?? Self.standardSilence, of: "--silence", in: Self.silences)
        )
    }

    private func refuseUnused(mergesByItself: Bool) throws(CommandFailure) {
        let ofMerge = [("--silence", silence), ("--tolerate-limited", tolerateLimited)]
        let ofShards = [
            ("--gather-within", gatherWithin), ("--start-lead", startLead),
            ("--rendezvous-token-file", meeting.rendezvousTokenFile), ("--rendezvous-ca", meeting.rendezvousCA),
        ]
        let place = "name their place with --rendezvous"
        let ofSearch = [
            (merge, "--merge: here the first shard makes the results of all without being asked to"),
            (tolerateLimited != nil, "--tolerate-limited: here each break is judged by itself, and whose limit it was"),
            (!isUsed && silence != nil, "--silence: it is of several shards; \(place)"),
        ]
        let checks =
            (mergesByItself
                ? ofSearch : ofMerge.map { (!merge && $1 != nil, "\($0): it is of the result that --merge makes") })
            + ofShards.map { (!isUsed && $1 != nil, "\($0): it is of a run of several shards; \(place)") }
        let problems = checks.filter(\.0).map(\.1)
        guard problems.isEmpty else { throw CommandFailure(problems.joined(separator: "\n")) }
    }
}

extension Duration {
    package init(
        _ text: String,
        of option: String,
        in range: ClosedRange<Duration> = .milliseconds(1) ... .seconds(86_400)
    ) throws(CommandFailure) {
        guard let duration = Duration(text: text), range.contains(duration) else {
            if text.last?.isNumber == true, let seconds = Duration(text: text + "s"), range.contains(seconds) {
                throw CommandFailure("\(option) \(text): has no unit; write \(option) \(text)s")
            }
            throw CommandFailure(
                "\(option) \(text): a duration from \(range.lowerBound.text) to \(range.upperBound.text), such as 30s"
            )
        }
        self = duration
    }
}

/// A process's shard, and its timeouts for the others.
package struct ShardParty: Sendable {
    package let mark: ShardMark
    package let timing: ShardMeeting.Timing
    /// Another shard then counts as lost.
    package let silence: Duration
}

package struct RendezvousOptions: ParsableArguments {
    @Option(
        "folder-or-url",
        "Where the shards meet: a folder that all see, or the http:// or https:// address of podswarm rendezvous."
    )
    package var rendezvous: String?

    @Option("file", "File with the token that the rendezvous asks for; or PODSWARM_RENDEZVOUS_TOKEN.")
    package var rendezvousTokenFile: String?

    @Option("file", "PEM file of the authorities that are trusted for an https:// rendezvous.")
    package var rendezvousCA: String?

    package init() {}

    /// Contacts nothing; warns of a token in clear text; `isThere` requires an existing folder.
    ///
    /// Throws `CommandFailure` for an invalid address, and for none: `user` is the option or command that needs it.
    package func address(runID: String, for user: String, isThere: Bool = false) throws -> RendezvousAddress {
        guard let rendezvous else {
            throw CommandFailure("\(user): name the place where the shards meet with --rendezvous")
        }
        try Self.check(runID: runID)
        guard !isThere || RendezvousAddress.isServer(rendezvous) || FileManager.default.fileExists(atPath: rendezvous)
        else { throw CommandFailure("--rendezvous \(rendezvous): there is no such folder") }
        let token = try CommandFailure.telling(rendezvousTokenFile == nil ? "" : "--rendezvous-token-file ") {
            try RendezvousToken.ofThisProcess(file: rendezvousTokenFile)
        }
        let address = try CommandFailure.telling("--rendezvous ") {
            try RendezvousAddress(rendezvous, runID: runID, token: token, authorities: rendezvousCA)
        }
        if address.showsToken {
            RunOutput.writeError("The token of the rendezvous goes over the network in the clear.\n")
        }
        return address
    }

    package static func check(runID: String) throws(CommandFailure) {
        guard ShardMeeting.isRunID(runID) else {
            throw CommandFailure("--run-id \(runID): at most 80 letters, digits, '-', '_' and '.'")
        }
    }
}

extension RendezvousToken {
    /// This process redacts the token from then on.
    package static func ofThisProcess(file: String?) throws(RendezvousError) -> RendezvousToken? {
        let token = try read(file: file, environment: ProcessInfo.processInfo.environment)
        if let token { KnownSecrets.ofThisProcess = KnownSecrets.ofThisProcess.union(KnownSecrets([token.text])) }
        return token
    }
}

package struct MergeOptions: ParsableArguments {
    @Option("share", "Share of the viewers that shards may hold together which were their own limit, such as 5%.")
    package var tolerateLimited = "0%"

    @Option("file", "What the podswarm origin counted that served this run and nothing else: its /origin/truth.json.")
    package var originTruth: String?

    @Option(
        "format=file",
        "Write the result in another format too; may be given several times.",
        name: .customLong("output")
    )
    package var outputs: [String] = []

    @Flag(help: "Write no page beside the result.")
    package var noReport = false

    @Flag(help: "Print nothing but errors and the path of the result.")
    package var quiet = false

    package init() {}

    package func merge() throws -> ShardMerge {
        let exports = try outputs.map(ExportTarget.init(parsing:))
        return ShardMerge(
            toleratedLimitedShare: try Self.share(tolerateLimited),
            originTruthFile: originTruth,
            exports: exports,
            writesReport: !noReport,
            output: RunOutput(quiet: quiet, keepsOutputClear: exports.contains(where: \.isStandardOutput))
        )
    }

    /// Percent, such as 5%, as a number from 0 to 1.
    package static func share(_ text: String) throws(CommandFailure) -> Double {
        let number = text.hasSuffix("%") ? text.dropLast() : Substring(text)
        guard text.hasSuffix("%"), let percent = Double(number), (0...100).contains(percent) else {
            throw CommandFailure("--tolerate-limited \(text): a share is from 0% to 100%, such as 5%")
        }
        return percent / 100
    }
}
