import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// `podswarm results`: a year of runs in a terminal, as a file and behind an address.
@Suite(.fewAtOnce) struct ResultsTests {
    private struct Listing: Decodable {
        struct Run: Decodable {
            var path: String
            var profile: String
            var outcome: String
            var labels: [String: String]
        }

        struct LeftOut: Decodable { var path: String }

        var runs: [Run]
        var leftOut: [LeftOut]

        enum CodingKeys: String, CodingKey {
            case runs
            case leftOut = "left_out"
        }
    }

    private func listing(_ library: LibraryFolder, _ options: [String]) async throws -> Listing {
        let end = try await library.results([library.folder.path, "--json"] + options)
        #expect(end.status == 0, "\(end.errors)")
        return try JSONDecoder().decode(Listing.self, from: Data(end.output.utf8))
    }

    @Test func runsAreListedNewestFirst() async throws {
        let library = try LibraryFolder(nights: 20)
        try library.folder.write("{}", to: "other.json")
        let end = try await library.results([library.folder.path])
        #expect(end.status == 0)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 43)
        #expect(lines[0].firstMatch(of: /started.*profile.*verdict.*on time.*findings.*release.*file/) != nil)
        #expect(
            lines[1].firstMatch(of: /2026-03-20 .* quick .* passed .* 1\.1 .*quick\/19\.json/) != nil,
            "\(lines[1])"
        )
        #expect(lines[41] == "and 40 older runs; --last shows more")
        #expect(lines[42].hasPrefix("1 file ending in .json"))
        #expect(try await library.results(["list", library.folder.path]).output == end.output)
    }

    @Test func filtersGoTogether() async throws {
        let library = try LibraryFolder(nights: 20)
        #expect(try await listing(library, []).runs.count == 80)
        #expect(try await listing(library, ["--profile", "final", "--profile", "quick"]).runs.count == 40)
        let failed = try await listing(library, ["--verdict", "failed"])
        #expect(!failed.runs.isEmpty)
        #expect(failed.runs.allSatisfy { $0.outcome == "failed" })
        let release = try await listing(library, ["--label", "release=1.1", "--profile", "final"])
        #expect(release.runs.map(\.path) == (12..<20).reversed().map { "final/\($0).json" })
        let days = try await listing(library, ["--since", "2026-03-05", "--until", "2026-03-06", "--last", "3"])
        #expect(days.runs.count == 3)
        #expect(days.runs.first?.path == "quick/5.json")
    }

    @Test(arguments: [
        (["nowhere"], "nowhere: no such folder"), ([".", "--verdict", "pased"], "did you mean 'passed'?"),
        ([".", "--since", "soon"], "'soon' is no time"), ([".", "--label", "=x"], "'=x' is no label"),
        (["serve", ".", "--listen", "8098"], "--listen: '8098' is no address to serve at"),
        (["index", "nowhere"], "nowhere: no such folder"), ([".", "--last", "0"], "--last must be more than 0"),
    ])
    func mistakesAreTold(arguments: [String], words: String) async throws {
        let end = try await PodswarmExecutable.run(["results"] + arguments)
        #expect(end.status == 2)
        #expect(end.errors.contains(words), "\(end.errors)")
    }

    @Test func thePageOfEachRunCanBeWrittenWithTheIndex() async throws {
        let library = try LibraryFolder(nights: 2)
        // Without its series no page can be drawn of a result, which keeps nobody from the others.
        try library.folder.write(Data(contentsOf: GoldenFile.result), to: "quick/whole.json")
        try library.folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
        let page = try String(contentsOf: await library.index(["--reports"]), encoding: .utf8)
        for name in ["whole", "capacity"] {
            #expect(page.contains("<a href=\"quick/\(name).html\">"))
            let report = try String(contentsOf: library.folder.file("quick/\(name).html"), encoding: .utf8)
            #expect(report.hasPrefix("<!doctype html>"))
        }
    }

    @Test func aPageElsewhereLeadsToTheFolder() async throws {
        let library = try LibraryFolder(nights: 1, pages: true)
        let elsewhere = try TemporaryFolder()
        let page = elsewhere.file("all.html")
        let end = try await library.results(["index", library.folder.path, "--output", page.path])
        #expect(end.status == 0)
        #expect(end.output == page.path + "\n")
        let text = try String(contentsOf: page, encoding: .utf8)
        let link = try #require(text.firstMatch(of: /<a href="([^"]*final\/0\.html)">/)?.output.1)
        let target = try #require(URL(string: String(link), relativeTo: page))
        #expect(FileManager.default.fileExists(atPath: target.path))
    }

    /// The same document in a terminal and behind an address.
    @Test func whatProgramsAreToldSatisfiesItsSchema() async throws {
        let library = try LibraryFolder(nights: 3)
        try library.folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
        try library.folder.write("{}", to: "other.json")
        let printed = try await library.results([library.folder.path, "--json"])
        let document = Data(printed.output.utf8)
        let complaints = try await PrintedSchema.complaints(by: "--results", about: document) { list in
            #expect((list["runs"] as? [Any])?.count == 13 && (list["left_out"] as? [Any])?.count == 1)
        }
        #expect(complaints == "")
        #expect(try await PrintedSchema.complaints(by: "--results", about: document) { $0["surprise"] = 1 } != "")
        try await library.serving { url in
            let served = try await URLSession.shared.data(from: try URL.parsed(url + "results.json")).0
            #expect(String(decoding: served, as: UTF8.self) == printed.output)
        }
    }

    @Test func whatComesLaterIsServed() async throws {
        let library = try LibraryFolder(nights: 2)
        try await library.serving { url in
            let get = { (path: String) in
                let (data, response) = try await URLSession.shared.data(from: try URL.parsed(url + path))
                return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
            }
            #expect(try await get("").1.contains("<title>Results: 8 runs</title>"))
            try library.folder.write(Data(contentsOf: GoldenFile.result), to: "quick/later.json")
            #expect(try await get("").1.contains("<title>Results: 9 runs</title>"))
            #expect(try await get("quick/later.html").0 == 200)
            #expect(try await get("quick/nothing.html").0 == 404)
        }
    }
}
