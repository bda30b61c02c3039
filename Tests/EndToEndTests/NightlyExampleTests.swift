import Foundation
import TestSupport
import Testing

/// The nightly examples do as they are, with a night of seven seconds.
///
/// Over sockets, because the script soaks by the wall clock, and is killed meanwhile.
@Suite(.fewWaiting) struct NightlyExampleTests {
    private static let folder = PackageFolder.file("Profiles/nightly")

    /// Breaks and viewers enough for a verdict within four seconds, whenever they begin.
    private static let profile = """
        name: night
        duration: 1h
        seed: 7
        target: {embedded: {segmentDuration: 1s, adDuration: 1s}}
        audience: {viewers: 5, ramp: 100ms}
        breaks:
          source: {every: 2s}
          podDuration: 1s
          grace: 800ms
        connection: {\(StarvedMachine.timeouts)}
        \(StarvedMachine.budgets)
        \(StarvedMachine.allowedFindings)
        thresholds: [breaks.on_time >= 0%]
        """

    private let home: TemporaryFolder
    private let profile: String

    init() throws {
        home = try TemporaryFolder()
        profile = try home.write(Self.profile, to: "night.yaml")
    }

    private func night(_ more: [String: String] = [:]) throws -> ChildProcess {
        let environment = [
            "PODSWARM": try PodswarmExecutable.path(), "PODSWARM_STATE": home.file("state").path,
            "PODSWARM_FOR": "7s", "PODSWARM_WEEK": "1", "PODSWARM_KEEP": "2",
        ]
        // A test's threads block signals, and a shell cannot unblock what it was started with.
        return try ChildProcess(
            "/usr/bin/env",
            [
                "--default-signal=TERM,HUP,INT", try ExternalTool.bash.path(),
                // As the unit has it.
                "-c", "umask 0027; exec \"$0\" \"$@\"",
                Self.folder.appending(path: "nightly.sh").path, profile,
            ],
            environment: environment.merging(more) { $1 }
        )
    }

    private var results: [URL] { home.results(in: "state/results") }

    /// Whether a soak has sent something: one that has not leaves no result.
    private var isJournalled: Bool {
        home.files(in: "state/results").contains { file in
            file.pathExtension == "journal" && (try? Data(contentsOf: file))?.count(where: { $0 == 0x0a }) ?? 0 > 3
        }
    }

    private func report(_ name: String) throws -> String {
        try String(contentsOf: home.file("state/reports/\(name)"), encoding: .utf8)
    }

    @Test func nightsAreReportedComparedAndPrunedAndSurviveBeingKilled() async throws {
        let first = try await night(["PODSWARM_TEXTFILE": home.path]).ended()
        #expect(first.status == 0, "\(first.errors)")
        let metrics = try String(contentsOf: home.file("podswarm-night.prom"), encoding: .utf8)
        #expect(metrics.contains("podswarm_result_verdict{profile=\"night\",outcome=\"passed\"} 1\n"))
        // The node exporter is another user.
        let file = home.file("podswarm-night.prom").path
        var status = stat()
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o644)
        #expect(!FileManager.default.fileExists(atPath: "\(file).part"))
        #expect(first.errors.contains("1 of 2 nights are there"))
        let oldest = try #require(results.first)
        #expect(try report("latest.md").hasPrefix("## podswarm night: "))
        #expect(try report("latest.xml").contains("<testsuites>"))

        let killed = try night(["PODSWARM_FOR": "1h"])
        try await killed.wait(for: "journal") { _ in isJournalled }
        for soak in killed.children { kill(soak, SIGKILL) }
        let after = try await killed.ended()
        #expect(after.status == 137, "\(after.errors)")
        #expect(results.count == 1)

        let last = try await night().ended()
        #expect([0, 1, 3].contains(last.status), "\(last.errors)")
        #expect(last.errors.contains("this week against last week"), "\(last.errors)")
        #expect(last.errors.contains("tonight against the nights before: status 3"), "\(last.errors)")
        #expect(try report("latest.md").contains("### podswarm night: "))
        // Three results, the recovered one among them, of which two are kept.
        #expect(results.count == 2)
        #expect(!results.contains(oldest))
        #expect(try report("latest.md").contains("### podswarm: "))
    }

    @Test func aRequestToStopReachesTheSoak() async throws {
        let night = try night(["PODSWARM_FOR": "1h"])
        try await night.wait(for: "journal") { _ in isJournalled }
        night.send(SIGTERM)
        let end = try await night.ended()
        #expect(end.status == 130, "\(end.errors)")
        #expect(results.count == 1)
        #expect(try report("latest.md").contains("interrupted"))
    }
}
