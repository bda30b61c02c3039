import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// `podswarm run --repeat`, and the comparison of what it wrote.
@Suite(.fewAtOnce) struct RepetitionTests {
    /// No viewer is due at a break of a run of three seconds; these runs are about their order.
    private static let short =
        ["duration=3s", "audience.viewers=2", "breaks=none", "thresholds=[viewers.joined > 0]"]
        .flatMap { ["--set", $0] } + ["--quiet"]

    private static func labels(_ rehearsal: Rehearsal) throws -> [[String: String]] {
        try rehearsal.resultFiles.map { try ResultDocument(json: Data(contentsOf: $0)).run }
            .sorted { $0.startedAtMicroseconds < $1.startedAtMicroseconds }.map(\.labels)
    }

    @Test func twoProfilesTakeTurnsAndCanBeCompared() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        var other = FastProfile.faulty.yaml
        other.replace("name: fast", with: "name: other")
        let second = try rehearsal.folder.write(other, to: "other.yaml")
        try rehearsal.folder.write("- fault: delay\n  delay: 20ms\n  kinds: [playlist]\n", to: "faults.yaml")
        let end = try await rehearsal.start(
            Self.short + ["--repeat", "2", "--interleave", second, "--order", "abba"]
                + ["--label", "release=1", "--interleave-label", "release=2"]
        ).ended(within: .seconds(120))
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let labels = try Self.labels(rehearsal)
        #expect(labels.map { $0["side"] } == ["A", "B", "B", "A"])
        #expect(labels.map { $0["release"] } == ["1", "2", "2", "1"])
        #expect(labels.map { $0["repeat"] } == ["1", "1", "2", "2"])

        let series = try #require(labels[0]["series"])
        #expect(labels[3]["series"] == series)
        let compared = try await PodswarmExecutable.run([
            "compare", "label:series=\(series)", "--against", "label:series=\(series.dropLast())B", "--json", "-",
            "--results", rehearsal.folder.url.appending(path: "results").path,
        ])
        #expect(compared.output.contains(#""comparable" : true"#), "\(compared.output)\(compared.errors)")
    }

    @Test func oneProfileIsRepeated() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let end = try await rehearsal.start(Self.short + ["--repeat", "2"]).ended(within: .seconds(90))
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let labels = try Self.labels(rehearsal)
        #expect(labels.map { $0["repeat"] } == ["1", "2"])
        #expect(labels.allSatisfy { $0["side"] == nil })
    }

    /// The run under way ends with its result, and no other begins.
    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptEndsTheRunAndTheRepetition(signal: Int32) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let run = try rehearsal.start(["--set", "duration=10m", "--set", "audience.viewers=2", "--repeat", "3"])
        // A line every ten seconds, with a break every five: whoever watches may be in a break at each of them.
        try await run.wait(for: "viewers that are there", within: .seconds(120)) {
            $0.errors.contains(" watching") || $0.errors.contains(" in a break")
        }
        run.send(signal)
        let end = try await run.ended(within: .seconds(120))
        #expect(end.status == 130 && !end.isSignal, "\(end.output)\(end.errors)")
        #expect(!end.errors.contains("Run 2 of 3"))
        let results = try rehearsal.resultFiles.map { try ResultDocument(json: Data(contentsOf: $0)) }
        #expect(results.map(\.verdict.outcome) == [.interrupted])
    }

    @Test(arguments: [
        ["--repeat", "0"], ["--interleave-label", "a=b"], ["--repeat", "2", "--label", "side=C"],
        ["--interleave", "/nowhere.yaml"], ["--repeat", "2", "--order", "aabb"],
    ])
    func mistakesAreSaidBeforeAnyRun(arguments: [String]) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let end = try await rehearsal.start(arguments).ended(within: .seconds(30))
        #expect(end.status == 2, "\(end.output)\(end.errors)")
        #expect(rehearsal.resultFiles.isEmpty)
    }
}
