import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// However a run ends, what it had measured is not lost.
@Suite(.fewAtOnce) struct RecoveryTests {
    private static let limit = Duration.seconds(60)
    private static let kills = ProcessInfo.processInfo.environment["PODSWARM_KILLS"].flatMap(Int.init) ?? 5

    /// A run with a break every five seconds.
    private static func profile(of duration: String) -> FastProfile {
        var profile = FastProfile.embedded
        profile.duration = duration
        return profile
    }

    private static func recover(_ arguments: [String]) async throws -> ChildProcess.End {
        try await PodswarmExecutable.run(["recover"] + arguments, limit: limit)
    }

    private static func document(_ file: URL) throws -> ResultDocument {
        try ResultDocument(json: Data(contentsOf: file))
    }

    /// The bar of the project is 100: `PODSWARM_KILLS=100 swift test --filter aRunKilledAtAnyInstant`.
    @Test func aRunKilledAtAnyInstantIsRecoveredUpToWhatItHadTold() async throws {
        let seed: UInt64 = 2_026
        var generator = SeededGenerator(seed: seed)
        let delays = (0..<Self.kills).map { _ in Double.random(in: 0..<5, using: &generator) }
        let results = try TemporaryFolder()
        var told = 0
        for start in stride(from: 0, to: delays.count, by: 5) {
            told += try await withThrowingTaskGroup(of: Int.self) { group in
                for (place, delay) in delays.enumerated().dropFirst(start).prefix(5) {
                    let store = results.url.appending(path: "\(place)").path
                    // Every fifth at an instant of which nothing is known: before its journal, or after its end.
                    let isAnywhere = place % 5 == 4
                    let profile = Self.profile(of: isAnywhere ? "3s" : "10m")
                    group.addTask {
                        let run = try await KilledRun.of(
                            profile,
                            killedAfter: .seconds(delay),
                            ofFirstInterval: !isAnywhere
                        )
                        return try await Self.check(run, into: store, "kill \(place) of seed \(seed), after \(delay) s")
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        let files = results.results(in: ".")
        for file in files {
            let complaints = try await PrintedSchema.complaints(about: Data(contentsOf: file))
            #expect(complaints == "", "\(file.lastPathComponent)")
        }
        print("\(delays.count) kills: \(files.count) results, \(told) intervals told of and recovered")
        #expect(files.count >= delays.count * 4 / 5 && told >= files.count)
    }

    /// Compares what is recovered of a killed run with what it had told.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - store: The folder that its result goes to.
    ///   - what: Says in a failure which run it was.
    /// - Returns: How many intervals it had told of.
    /// - Throws: What a test fails by.
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

    @Test func aKeptJournalGivesTheResultOfItsRun() async throws {
        let rehearsal = try Rehearsal(Self.profile(of: "8s").yaml)
        let outcome = try await rehearsal.inVirtualTime(["--keep-journal"])
        let journal = try #require(rehearsal.journals.first)
        let live = outcome.document
        let kept = try #require(live.journal)
        #expect(kept.path == journal.path && kept.intervalsLost == 0 && kept.error == nil)
        #expect(kept.intervalsKept == live.series.points.count && kept.intervalsKept > 1)
        // Beside its result it is no orphan.
        #expect(try await Self.recover([rehearsal.folder.path]).errors.contains("no run left a journal"))
        let other = rehearsal.folder.url.appending(path: "other").path
        let end = try await Self.recover([journal.path, "--results", other, "--keep-journal"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("INTERRUPTED") && end.output.contains("Recovered from its journal"))
        let recovered = try Self.document(try #require(rehearsal.folder.results(in: "other").first))
        #expect(
            recovered.run.recovered
                == RecoveredMark(intervals: kept.intervalsKept, droppedBytes: 0, reason: "the journal is whole")
        )
        #expect(recovered.requests == live.requests)
        #expect(recovered.breaks == live.breaks)
        #expect(recovered.viewers == live.viewers)
        #expect(recovered.findings == live.findings)
        #expect(recovered.thresholds == live.thresholds)
        #expect(recovered.windows == live.windows)
        #expect(recovered.drift == live.drift)
        #expect(recovered.series == live.series)
        #expect(recovered.health == live.health)
        #expect(recovered.clock == live.clock)
        #expect(recovered.run.asked == live.run.asked)
        #expect(FileManager.default.fileExists(atPath: journal.path))
    }

    @Test func aHangUpBeginsANewFileAndEachRecoversAlone() async throws {
        let rehearsal = try Rehearsal(Self.profile(of: "10m").yaml)
        let run = try rehearsal.start(["--intervals", rehearsal.intervalsFile])
        try await run.wait(for: "two intervals", within: Self.limit) { _ in try rehearsal.intervalLines.count >= 2 }
        let current = try #require(rehearsal.journals.first)
        let refused = try await Self.recover([current.path])
        #expect(refused.status == 2 && refused.errors.contains("still going on"))
        run.send(SIGHUP)
        try await run.wait(for: "a second file", within: Self.limit) { _ in rehearsal.journals.count == 2 }
        let before = try rehearsal.intervalLines.count
        try await run.wait(for: "more", within: Self.limit) { _ in try rehearsal.intervalLines.count > before + 1 }
        run.kill()
        _ = try await run.ended(within: Self.limit)
        let told = try rehearsal.intervalLines.count

        let next = try rehearsal.start()
        try await next.wait(for: "word of the earlier run", within: Self.limit) {
            $0.errors.contains("An earlier run left its journal")
                && $0.errors.contains("podswarm recover \(current.path)")
        }
        next.kill()
        _ = try await next.ended(within: Self.limit)

        let results = rehearsal.folder.url.appending(path: "recovered").path
        let old = current.path + ".1"
        let end = try await Self.recover([current.path, old, "--results", results])
        #expect(end.status == 0, "\(end.errors)")
        let found = try rehearsal.folder.results(in: "recovered").map { try Self.document($0) }
        let counts = found.compactMap(\.run.recovered?.intervals).sorted()
        #expect(counts.count == 2)
        #expect((counts.first ?? 0) >= 2 && (counts.first ?? 0) < told && (counts.last ?? 0) >= told)
    }

    @Test func whatIsNoJournalIsSaid() async throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("no journal", to: "a.journal")
        let empty = try folder.write("", to: "b.journal")
        let missing = folder.path + "/c.journal"
        let one = try await Self.recover([text])
        #expect(one.status == 2 && one.errors.contains("a.journal: this is no journal of podswarm"))
        let two = try await Self.recover([empty])
        #expect(two.status == 3 && two.errors.contains("b.journal: it holds no interval"))
        let all = try await Self.recover([empty, missing, text])
        #expect(all.status == 2 && all.errors.contains("no such file") && all.errors.contains("holds no interval"))
        #expect(folder.files(in: ".").count == 2)
    }
}
