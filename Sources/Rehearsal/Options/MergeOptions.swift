package import ArgumentParser

package struct MergeOptions: ParsableArguments {
    @Option(
        help: .value(
            "share",
            "Share of the viewers that shards may hold together which were their own limit, such as 5%."
        )
    )
    package var tolerateLimited = "0%"

    @Option(
        help: .value(
            "file",
            "What the podswarm origin counted that served this run and nothing else: its /origin/truth.json."
        )
    )
    package var originTruth: String?

    @Option(
        name: .customLong("output"),
        help: .value("format=file", "Write the result in another format too; may be given several times.")
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

    /// Parses a share in percent, such as 5%, as a number from 0 to 1.
    package static func share(_ text: String) throws(CommandFailure) -> Double {
        let number = text.hasSuffix("%") ? text.dropLast() : Substring(text)
        guard text.hasSuffix("%"), let percent = Double(number), (0...100).contains(percent) else {
            throw CommandFailure(.badInput, "--tolerate-limited \(text): a share is from 0% to 100%, such as 5%")
        }
        return percent / 100
    }
}
