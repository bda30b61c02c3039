import ArgumentParser
import Foundation
import Results
import Rules
import Values

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration("clean")

    @Option(help: "Answers to be checked.")
    var responses: UInt64 = 2_000_000

    @Option(help: "Seconds of a run.")
    var seconds = 120

    @Option(help: "Viewers of a run.")
    var viewers = 2_000

    @Option(help: "Folder of the profiles.")
    var profiles = "Profiles"

    @Flag(help: "Go over sockets, and take as long as is asked for.")
    var overSockets = false

    private static let names = [
        "quick", "interstitials", "low-latency", "targeted", "prime-time", "soak",
        "targets/eyevinn-proxy", "targets/media-tailor", "targets/url-templates",
    ]

    mutating func validate() throws {
        try require("--responses", Int(clamping: responses), in: 1...Int.max)
        try require("--seconds", seconds, in: 30...3_600)
        try require("--viewers", viewers, in: 1...10_000)
        for name in Self.names where !FileManager.default.isReadableFile(atPath: path(of: name)) {
            throw ValidationError("\(path(of: name)): no such file; start this at the package's root")
        }
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var tally = CleanTally()
        var number = 0
        // Each profile has its turn, even for few answers.
        while number < Self.names.count || tally.checked < responses {
            let name = Self.names[number % Self.names.count]
            number += 1
            let before = tally.checked
            tally.add(try result(of: name, seed: number, in: folder), of: name)
            guard tally.checked > before else {
                throw BenchmarkError.unusable(program: "podswarm", reason: "\(name) had no answers")
            }
            tell("run \(number), \(name): \(tally.checked - before) checked")
        }
        print("clean, responses \(responses), runs \(number), seconds \(seconds), viewers \(viewers)\n\n\(tally.text)")
        guard tally.isClean else { throw ExitCode(1) }
    }

    private func path(of name: String) -> String { "\(profiles)/\(name).yaml" }

    private func result(of name: String, seed: Int, in folder: URL) throws -> ResultDocument {
        try ProfileRun(profile: path(of: name), viewers: viewers, seconds: seconds, overSockets: overSockets).result(
            ["--set", "seed=\(seed)"],
            in: folder.appendingPathComponent("\(seed)")
        )
    }
}

struct CleanTally {
    private static let unchecked: Set<RequestKind> = [.segment, .podSegment, .part, .beacon, .key, .preflight]

    private var answers: [RequestKind: UInt64] = [:]
    private var errors: [RequestKind: UInt64] = [:]
    private var found: [Found: (severity: String, count: UInt64, evidence: String)] = [:]

    private struct Found: Hashable {
        let profile: String
        let code: String
    }

    var checked: UInt64 { answers.reduce(0) { Self.unchecked.contains($1.key) ? $0 : $0 + $1.value } }

    /// Advice is allowed.
    var isClean: Bool { !found.values.contains { $0.severity != Severity.advice.rawValue } }

    mutating func add(_ result: ResultDocument, of profile: String) {
        for kind in RequestKind.allCases {
            guard let requests = result.requests[kind.name] else { continue }
            answers[kind, default: 0] += requests.count
            errors[kind, default: 0] += requests.errors
        }
        for finding in result.findings {
            let first = finding.occurrences.first
            let evidence = "\(finding.viewers) viewers; \(first.map { "\($0)" } ?? "no occurrence is listed")"
            let place = Found(profile: profile, code: finding.code)
            found[place, default: (finding.severity, 0, String(evidence.prefix(600)))].count += finding.count
        }
    }

    var text: String {
        let kinds = RequestKind.allCases.filter { answers[$0, default: 0] > 0 }
        var lines = [["", "answers", "errors"]]
        lines += kinds.map { kind in
            let name = kind.name + (Self.unchecked.contains(kind) ? " (not checked)" : "")
            return [name, "\(answers[kind, default: 0])", "\(errors[kind, default: 0])"]
        }
        lines.append(["checked", "\(checked)", ""])
        let findings = found.sorted { ($0.key.profile, $0.key.code) < ($1.key.profile, $1.key.code) }.map {
            "\($0.profile): \($1.severity) \($0.code): \($1.count)\n    \($1.evidence)"
        }
        return TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n") + "\n\n"
            + (findings.isEmpty ? "No findings." : findings.joined(separator: "\n"))
    }
}

struct FaultyCommand: ParsableCommand {
    static let configuration = CommandConfiguration("faulty")

    @Option(help: "Viewers of the run.")
    var viewers = 60

    @Option(help: "The profile.")
    var profile = "Profiles/faulty.yaml"

    @Option(name: .customLong("set"), help: "Another value for a setting of the profile; may be repeated.")
    var settings: [String] = []

    @Option(help: "Seconds of the run; without this as many as the profile says.")
    var seconds: Int?

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...10_000)
        try require("--seconds", seconds ?? 30, in: 30...3_600)
        guard FileManager.default.isReadableFile(atPath: profile) else {
            throw ValidationError("\(profile): no such file; start this at the package's root")
        }
    }

    @Flag(help: "Go over sockets, and take as long as the profile says.")
    var overSockets = false

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let truth = folder.appendingPathComponent("truth.json")
        let result = try ProfileRun(profile: profile, viewers: viewers, seconds: seconds, overSockets: overSockets)
            .result(["--origin-truth", truth.path] + settings.flatMap { ["--set", $0] }, in: folder)
        guard let counted = try? Data(contentsOf: truth) else {
            throw BenchmarkError.file("the origin's own counts were not written: the profile needs an embedded origin")
        }
        let tally = try FaultTally(result.findings, truth: counted)
        print("faulty, viewers \(viewers)\n\n\(tally.text)")
        guard tally.isExact else { throw ExitCode(1) }
    }
}

