package import ArgumentParser
import Foundation
package import Profile
import Results
import Swarm
import Values

package struct RunOptions: ParsableArguments {
    @Option(name: .customLong("label"), help: "A label kept in the result, such as release=1.4.2; may be repeated.")
    package var labels: [String] = []

    @Option(help: "Folder that results are written to.")
    package var results = "results"

    @Flag(help: "Print nothing but errors and the path of the result.")
    package var quiet = false

    @Flag(help: "Write no page beside the result.")
    package var noReport = false

    @Flag(help: "Do not verify TLS certificates; the result says so.")
    package var insecure = false

    @Option(help: "Length of the windows that the result divides the run into, such as 1m.")
    package var window: String?

    @Option(help: "The first part of the run, such as 2m, that is kept apart and judged by nothing.")
    package var warmUp: String?

    @Option(
        help: .value("file", "Append one line of JSON to this file for each second that is over; - is standard output.")
    )
    package var intervals: String?

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Also write the result in another format, such as junit=junit.xml; may be repeated; - is standard output.",
            discussion: "The formats are those of `podswarm result export`.",
            valueName: "format=file"
        )
    )
    package var outputs: [String] = []

    @Option(
        help: .value("file", "Keep what the embedded origin counted itself, such as whom each planned fault touched.")
    )
    package var originTruth: String?

    @OptionGroup(title: "Virtual time") package var virtual: VirtualOptions

    @OptionGroup package var live: LiveOptions

    @OptionGroup(title: "Many machines") package var sharding: ShardOptions

    @Flag(help: "Leave the journal beside the result when the run is over.")
    package var keepJournal = false

    package init() {}

    /// Overrides of these options; they come before those of the user.
    package var overrides: [String] {
        (insecure ? ["connection.insecure=true"] : [])
            + (window.map { ["windows.length=\($0)"] } ?? [])
            + (warmUp.map { ["windows.warmUp=\($0)"] } ?? [])
    }

    /// The run of a plan with these options.
    ///
    /// Throws `CommandFailure` for malformed labels or outputs, a file that cannot be opened, or a page that cannot be served.
    package func session(of plan: LoadPlan, profile: ProfileOptions, judgesDrift: Bool) async throws -> RunSession {
        let exports = try outputs.map { try ExportTarget(parsing: $0) }
        let takesOutput = intervals == "-" || exports.contains(where: \.isStandardOutput)
        var session = RunSession(
            plan: plan,
            profileFolder: profile.folder,
            labels: try RunLabels.parse(labels),
            store: ResultStore(folder: URL(fileURLWithPath: results)),
            output: RunOutput(quiet: quiet, keepsOutputClear: takesOutput)
        )
        session.clock = try virtual.clock(
            of: plan,
            without: [
                (sharding.isUsed, "--shard, --rendezvous, --run-id and --merge"), (live.metrics != nil, "--metrics"),
                (live.dashboard != nil, "--dashboard"),
            ]
        )
        session.judgesDrift = judgesDrift
        session.writesReport = !noReport
        session.exports = exports
        session.shard = try await sharding.enrolment()
        // The merge of shards reads the journal.
        session.keepsJournal = keepJournal || session.shard != nil
        session.originTruthFile = originTruth
        session.sinks = try intervals.map { [try IntervalLines(path: $0, waits: session.clock.waitsForWriting)] } ?? []
        session.live = try await live.open(session.output)
        return session
    }
}

extension ArgumentHelp {
    /// Help of an option with a name for its value, such as `file`.
    package static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }
}
