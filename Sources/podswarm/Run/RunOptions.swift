import ArgumentParser
import Console
import Foundation
import LoadProfile
import RunResult

/// What every command that makes a run takes besides the profile.
struct RunOptions: ParsableArguments {
    @Option(name: .customLong("label"), help: "A label kept in the result, such as release=1.4.2; may be repeated.")
    var labels: [String] = []

    @Option(help: "Folder that results are written to.")
    var results = "results"

    @Flag(help: "Print nothing but errors and the path of the result.")
    var quiet = false

    @Flag(help: "Write no page beside the result.")
    var noReport = false

    @Flag(help: "Do not verify TLS certificates; the result says so.")
    var insecure = false

    @Option(help: "Length of the windows that the result divides the run into, such as 1m.")
    var window: String?

    @Option(help: "The first part of the run, such as 2m, that is kept apart and judged by nothing.")
    var warmUp: String?

    @Option(
        help: ArgumentHelp(
            "Append one line of JSON to this file for each second that is over; - is standard output.",
            valueName: "file"
        )
    )
    var intervals: String?

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Also write the result in another format, such as junit=junit.xml; may be repeated; - is standard output.",
            discussion: "The formats are those of `podswarm result export`.",
            valueName: "format=file"
        )
    )
    var outputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep what the embedded origin counted itself, such as whom each planned fault touched.",
            valueName: "file"
        )
    )
    var originTruth: String?

    @OptionGroup var live: LiveOptions

    @OptionGroup(title: "Many machines") var sharding: ShardOptions

    @Flag(help: "Leave the journal beside the result when the run is over.")
    var keepJournal = false

    /// Overrides that follow from these options; they come before those of the user.
    var overrides: [String] {
        (insecure ? ["connection.insecure=true"] : [])
            + (window.map { ["windows.length=\($0)"] } ?? [])
            + (warmUp.map { ["windows.warmUp=\($0)"] } ?? [])
    }

    /// The run that a plan and these options ask for.
    ///
    /// - Throws: `CommandFailure` for malformed labels or outputs, a file that cannot be opened, or a page that cannot
    ///   be served.
    func session(of plan: LoadPlan, profile: ProfileOptions, judgesDrift: Bool) async throws -> RunSession {
        let exports = try outputs.map { try ExportTarget(parsing: $0) }
        let takesOutput = intervals == "-" || exports.contains(where: \.isStandardOutput)
        var session = RunSession(
            plan: plan,
            profileFolder: URL(fileURLWithPath: profile.path).deletingLastPathComponent(),
            labels: try parsedLabels(),
            store: ResultStore(folder: URL(fileURLWithPath: results)),
            output: RunOutput(quiet: quiet, keepsOutputClear: takesOutput)
        )
        session.judgesDrift = judgesDrift
        session.writesReport = !noReport
        session.exports = exports
        session.shard = try await sharding.enrolment()
        // It is what the shards' one result is made of.
        session.keepsJournal = keepJournal || session.shard != nil
        session.originTruthFile = originTruth
        session.sinks = try intervals.map { [try IntervalLines(path: $0)] } ?? []
        session.live = try await live.open(session.output)
        return session
    }

    private func parsedLabels() throws -> [String: String] {
        var parsed: [String: String] = [:]
        for label in labels {
            let parts = label.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandFailure(.badInput, "--label \(label): a label is name=value, such as release=1.4.2")
            }
            guard parsed.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw CommandFailure(.badInput, "--label \(parts[0]) is given twice")
            }
        }
        return parsed
    }
}