struct FaultTally {
    private struct Truth: Decodable {
        struct Affected: Decodable {
            let viewers: Int
            /// Viewers by break.
            let breaks: [String: Int]
        }

        let affected: [String: Affected]
    }

    private struct Row {
        let code: String
        let planned: (viewers: Int, breaks: Int)
        let found: (viewers: Int, breaks: Int)
        let standsForAddress: Bool

        /// A registration has no break, and some faults show when theirs has left the playlist.
        var isWithoutBreak: Bool { planned.breaks == 1 && found.breaks == 0 }

        /// Faults of many breaks compare viewers only.
        var isExact: Bool {
            let isWhole = standsForAddress ? found.viewers > 0 : planned.viewers == found.viewers
            return planned.viewers > 0 && isWhole && (planned.breaks != 1 || found.breaks <= 1)
        }
    }

    private let rows: [Row]
    private let others: [FindingResult]
    private let unplanned: Int

    /// `truth` is the output of `podswarm run --origin-truth`; throws `DecodingError`.
    init(_ findings: [FindingResult], truth: Data) throws {
        let affected = try JSONDecoder().decode(Truth.self, from: truth).affected
        let found = Dictionary(findings.map { ($0.code, $0) }) { first, _ in first }
        let planned = FindingCode.table.filter { affected[$0.fault] != nil }
        rows = planned.compactMap { row in
            guard let touched = affected[row.fault] else { return nil }
            let breaks = Set(found[row.code]?.occurrences.compactMap(\.breakKey) ?? [])
            return Row(
                code: row.code,
                planned: (touched.viewers, touched.breaks.count),
                found: (found[row.code]?.viewers ?? 0, breaks.count),
                standsForAddress: row.standsForAddress
            )
        }
        let codes = Set(planned.map(\.code))
        others = findings.filter { !codes.contains($0.code) }
        unplanned = FindingCode.table.count - planned.count
    }

    var isExact: Bool { rows.allSatisfy(\.isExact) && others.allSatisfy { $0.severity == Severity.advice.rawValue } }

    var text: String {
        var lines = [["", "touched", "found", "in breaks", "found", ""]]
        lines += rows.map { row in
            [
                row.code, "\(row.planned.viewers)", "\(row.found.viewers)", "\(row.planned.breaks)",
                row.isWithoutBreak ? "none" : "\(row.found.breaks)", row.isExact ? "exact" : "off",
            ]
        }
        let besides = others.map { finding in
            let first = finding.occurrences.first?.first
            let evidence = first.map { ": \($0.url), expected \($0.expected), observed \($0.observed)" } ?? ""
            return
                "found besides: \(finding.severity) \(finding.code), \(finding.viewers) viewers\(evidence.prefix(300))"
        }
        let exact = rows.count { $0.isExact }
        let withoutBreak = rows.count { $0.isExact && $0.isWithoutBreak }
        let summary =
            "\(exact) of \(rows.count) codes exact, \(withoutBreak) of them named without a break; "
            + "\(unplanned) codes were not planned"
        return ([TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n"), ""] + besides + [summary])
            .joined(separator: "\n")
    }
}

struct NightCommand: ParsableCommand {
    static let configuration = CommandConfiguration("night")

    @Option(help: "Viewers of the soak.")
    var viewers = 100

    @Option(help: "Hours of the soak.")
    var hours = 8

    @Option(help: "The most seconds that one soak may take.")
    var limit: Double?

    private static let growing =
        "- {fault: delay, delay: 40ms, growth: 0.3%, per: 60s, kinds: [playlist, pod_manifest]}\n"
    private static let planned: Set = ["playlist.response.p99", "pod_manifest.response.p99"]

    mutating func validate() throws {
        try require("--viewers", viewers, in: 1...10_000)
        try require("--hours", hours, in: 1...24)
    }

    func run() throws {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let faults = folder.appendingPathComponent("faults.yaml")
        try Self.growing.write(to: faults, atomically: true, encoding: .utf8)
        let steady = try soak([], as: "steady")
        let creeping = try soak(["--set", "target.embedded.faults=\(faults.path)"], as: "creeping")
        print("night, viewers \(viewers), hours \(hours)\n")
        for soak in [steady, creeping] {
            let names = soak.creeping.sorted().joined(separator: ", ")
            let series = names.isEmpty ? "nothing creeps" : "creeping: \(names)"
            print("\(soak.name): \(soak.requests) requests in \(String(format: "%.1f", soak.seconds)) s; \(series)")
        }
        var complaints: [String] = []
        if let limit, max(steady.seconds, creeping.seconds) > limit { complaints.append("longer than \(limit) s") }
        if !steady.creeping.isEmpty { complaints.append("a steady target creeps") }
        if !creeping.creeping.isSuperset(of: Self.planned) { complaints.append("a slower target does not creep") }
        guard complaints.isEmpty else {
            print("\nnot as planned: \(complaints.joined(separator: ", "))")
            throw ExitCode(1)
        }
    }

    private typealias Soak = (name: String, seconds: Double, requests: UInt64, creeping: Set<String>)

    private func soak(_ settings: [String], as name: String) throws -> Soak {
        let folder = try ProfileRun.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let began = ContinuousClock.now
        let run = ProfileRun(profile: "Profiles/soak.yaml", viewers: viewers, seconds: hours * 3_600, command: "soak")
        let result = try run.result(settings, in: folder)
        let took = ContinuousClock.now - began
        let creeping = (result.drift ?? []).filter { $0.verdict == .creeping }.map(\.series)
        return (name, took / .seconds(1), result.requests.values.reduce(0) { $0 + $1.count }, Set(creeping))
    }
}
