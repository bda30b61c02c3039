import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// The pages that podswarm writes, as a browser shows them.
@Suite(.serialized, .fewAtOnce) struct ReportPageTests {
    /// Where somebody who wants to look at the pages finds pictures of them; nil keeps none.
    private static let pictures = ProcessInfo.processInfo.environment["PODSWARM_TEST_PICTURES"]

    private static var golden: URL {
        GoldenFile.result
    }

    private static func page(_ arguments: [String], in folder: TemporaryFolder, named name: String = "page")
        async throws
        -> URL
    {
        let page = folder.url.appending(path: "\(name).html")
        let end = try await PodswarmExecutable.run(["report"] + arguments + ["--output", page.path])
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        return page
    }

    private static func picture(_ name: String, in folder: TemporaryFolder) -> [String] {
        let place = pictures ?? folder.path
        return ["--screenshot", "\(place)/\(name).png"]
    }

    private static let looks: [(name: String, options: [String])] = [
        ("light", []), ("dark", ["--theme", "dark"]), ("phone", ["--width", "390", "--height", "844"]),
        ("phone-dark", ["--width", "390", "--height", "844", "--theme", "dark"]),
    ]

    @Test(arguments: looks.map(\.name)) func aResultCanBeReadByEverybody(look: String) async throws {
        let folder = try TemporaryFolder()
        let page = try await Self.page([Self.golden.path], in: folder)
        let options = try #require(Self.looks.first { $0.name == look }).options
        let seen = try await Browser.inspect(
            page,
            options + Self.picture("report-\(look)", in: folder) + [
                "--axe", "--fits", "--open-details", "--walk", ".plot", "--press", "ArrowRight", "--expect", "Failed",
                "--expect", "96.97%",
            ]
        )
        #expect(seen.complaints == [])
        #expect(seen.requests == 1)
        let walk = try #require(seen.walk)
        #expect(walk.wanted > 8)
        #expect(walk.reached == walk.wanted)
    }

    @Test func aResultCanBePrinted() async throws {
        let folder = try TemporaryFolder()
        let page = try await Self.page([Self.golden.path], in: folder)
        let paper = folder.url.appending(path: "page.pdf")
        let seen = try await Browser.inspect(page, ["--pdf", paper.path])
        #expect(seen.complaints == [])
        let start = try Data(contentsOf: paper).prefix(5)
        #expect(String(decoding: start, as: UTF8.self) == "%PDF-")
    }

    @Test(arguments: looks.map(\.name)) func twoResultsCanBeComparedByEverybody(look: String) async throws {
        let folder = try TemporaryFolder()
        var candidate = try ResultDocument(json: Data(contentsOf: Self.golden))
        candidate.run.labels = ["release": "1.4.3"]
        let other = try folder.write(candidate.json(), to: "candidate.json")
        let page = try await Self.page([Self.golden.path, "--against", other], in: folder)
        let options = try #require(Self.looks.first { $0.name == look }).options
        let seen = try await Browser.inspect(
            page,
            options + Self.picture("comparison-\(look)", in: folder) + [
                "--axe", "--fits", "--open-details", "--walk", ".plot", "--press", "ArrowRight", "--expect",
                "release=1.4.3",
            ]
        )
        #expect(seen.complaints == [])
    }

    @Test func theReportOfEightHoursIsSmallAndScrollsFluently() async throws {
        let folder = try TemporaryFolder()
        let result = try folder.write(LongSoak.document().json(), to: "soak.json")
        let page = try await Self.page([result], in: folder)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: page.path)[.size] as? Int)
        #expect(size < 5_000_000)
        let seen = try await Patience.agreeing {
            try await Browser.inspect(
                page,
                Self.picture("soak", in: folder) + ["--axe", "--scroll", "--expect", "All 480 breaks"]
            )
        } on: {
            $0.scroll.map { $0.cpuMilliseconds < 50 } == true
        }
        #expect(seen.complaints == [])
        #expect(seen.nodes < 20_000)
        let scroll = try #require(seen.scroll)
        #expect(scroll.frames > 10)
        #expect(scroll.cpuMilliseconds < 50)
    }

    @Test func hostileTextStaysText() async throws {
        let folder = try TemporaryFolder()
        var document = try ResultDocument(json: Data(contentsOf: Self.golden))
        let hostile = [
            "<script>document.title='owned'</script>", "\u{600}<script>document.title='owned'</script>",
            "\"\u{301} onmouseover=\"document.title='owned'", "</script><img src=x onerror=\"document.title='owned'\">",
            "<!--<script>", "{{title}}", "\u{202e}txt.exe",
        ]
        document.run.labels = Dictionary(uniqueKeysWithValues: hostile.enumerated().map { ("l\($0)<b>", $1) })
        document.run.profileName = hostile[1]
        document.run.target = hostile[3]
        document.run.asked = hostile.map { .init(name: $0, unit: $0, requested: 1, observed: nil) }
        document.verdict.reasons = hostile
        document.findings[0].occurrences[0].breakKey = hostile[2]
        document.findings[0].occurrences[0].first?.observed = hostile.joined(separator: " ")
        document.breaks.each[0].key = hostile[3]
        document.breaks.each[0].failed = [hostile[1]: 3]
        let result = try folder.write(document.json(), to: "hostile.json")
        let page = try await Self.page([result], in: folder)
        let seen = try await Browser.inspect(
            page,
            [
                "--open-details", "--expect", hostile[0], "--evaluate",
                "[document.title.includes('owned') && !document.title.startsWith('Failed')"
                    + " || document.querySelectorAll('img, b b').length > 0 || document.scripts.length"
                    + " !== document.querySelectorAll('.plot > script').length + 1].join()",
            ]
        )
        #expect(seen.complaints == [])
        #expect(seen.value == "false")
    }

    @Test func aRunWritesItsPageBesideItsResult() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let outcome = try await rehearsal.inVirtualTime()
        let page = outcome.resultFile.deletingPathExtension().appendingPathExtension("html")
        let seen = try await Browser.inspect(page, ["--axe", "--expect", "Counted on both ends"])
        #expect(seen.complaints == [])
    }
}
