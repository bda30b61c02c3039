import ExampleRuns
import Foundation
import JSON
import RunResult
import Testing

@Suite struct ResultStoreTests {
    private func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    @Test(
        arguments: [
            ("quick", nil, "quick/20261121T200000Z.json"),
            ("quick", "1.4.2", "quick/20261121T200000Z-1.4.2.json"),
            ("prime time", "a/b", "prime-time/20261121T200000Z-a-b.json"),
            ("../../etc", "..", "-..-etc/20261121T200000Z-unnamed.json"),
            ("", "ü", "unnamed/20261121T200000Z--.json"),
        ] as [(String, String?, String)]
    )
    func theLocationIsMadeOfProfileTimeAndLabel(profile: String, label: String?, path: String) {
        let store = ResultStore(folder: URL(filePath: "/results"))
        let location = store.location(profile: profile, startedAtMicroseconds: ExampleRun.start, label: label)
        #expect(location.path == "/results/" + path)
    }

    @Test func aWrittenResultReadsBackAndLeavesNothingElseBehind() throws {
        try withFolder { folder in
            let document = try ExampleRun.document()
            let file = try ResultStore(folder: folder).write(document, label: "nightly")
            #expect(try ResultDocument(json: Data(contentsOf: file)) == document)
            #expect(file.lastPathComponent == "20261121T195930Z-nightly.json")
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(names == ["20261121T195930Z-nightly.json"])
        }
    }

    @Test func aResultIsNeverOverwritten() throws {
        try withFolder { folder in
            let store = ResultStore(folder: folder)
            let files = try (0..<3).map { _ in try store.write(ExampleRun.document()).lastPathComponent }
            #expect(files == ["20261121T195930Z.json", "20261121T195930Z-2.json", "20261121T195930Z-3.json"])
        }
    }

    @Test(arguments: [
        ("20261121T195930Z-2.journal", "20261121T195930Z-2.json"), ("x.journal.1", "x.json"),
        ("no journal's name", "20261121T195930Z.json"),
    ])
    func aResultIsNamedAfterItsJournal(journal: String, result: String) throws {
        try withFolder { folder in
            let file = try ResultStore(folder: folder)
                .write(ExampleRun.document(), journal: folder.appending(path: journal))
            #expect(file.lastPathComponent == result)
        }
    }

    @Test func aFolderThatCannotBeMadeIsAnError() throws {
        try withFolder { folder in
            try Data().write(to: folder)
            #expect(throws: (any Error).self) { try ResultStore(folder: folder).write(ExampleRun.document()) }
        }
    }
}
