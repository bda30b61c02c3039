import Foundation
import Results
import TestSupport

/// A run that is killed at some instant, with what it had told until then.
struct KilledRun: Sendable {
    /// A line of `--intervals`; counts are since the start of the run.
    struct Line: Decodable, Sendable {
        var number: Int
        var startMs, endMs: Int64
        var requests, errors, findings, podRequests, due, onTime, late, failed: UInt64
        var kept: Bool

        /// The whole lines of a file that `--intervals` named; none where it is not there yet.
        static func all(in file: String) throws -> [Self] {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
                try decoder.decode(Self.self, from: Data($0.utf8))
            }
        }

        /// What a result that ends with this interval, or goes on after it, does not say as this line does; nil where all
        /// of it agrees.
        func contradiction(of document: ResultDocument) -> String? {
            let upTo = document.series.points.prefix(number + 1)
            guard upTo.count == number + 1 else { return "interval \(number) is not there" }
            func sum<Part>(_ parts: some Sequence<Part>, _ count: (Part) -> UInt64) -> UInt64 {
                parts.reduce(0) { $0 + count($1) }
            }
            var figures: [(name: String, told: UInt64, found: UInt64)] = []
            figures.append(("requests", requests, sum(upTo, \.requests)))
            figures.append(("errors", errors, sum(upTo, \.errors)))
            figures.append(("findings", findings, sum(upTo, \.findings)))
            figures.append(("pod requests", podRequests, sum(upTo, \.podRequests)))
            if document.series.points.count == number + 1 {
                let each = document.breaks.each
                figures.append(("all requests", requests, sum(document.requests.values, \.count)))
                figures.append(("due", due, sum(each, \.due)))
                figures.append(("on time", onTime, sum(each, \.onTime)))
                figures.append(("late", late, sum(each, \.late)))
                figures.append(("failed", failed, sum(each) { sum($0.failed.values) { $0 } }))
            }
            return figures.first { $0.told != $0.found }
                .map { "line \(number): \($0.name), told \($0.told), found \($0.found)" }
        }
    }

    let rehearsal: Rehearsal
    let lines: [Line]

    /// Starts a run in virtual time and kills it.
    ///
    /// The run tells of its intervals in a pipe, and so is some hundreds of them ahead at most of those that are read. Without any
    /// it is killed as soon as it was started; with more than it has, after its end.
    static func of(_ profile: FastProfile, afterIntervals intervals: Int) async throws -> KilledRun {
        let rehearsal = try Rehearsal(profile.yaml)
        let script = """
            mkfifo "$0.pipe"
            "$@" --intervals "$0.pipe" > /dev/null & run=$!
            if ((\(intervals) > 0)); then exec 3< "$0.pipe"; fi
            for ((i = 0; i < \(intervals); i++)); do read -r line <&3 || break; echo "$line" >> "$0"; done
            kill -KILL $run 2> /dev/null
            wait
            """
        let virtually = ["--virtual-time", Rehearsal.virtualStart, "--quiet"]
        let command = [try PodswarmExecutable.path()] + rehearsal.arguments(virtually)
        _ = try await ExternalTool.bash.run(["-c", script, rehearsal.intervalsFile] + command)
        return KilledRun(rehearsal: rehearsal, lines: try rehearsal.intervalLines)
    }
}

extension Rehearsal {
    var intervalsFile: String { folder.file("intervals").path }

    /// The whole lines of `--intervals` so far.
    var intervalLines: [KilledRun.Line] { get throws { try KilledRun.Line.all(in: intervalsFile) } }
}
