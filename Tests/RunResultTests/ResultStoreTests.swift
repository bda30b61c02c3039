import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing
import Values

@Suite struct ResultStoreTests {
    @Test(
        arguments: [
            ("quick", nil, "quick/20261121T200000Z.json"), ("quick", "1.4.2", "quick/20261121T200000Z-1.4.2.json"),
            ("prime time", "a/b", "prime-time/20261121T200000Z-a-b.json"),
            ("../../etc", "..", "-..-etc/20261121T200000Z-unnamed.json"), ("", "ü", "unnamed/20261121T200000Z--.json"),
        ] as [(String, String?, String)]
    ) func theLocationIsMadeOfProfileTimeAndLabel(profile: String, label: String?, path: String) {
        let store = ResultStore(folder: URL(filePath: "/results"))
        let location = store.location(profile: profile, startedAtMicroseconds: ExampleRun.start, label: label)
        #expect(location.path == "/results/" + path)
    }

    @Test func aWrittenResultReadsBackAndLeavesNothingElseBehind() throws {
        let folder = try TemporaryFolder()
        let document = try ExampleRun.document()
        let file = try ResultStore(folder: folder.url).write(document, label: "nightly")
        #expect(try ResultDocument(json: Data(contentsOf: file)) == document)
        #expect(folder.files(in: "quick").map(\.lastPathComponent) == ["20261121T195930Z-nightly.json"])
    }

    @Test func aResultIsNeverOverwritten() throws {
        let folder = try TemporaryFolder()
        let store = ResultStore(folder: folder.url)
        let files = try (0..<3).map { _ in try store.write(ExampleRun.document()).lastPathComponent }
        #expect(files == ["20261121T195930Z.json", "20261121T195930Z-2.json", "20261121T195930Z-3.json"])
        #expect(folder.files(in: "quick").count == 3)
    }

    @Test(arguments: [
        ("20261121T195930Z-2.journal", "20261121T195930Z-2.json"), ("x.journal.1", "x.json"),
        ("no journal's name", "20261121T195930Z.json"),
    ]) func aResultIsNamedAfterItsJournal(journal: String, result: String) throws {
        let folder = try TemporaryFolder()
        let file = try ResultStore(folder: folder.url).write(ExampleRun.document(), journal: folder.file(journal))
        #expect(file.lastPathComponent == result)
    }

    @Test func aFolderThatCannotBeMadeIsAnError() throws {
        let folder = try TemporaryFolder()
        let store = ResultStore(folder: URL(filePath: try folder.write("", to: "file")))
        #expect(throws: (any Error).self) { try store.write(ExampleRun.document()) }
    }
}
