import Foundation
import Results
import Rules
import TestSupport
import Values

/// One `podswarm run` of a profile in a folder of its own.
struct Rehearsal: Sendable {
    struct Outcome: Sendable {
        let end: ChildProcess.End
        let resultFile: URL
        let document: ResultDocument
        /// Keeps the files as long as somebody looks at them.
        let folder: TemporaryFolder

        /// Codes of the findings that weigh more than advice, but for those that a starved machine rightly brings about.
        var findings: [String] {
            guard !isInVirtualTime else { return codes }
            return codes.filter { !StarvedMachine.findings.contains($0) }
        }

        /// No machine is starved there.
        private var isInVirtualTime: Bool { document.run.host.name == "virtual" }

        private var codes: [String] { document.findings.filter { $0.severity != Severity.advice.rawValue }.map(\.code) }

        /// Breaks of viewers who were still in the ads of the one before, as on a busy machine.
        var missedInAds: Int { document.breaks.each.reduce(0) { $0 + Int($1.skipped["during_ads"] ?? 0) } }

        var isCalm: Bool { document.isCalm }

        /// Whether nothing is missing in a count; on a busy machine, whether it is no more than the whole.
        func isAll(_ count: Int, of whole: Int) -> Bool { isCalm ? count == whole : count <= whole }

        func finding(_ code: String) -> FindingResult? { document.findings.first { $0.code == code } }
    }

    let folder: TemporaryFolder
    let profile: String

    init(_ profile: String, faults: String? = nil) throws {
        folder = try TemporaryFolder()
        if let faults { try folder.write(faults, to: "faults.yaml") }
        self.profile = try folder.write(profile, to: "profile.yaml")
    }

    init(shipped name: String) throws {
        folder = try TemporaryFolder()
        profile = PackageFolder.file("Profiles/\(name).yaml").path
    }

    func arguments(_ more: [String] = []) -> [String] {
        ["run", profile, "--results", folder.file("results").path] + more
    }

    func start(_ more: [String] = [], environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(try PodswarmExecutable.path(), arguments(more), environment: environment)
    }

    func run(_ more: [String] = [], environment: [String: String] = [:]) async throws -> Outcome {
        try outcome(of: try await start(more, environment: environment).ended())
    }

    /// When runs in virtual time begin: a whole minute, so that a break of `FastProfile` begins with them.
    static let virtualStart = "2026-11-21T20:00:00Z"

    /// Runs to the end in virtual time, before the embedded origin: without a socket or a wait, and the same each time.
    func inVirtualTime(_ more: [String] = [], environment: [String: String] = [:]) async throws -> Outcome {
        try await run(["--virtual-time", Self.virtualStart] + more, environment: environment)
    }

    func outcome(of end: ChildProcess.End) throws -> Outcome {
        let files = resultFiles
        guard files.count == 1, let file = files.first else {
            throw Obstacle("\(files.count) results instead of one: \(ChildProcess.Failure(end: end))")
        }
        let document = try ResultDocument(json: Data(contentsOf: file))
        return Outcome(end: end, resultFile: file, document: document, folder: folder)
    }

    /// Without the pages beside them.
    var resultFiles: [URL] { folder.results(in: "results") }

    /// What is left of a run that did not end by itself.
    var journals: [URL] { folder.files(in: "results").filter { $0.lastPathComponent.contains(".journal") } }
}

extension ResultDocument {
    /// Whether the run never waited for half a second for a core.
    var hadCores: Bool { health.loopDelayMaximumMicroseconds < 500_000 }

    /// Whether no wait for a core or an answer took half a second: then lateness is a fault, and not the machine's.
    var isCalm: Bool {
        let longest = requests.values.compactMap { $0.latencies["response"]?.maximumMicroseconds }.max()
        return hadCores && longest ?? 0 < 500_000
    }
}

extension TemporaryFolder {
    /// The results in a folder, without the pages beside them.
    func results(in name: String) -> [URL] { files(in: name).filter { $0.pathExtension == "json" } }
}
