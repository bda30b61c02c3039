import CapacityResult
import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// Results and journals that podswarm 0.1.0 wrote stay readable.
///
/// `Version1` holds what its release build left: a run, a soak, a run that was killed, a run of two shards and a search for a
/// capacity.
@Suite(.fewAtOnce) struct FirstVersionTests {
    private func copy() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let source = PackageFolder.file("Tests/EndToEndTests/Version1")
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try folder.write(Data(contentsOf: source.appending(path: name)), to: name)
        }
        return folder
    }

    @Test(arguments: ["run", "soak", "20261127T213942Z-v1-shard-0-of-2"])
    func aResultIsShownAndReported(name: String) async throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.url.appending(path: "\(name).json").path
        let shown = try await PodswarmExecutable.run(["result", "show", path])
        #expect(shown.status == 0 && shown.output.contains("Breaks on time"), "\(shown)")
        let page = folder.url.appending(path: "page.html").path
        let report = try await PodswarmExecutable.run(["report", path, "--output", page])
        #expect(report.status == 0 && FileManager.default.fileExists(atPath: page), "\(report)")
    }

    @Test func aCapacityIsRead() throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let document = try CapacityDocument(json: Data(contentsOf: folder.url.appending(path: "capacity.json")))
        #expect(document.schemaVersion == 1)
    }

    @Test func aJournalGivesAResult() async throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let journal = folder.url.appending(path: "killed.journal").path
        let end = try await PodswarmExecutable.run(["recover", journal, "--quiet"])
        #expect(end.status == 0, "\(end)")
        let path = try #require(end.output.split(separator: "\n").first { $0.hasSuffix(".json") }, "\(end)")
        let document = try ResultDocument(json: Data(contentsOf: URL(fileURLWithPath: String(path))))
        #expect(document.verdict.outcome == .interrupted && document.viewers["joined"] == 8)
    }

    @Test func journalsOfShardsAreMerged() async throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let end = try await PodswarmExecutable.run(["merge", folder.path, "--run-id", "v1", "--no-report", "--quiet"])
        let path = try #require(end.output.split(separator: "\n").first { $0.hasSuffix(".json") }, "\(end)")
        let document = try ResultDocument(json: Data(contentsOf: URL(fileURLWithPath: String(path))))
        #expect(document.shards?.count == 2 && document.viewers["joined"] == 8, "\(end)")
    }

    @Test func aListAndAHistoryHoldIt() async throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let list = try await PodswarmExecutable.run(["results", folder.path, "--no-cache"])
        #expect(list.status == 0 && list.output.contains("tutorial") && list.output.contains("soak"), "\(list)")
        let trend = try await PodswarmExecutable.run(["trend", folder.url.appending(path: "run.json").path])
        #expect(trend.output.contains("tutorial") && !trend.errors.contains("schema"), "\(trend)")
    }

    @Test func aComparisonWithItSaysWhatChanged() async throws {
        let folder = try copy()
        defer { withExtendedLifetime(folder) {} }
        let old = folder.url.appending(path: "run.json")
        var text = String(decoding: try Data(contentsOf: old), as: UTF8.self)
        for (before, after) in [
            ("\"schema_version\" : 1", "\"schema_version\" : 2"), ("20261127T213718Z", "20261128T213718Z"),
        ] {
            text = text.replacing(before, with: after)
        }
        // Another run, for one that is given twice is no comparison.
        let number = try #require(text.firstMatch(of: /"started_at_us" : (\d+)/)).1
        text = text.replacing(String(number), with: String(number.dropLast() + "1"))
        try folder.write(Data(text.utf8), to: "new.json")
        let new = folder.url.appending(path: "new.json").path
        let end = try await PodswarmExecutable.run(["compare", old.path, "--against", new])
        #expect(end.errors == "" && end.status == 3, "\(end)")
        #expect(ChangedMeaning.among([1, 2]).allSatisfy { _ in end.output.contains("its meaning changed") }, "\(end)")
    }
}
