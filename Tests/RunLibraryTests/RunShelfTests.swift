import Comparison
import Foundation
import TestSupport
import Testing

@Suite struct RunShelfTests {
    private struct Shelf {
        let results: TemporaryFolder

        init() throws { results = try TemporaryFolder() }

        func fresh() -> RunShelf { RunShelf(folder: results.path) }

        func write(_ name: String, _ changes: [String: Any?] = [:]) throws {
            try results.write(StoredResult().json(changes), to: name)
        }
    }

    @Test func resultsBelowAFolderAreRowsAndTheRestIsSaid() async throws {
        let shelf = try Shelf()
        try shelf.write("quick/a.json", ["run.started_at_us": 1_000_000])
        try shelf.write("quick/b.json", ["run.started_at_us": 2_000_000])
        try shelf.write("quick/.half.json")
        try shelf.write(".hidden/c.json")
        try shelf.results.write("<html>", to: "quick/a.html")
        try shelf.results.write("{}", to: "other.json")
        try shelf.results.write("x", to: "notes.txt")
        try FileManager.default.createSymbolicLink(
            atPath: shelf.results.path + "/link.json",
            withDestinationPath: "/etc/passwd"
        )
        #expect(mkfifo(shelf.results.path + "/pipe.json", 0o600) == 0)
        let list = await shelf.fresh().look()
        #expect(list.rows.map(\.path) == ["quick/b.json", "quick/a.json"])
        #expect(list.rows.map(\.hasPage) == [false, true])
        #expect(list.leftOut.map(\.path) == ["link.json", "other.json", "pipe.json"])
    }

    /// Names that look the same and are not are two files, each with its page.
    @Test func filesOfOtherSpellingAreOthers() async throws {
        let shelf = try Shelf()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for (number, name) in names.enumerated() {
            try shelf.write("\(name).json", ["run.profile": "\(number)", "run.started_at_us": number])
        }
        try shelf.results.write("<html>", to: "\(names[1]).html")
        let reader = shelf.fresh()
        for list in [await reader.look(), await reader.look()] {
            #expect(list.rows.map { Spelling($0.path) } == names.reversed().map { Spelling("\($0).json") })
            #expect(list.rows.map(\.hasPage) == [true, false])
            #expect(list.rows.map(\.profile) == ["1", "0"])
        }
    }

    @Test func whatChangesIsSeenAndTheRestIsRemembered() async throws {
        let shelf = try Shelf()
        try shelf.write("a.json", ["run.profile": "first"])
        let reader = shelf.fresh()
        #expect(await reader.look().rows.map(\.profile) == ["first"])
        try shelf.write("b.json", ["run.profile": "second", "run.started_at_us": 1])
        #expect(await reader.look().rows.map(\.profile) == ["first", "second"])
        // Another size, so that no clock's step hides it.
        try shelf.write("a.json", ["run.profile": "changed"])
        #expect(await reader.look().rows.map(\.profile) == ["changed", "second"])
        try FileManager.default.removeItem(at: shelf.results.file("a.json"))
        #expect(await reader.look().rows.map(\.profile) == ["second"])
        #expect(await shelf.fresh().look() == reader.look())
    }

    @Test func manyLooksAtOnceSeeWhatIsThereAndEndInOne() async throws {
        let shelf = try Shelf()
        for number in 0..<20 { try shelf.write("\(number).json", ["run.started_at_us": number]) }
        let reader = shelf.fresh()
        let looks = { (count: Int) in
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<count { group.addTask { await reader.look().rows.count } }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
        }
        #expect(await looks(8) == [20])
        try shelf.write("new.json")
        // All of them came after it.
        #expect(await looks(8) == [21])
        #expect(await reader.look().rows.count == 21)
    }
}
