import Foundation
import Results
import TestSupport
import Testing
import Values

/// However a run ends, what it had measured is not lost.
///
/// Over sockets, because a signal comes to a process; what is killed at random is so in virtual time.
@Suite(.fewWaiting) struct RecoveryTests {
    private static func recover(_ arguments: [String]) async throws -> ChildProcess.End {
        try await PodswarmExecutable.run(["recover"] + arguments)
    }

    private static func document(_ file: URL) throws -> ResultDocument {
        try ResultDocument(json: Data(contentsOf: file))
    }

    /// Each fifth is killed as soon as it was started or after its end.
    @Test func aRunKilledAtAnyInstantIsRecoveredUpToWhatItHadTold() async throws {
        let seed: UInt64 = 2_026
        var generator = SeededGenerator(seed: seed)
        let results = try TemporaryFolder()
        var told = 0
        for number in 0..<10 {
            let isOutside = number % 5 == 4
            let intervals = isOutside ? number % 2 * 1_000 : Int.random(in: 1...250, using: &generator)
            let profile = FastProfile.embedded.lasting(isOutside ? "12s" : "20m")
            let run = try await KilledRun.of(profile, afterIntervals: intervals)
            let what = "kill \(number) of seed \(seed), after \(intervals) intervals"
            told += try await Self.check(run, into: results.file("\(number)").path, what)
        }
        let files = results.results(in: ".")
        for file in files {
            let complaints = try await PrintedSchema.complaints(about: file)
            #expect(complaints == "", "\(file.lastPathComponent)")
        }
        #expect(files.count >= 7 && told >= files.count)
    }

    /// Compares what is recovered of a killed run with what it had told.
    private static func check(_ run: KilledRun, into store: String, _ what: String) async throws -> Int {
        let what = "\(what), \(run.lines.count) lines"
        if let result = run.rehearsal.resultFiles.first {
            // It had come to its end, and its result is whole.
            #expect(try document(result).series.points.count == run.lines.count, "\(what)")
            return run.lines.count
        }
        guard let journal = run.rehearsal.journals.first(where: { $0.pathExtension == "journal" }) else {
            #expect(run.lines.isEmpty, "\(what): no journal")
            return 0
        }
        let end = try await recover([journal.path, "--results", store, "--quiet"])
        guard end.status == 0 else {
            #expect(end.status == 3 && run.lines.isEmpty, "\(what): \(end.errors)")
            return 0
        }
        let file = URL(filePath: end.output.trimmingCharacters(in: .newlines))
        let document = try document(file)
        let recovered = try #require(document.run.recovered, "\(what)")
        #expect(document.verdict.outcome == .interrupted && document.verdict.exitCode == 130)
        #expect(recovered.intervals >= run.lines.count, "\(what)")
        #expect(document.series.points.count == recovered.intervals, "\(what)")
        #expect(run.lines.compactMap { $0.contradiction(of: document) } == [], "\(what)")
        #expect(run.lines.allSatisfy { $0.kept }, "\(what)")
        #expect(!FileManager.default.fileExists(atPath: journal.path), "\(what): the journal is removed")
        return run.lines.count
    }

    /// A soak understands other signals as well: what it tells while it goes is a transcript.
    @Test func aHangUpBeginsNewFilesAndEachJournalRecoversAlone() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let soaking = ["soak", rehearsal.profile, "--for", "10m", "--intervals", rehearsal.intervalsFile]
        let place = ["--results", rehearsal.folder.file("results").path]
        let run = try ChildProcess(try PodswarmExecutable.path(), soaking + place)
        try await run.wait(for: "two intervals") { _ in try rehearsal.intervalLines.count >= 2 }
        let current = try #require(rehearsal.journals.first)
        let refused = try await Self.recover([current.path])
        #expect(refused.status == 2 && refused.errors.contains("still going on"))
        run.send(SIGUSR1)
        try await run.wait(for: "where the run stands") {
            $0.errors.contains("Still running") && $0.errors.contains("What was run")
        }
        let moved = rehearsal.folder.file("moved").path
        try FileManager.default.moveItem(atPath: rehearsal.intervalsFile, toPath: moved)
        run.send(SIGHUP)
        try await run.wait(for: "a second file of each") { _ in
            try rehearsal.journals.count == 2 && rehearsal.intervalLines.count >= 2
        }
        run.kill()
        _ = try await run.ended()
        let lines = try KilledRun.Line.all(in: moved) + rehearsal.intervalLines
        #expect(lines.map(\.number) == Array(0..<lines.count))
        let told = lines.count

        let next = try rehearsal.start()
        try await next.wait(for: "word of the earlier run") {
            $0.errors.contains("An earlier run left its journal")
                && $0.errors.contains("podswarm recover \(current.path)")
        }
        next.kill()
        _ = try await next.ended()

        let results = rehearsal.folder.file("recovered").path
        let old = current.path + ".1"
        let end = try await Self.recover([current.path, old, "--results", results])
        #expect(end.status == 0, "\(end.errors)")
        let found = try rehearsal.folder.results(in: "recovered").map { try Self.document($0) }
        let counts = found.compactMap(\.run.recovered?.intervals).sorted()
        #expect(counts.count == 2)
        #expect((counts.first ?? 0) >= 2 && (counts.first ?? 0) < told && (counts.last ?? 0) >= told)
    }
}
