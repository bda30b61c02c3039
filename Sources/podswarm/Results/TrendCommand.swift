import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Values

struct TrendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend",
        abstract: "Show the history of a profile, and whether its newest run is as the earlier ones let expect.",
        discussion: """
            Takes result files, folders (all results below them) and label:NAME=VALUE, and follows the profile of the \
            newest run on its class of machine:

              podswarm trend results/nightly
              podswarm trend results --csv nightly.csv --otava-config otava.yaml
              otava analyze --config-file otava.yaml nightly

            Of searches for a capacity (podswarm capacity) it follows the capacity instead, where no runs lie beside them \
            or --capacity is given. Runs that such a search made are ignored, unless label:capacity=ID asks for them.

            Exit status: 0 as expected, or better; 1 a gating metric of the newest run is worse than expected; \
            2 bad arguments; 3 too few runs, or the newest one says nothing certain.
            """
    )

    @Argument(help: "Results: files, folders, or label:NAME=VALUE.")
    var inputs: [String] = ["results"]

    @Option(help: "Where results with a label are looked for.")
    var results: String = "results"

    @Flag(help: "Follow capacities where a folder or label stands for runs too.")
    var capacity = false

    @Option(help: .value("digits", "The profile to follow, by the first digits of its digest."))
    var digest: String?

    @OptionGroup var gates: GateOptions

    @Option(help: .value("runs", "How many of the newest runs to look at."))
    var last = 100

    @Option(help: .value("file", "Write the history as JSON; - is standard output."))
    var json: String?

    @Option(help: .value("file", "Write the history as CSV, as Apache Otava reads it; - is standard output."))
    var csv: String?

    @Option(help: .value("file", "Write the configuration with which Apache Otava reads the file of --csv."))
    var otavaConfig: String?

    @Option(help: .value("file", "Write a page to look at; - is standard output."))
    var html: String?

    func validate() throws {
        guard (2...1_000).contains(last) else { throw ValidationError("--last must be from 2 to 1000.") }
        guard [json, csv, html].count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Only one of --json, --csv and --html can go to standard output.")
        }
        guard otavaConfig == nil || csv != nil && csv != "-" else {
            throw ValidationError("--otava-config needs --csv with a file.")
        }
    }

    func run() async throws {
        var options = ComparisonOptions.standard
        options.gates = try gates.quantiles()
        let read = try await ResultReader(results: results, distributions: [], prefersCapacities: capacity)
            .read(inputs)
        let skipped = read.skipped + read.unreadable
        let analysis = TrendAnalysis(options: options, digest: digest, runLimit: last)
        let document =
            read.capacities.isEmpty
            ? analysis.document(of: read.runs, skipped: skipped)
            : analysis.document(of: read.capacities, skipped: skipped)
        guard let document else {
            let wanted = digest.map { " of a profile with digest \($0)" } ?? ""
            throw CommandFailure(.badInput, "no result\(wanted) in \(inputs.joined(separator: " "))")
        }
        try deliver(document)
        throw ExitCode(Int32(clamping: document.verdict.exitCode))
    }

    private func deliver(_ document: TrendDocument) throws {
        let table = OtavaTable(of: document)
        try OutputPlace.write(json: document.json(), to: json)
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
        guard ![json, csv, html].contains(OutputPlace.standardOutput) else { return }
        StandardStream.output.write(document.text(StandardStream.output.rendering))
    }
}
