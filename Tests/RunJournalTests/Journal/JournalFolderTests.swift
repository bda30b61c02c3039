import ExampleRuns
import Foundation
import TestSupport
import Testing

@testable import Results

@Suite struct JournalFolderTests {
    @Test func filesBelongToRunsNewestFirst() throws {
        let folder = try TemporaryFolder()
        let names = [
            "b.journal", "a.journal.2", "a.journal.10", "a.journal", "a.json", ".c.journal.77.tmp", "d.journal.x",
            "e.journal.0",
            "f.journal.1",
        ]
        for name in names { try folder.write("", to: name) }
        let runs = JournalFolder.runs(in: folder.url).map { $0.files.map(\.lastPathComponent) }
        #expect(runs == [["a.journal", "a.journal.10", "a.journal.2"], ["b.journal"], ["f.journal.1"]])
        #expect(JournalFolder.runs(in: folder.file("missing")) == [])
        #expect(JournalFolder.notes(in: folder.url) == [])
    }

    @Test func aLinkIsLeftAsideWithANote() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.journal")
        let link = folder.file("b.journal")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("a.journal"))
        #expect(JournalFolder.runs(in: folder.url).count == 1)
        let notes = JournalFolder.notes(in: folder.url)
        #expect(notes.count == 1 && notes.first?.contains("b.journal is left aside") == true)
    }

    @Test func aRunThatGoesOnIsToldApartByItsLock() async throws {
        var bench = try JournalBench()
        await bench.append(TinyRun.intervals(3, seed: 1))
        bench.writer.rotate()
        await bench.append(TinyRun.intervals(3, seed: 2))
        _ = try bench.copy("earlier.journal")
        let runs = JournalFolder.runs(in: bench.folder)
        #expect((runs.map(\.files.count), runs.map(\.isBeingWritten)) == ([1, 2], [false, true]))
        #expect(runs.map(\.isOrphan) == [true, false])
        try Data().write(to: bench.folder.appending(path: "earlier.json"))
        #expect(JournalFolder.runs(in: bench.folder).map(\.isOrphan) == [false, false])
    }

    @Test func aJournalLiesBesideItsResult() {
        let store = ResultStore(folder: URL(filePath: "/results"))
        let start = ExampleRun.start
        let result = store.location(profile: "prime time", startedAtMicroseconds: start, label: "1.4.2")
        let journal = store.journalLocation(profile: "prime time", startedAtMicroseconds: start, label: "1.4.2")
        #expect(result.path == "/results/prime-time/20261121T200000Z-1.4.2.json")
        #expect(journal.path == "/results/prime-time/20261121T200000Z-1.4.2.journal")
    }
}
