import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Results
import Rules
import Values

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("compare")

    @Option(
        parsing: .upToNextOption,
        help: "Results of the release to compare with: files, folders, or label:NAME=VALUE."
    )
    var base: [String] = []

    @Option(parsing: .upToNextOption, help: "Results of the release in question, in the same forms.")
    var candidate: [String] = []

    @Argument(help: .hidden) var unnamed: [String] = []

    @Option(parsing: .upToNextOption, help: .hidden) var against: [String] = []

    @Option(help: "Where results with a label are looked for.")
    var results: String = "results"

    @Flag(help: "Compare capacities where a folder or label stands for runs too.")
    var capacity = false

    @OptionGroup var gates: GateOptions

    @Option(
        help: ArgumentHelp(
            "The relative change of a metric that is still accepted, such as playlist.response.p99=15; may be repeated.",
            discussion: "5 for p50, 10 for p95 and p99 unless declared.",
            valueName: "metric=percent"
        )
    )
    var margin: [String] = []

    @Option(help: "The absolute change below which no relative one counts.")
    var floor: String = "1ms"

    @Option("points", "The change of a rate that is still accepted, in percentage points.")
    var tolerance: Double = 0.1

    @Option(
        "aspect",
        "Compare although this differs: "
            + ComparisonOptions.Aspect.allCases.map(\.rawValue).joined(separator: ", ") + "; may be repeated."
    )
    var allowDifferent: [String] = []

    @Flag(help: "Leave aside client-limited, suspect, interrupted and aborted runs instead of refusing to compare.")
    var leaveUnfit = false

    @Option("file", "Write the comparison as JSON; - is standard output.")
    var json: String?

    @Option("file", "Write a Markdown summary, for a pull request; - is standard output.")
    var markdown: String?

    @Option("file", "Write the verdicts as JUnit XML, for a CI system; - is standard output.")
    var junit: String?

    @Option("file", "Write a page to look at; - is standard output.")
    var html: String?

    @Flag(help: "Print nothing but what goes to standard output by --json, --junit, --markdown or --html.")
    var quiet = false

    /// Called by `run`, so that a misspelt option is named first.
    private func checkSides() throws {
        guard unnamed.isEmpty, against.isEmpty else {
            throw CommandFailure(
                "the sides need names: write --base for the release to compare with and --candidate for the one in question."
            )
        }
        guard !base.isEmpty, !candidate.isEmpty else {
            throw CommandFailure("--\(base.isEmpty ? "base" : "candidate") is missing: name the results of both sides")
        }
        guard [json, junit, markdown, html].count(where: { $0 == OutputPlace.standardOutput }) < 2 else {
            throw CommandFailure("only one of --json, --junit, --markdown and --html can go to standard output.")
        }
    }

    func run() async throws {
        try checkSides()
        let options = try self.options()
        let reader = ResultReader(results: results, prefersCapacities: capacity)
        let base = try await reader.read(self.base)
        let candidate = try await reader.read(self.candidate)
        guard base.capacities.isEmpty == candidate.capacities.isEmpty else { throw CommandFailure(ResultReader.mixed) }
        if !base.capacities.isEmpty { return try compareCapacities(base, candidate, options) }
        let document = ReleaseComparison(options: options).compare(
            .init(inputs: self.base, runs: base.runs),
            against: .init(inputs: self.candidate, runs: candidate.runs),
            skipped: base.skipped + candidate.skipped,
            unreadable: base.unreadable + candidate.unreadable
        )
        try OutputPlace.write(json: document.json(), to: json)
        try OutputPlace.write(JUnitReport(of: document).xml(), to: junit)
        try OutputPlace.write(document.markdown, to: markdown)
        if let html {
            let times = [document.base, document.candidate].map { side in
                side.runs.reduce(into: ResponseTimes()) { $0.add(result: try? ResultFile.contents(of: $1.path)) }
            }
            try OutputPlace.write(document.html(times[0], times[1]), to: html)
        }
        show(document.text)
        throw ExitCode(Int32(clamping: document.verdict.exitCode))
    }

    private func compareCapacities(
        _ base: ResultReader.Found,
        _ candidate: ResultReader.Found,
        _ options: ComparisonOptions
    ) throws {
        guard junit == nil, html == nil, gates.gate.isEmpty, margin.isEmpty else {
            throw CommandFailure("--junit, --html, --gate and --margin are for results of runs")
        }
        let document = CapacityComparison(options: options).compare(
            .init(inputs: self.base, runs: base.capacities),
            against: .init(inputs: self.candidate, runs: candidate.capacities),
            skipped: base.skipped + candidate.skipped
        )
        try OutputPlace.write(json: document.json(), to: json)
        try OutputPlace.write(document.markdown, to: markdown)
        show(document.text)
        throw ExitCode(Int32(clamping: document.verdict.exitCode))
    }

    private func options() throws -> ComparisonOptions {
        var options = ComparisonOptions.standard
        options.gates = try gates.quantiles()
        for margin in self.margin {
            let (quantile, percent) = try Self.margin(margin)
            options.marginsPercent[quantile.name] = percent
        }
        options.floorMicroseconds = try Self.microseconds(floor)
        guard tolerance.isFinite, tolerance >= 0 else {
            throw CommandFailure("--tolerance must be a number that is not negative")
        }
        options.rateTolerancePoints = tolerance
        options.allowed = try Set(allowDifferent.map(Self.aspect))
        options.leavesUnfitAside = leaveUnfit
        return options
    }

    private static func margin(_ text: String) throws -> (ComparedQuantile, Double) {
        guard let equals = text.lastIndex(of: "=") else {
            throw CommandFailure(
                "--margin: '\(text)' is not a margin; write METRIC=PERCENT, as in playlist.response.p99=15"
            )
        }
        let number = text[text.index(after: equals)...]
        let digits = number.hasSuffix("%") ? number.dropLast() : number
        guard let percent = Double(digits), percent.isFinite, percent >= 0 else {
            throw CommandFailure("--margin: '\(number)' is not a margin in percent")
        }
        return (
            try CommandFailure.telling("--margin: ") { try ComparedQuantile(named: String(text[..<equals])) }, percent
        )
    }

    private static func microseconds(_ text: String) throws -> Double {
        guard let duration = try? ThresholdRule.microseconds(reading: text) else {
            throw CommandFailure("--floor: '\(text)' is not a duration; write a number with us, ms or s")
        }
        return duration
    }

    private static func aspect(_ name: String) throws -> ComparisonOptions.Aspect {
        guard let aspect = ComparisonOptions.Aspect(rawValue: name) else {
            let names = ComparisonOptions.Aspect.allCases.map(\.rawValue)
            let advice = NearestName.advice(for: name, among: names)
            throw CommandFailure("--allow-different: '\(name)' cannot be allowed to differ; \(advice)")
        }
        return aspect
    }

    private func show(_ text: (TextRendering) -> String) {
        guard !quiet, ![json, junit, markdown, html].contains(OutputPlace.standardOutput) else { return }
        StandardStream.output.write(text(StandardStream.output.rendering))
    }
}

