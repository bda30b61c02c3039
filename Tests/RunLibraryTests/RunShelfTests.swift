import Comparison
import Foundation
import TestSupport
import Testing

@Suite struct RunShelfTests {
    private struct Shelf {
        let results: TemporaryFolder
        let caches: TemporaryFolder

        init() throws {
            results = try TemporaryFolder()
            caches = try TemporaryFolder()
        }

        /// One that knows nothing yet but what the cache says.
        func fresh() -> RunShelf { RunShelf(folder: results.path, cache: ShelfCache(of: results.path, in: caches.url)) }

        /// A look that is remembered.
        func look() async -> RunList {
            let shelf = fresh()
            let list = await shelf.look()
            await shelf.remember()
            return list
        }

        func write(_ name: String, _ changes: [String: Any?] = [:]) throws {
            try results.write(StoredResult().json(changes), to: name)
        }

        var cache: URL? { caches.files(in: "").first }
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
        for list in [await shelf.look(), await shelf.look()] {
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

    /// What the cache holds is shown, which proves that the file was not read again.
    @Test func aKnownFileIsNotReadAgain() async throws {
        let shelf = try Shelf()
        try shelf.write("a.json", ["run.profile": "written"])
        try shelf.results.write("{}", to: "none.json")
        _ = await shelf.look()
        let cache = try #require(shelf.cache)
        let text = try String(contentsOf: cache, encoding: .utf8)
        try text.replacing("\"written\"", with: "\"remembered\"").write(to: cache, atomically: true, encoding: .utf8)
        let list = await shelf.fresh().look()
        #expect(list.rows.map(\.profile) == ["remembered"])
        #expect(list.leftOut.map(\.path) == ["none.json"])
        #expect(await RunShelf(folder: shelf.results.path, cache: nil).look().rows.map(\.profile) == ["written"])
    }

    @Test(arguments: ["", "{", "[]", "{\"schema\":\"podswarm.library\"}", "old version", "other folder", "deep"])
    func aCacheThatCannotBeBelievedIsPassedOver(damage: String) async throws {
        let shelf = try Shelf()
        try shelf.write("a.json", ["run.profile": "written"])
        _ = await shelf.look()
        let cache = try #require(shelf.cache)
        let text = try String(contentsOf: cache, encoding: .utf8).replacing("\"written\"", with: "\"wrong\"")
        let damaged =
            switch damage {
            case "old version": text.replacing(#/"podswarm_version":"[^"]*"/#, with: "\"podswarm_version\":\"0.0.1\"")
            case "other folder": text.replacing(#/"folder":"[^"]*"/#, with: "\"folder\":\"/elsewhere\"")
            case "deep": String(repeating: "[", count: 1_000_000)
            default: damage
            }
        try damaged.write(to: cache, atomically: true, encoding: .utf8)
        #expect(await shelf.look().rows.map(\.profile) == ["written"])
        // And it is made anew.
        #expect(try String(contentsOf: cache, encoding: .utf8).contains("\"written\""))
    }

    @Test func aPlaceThatCannotBeWrittenToIsNoHindrance() async throws {
        let shelf = try Shelf()
        try shelf.write("a.json")
        let file = try shelf.caches.write("", to: "file")
        let cache = ShelfCache(of: shelf.results.path, in: URL(filePath: file))
        let reader = RunShelf(folder: shelf.results.path, cache: cache)
        #expect(await reader.look().rows.count == 1)
        await reader.remember()
    }

    @Test func cachesLieWhereTheUserSays() {
        #expect(ShelfCache.standardPlace(["XDG_CACHE_HOME": "/c", "HOME": "/h"])?.path == "/c")
        #expect(ShelfCache.standardPlace(["XDG_CACHE_HOME": "relative", "HOME": "/h"])?.path == "/h/.cache")
        #expect(ShelfCache.standardPlace(["HOME": ""]) == nil)
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