struct GateOptions: ParsableArguments {
    @Option("metric", "A metric that decides, such as pod_manifest.response.p99; may be repeated.")
    var gate: [String] = []

    /// Nil without the option.
    func quantiles() throws(CommandFailure) -> [ComparedQuantile]? {
        let quantiles = try CommandFailure.telling("--gate: ") { try gate.map { try ComparedQuantile(named: $0) } }
        return quantiles.isEmpty ? nil : quantiles.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

struct TrendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("trend")

    @Argument(help: "Results: files, folders, or label:NAME=VALUE.")
    var inputs: [String] = ["results"]

    @Option(help: "Where results with a label are looked for.")
    var results: String = "results"

    @Flag(help: "Follow capacities where a folder or label stands for runs too.")
    var capacity = false

    @Option("digits", "The profile to follow, by the first digits of its digest.")
    var digest: String?

    @OptionGroup var gates: GateOptions

    @Option("runs", "How many of the newest runs to look at.")
    var last = 100

    @Option("file", "Write the history as JSON; - is standard output.")
    var json: String?

    @Option("file", "Write the history as CSV, as Apache Otava reads it; - is standard output.")
    var csv: String?

    @Option("file", "Write the configuration with which Apache Otava reads the file of --csv.")
    var otavaConfig: String?

    @Option("file", "Write a Markdown summary; - is standard output.")
    var markdown: String?

    @Option("file", "Write a page to look at; - is standard output.")
    var html: String?

    func validate() throws {
        guard (2...1_000).contains(last) else { throw ValidationError("--last must be from 2 to 1000.") }
        guard [json, csv, markdown, html].count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Only one of --json, --csv, --markdown and --html can go to standard output.")
        }
        guard otavaConfig == nil || csv != nil && csv != "-" else {
            throw ValidationError("--otava-config needs --csv with a file.")
        }
    }

    func run() async throws {
        var options = ComparisonOptions.standard
        options.gates = try gates.quantiles()
        let read = try await ResultReader(results: results, prefersCapacities: capacity).read(inputs)
        let skipped = read.skipped + read.unreadable
        let analysis = TrendAnalysis(options: options, digest: digest, runLimit: last)
        let document =
            read.capacities.isEmpty
            ? analysis.document(of: read.runs, skipped: skipped)
            : analysis.document(of: read.capacities, skipped: skipped)
        guard let document else {
            let wanted = digest.map { " of a profile with digest \($0)" } ?? ""
            throw CommandFailure("no result\(wanted) in \(inputs.joined(separator: " "))")
        }
        try deliver(document)
        throw ExitCode(Int32(clamping: document.verdict.exitCode))
    }

    private func deliver(_ document: TrendDocument) throws {
        let table = OtavaTable(of: document)
        try OutputPlace.write(json: document.json(), to: json)
        try OutputPlace.write(document.markdown, to: markdown)
        try OutputPlace.write(document.html(), to: html)
        if let csv {
            try OutputPlace.write(table.csv(), to: csv)
            if !table.metricsLeftOut.isEmpty {
                RunOutput.tell(
                    "podswarm: not in the CSV, because not every run has them: "
                        + table.metricsLeftOut.joined(separator: ", ")
                )
            }
            try OutputPlace.write(table.configuration(file: csv), to: otavaConfig)
        }
        guard ![json, csv, markdown, html].contains(OutputPlace.standardOutput) else { return }
        StandardStream.output.write(document.text(StandardStream.output.rendering))
    }
}
