import Foundation
import Results
import TestSupport
import Testing

@testable import Comparison
@testable import Report

@Suite struct LibraryPageTests {
    private static let day: Int64 = 86_400_000_000
    /// 2026-01-01.
    private static let start: Int64 = 1_767_225_600_000_000

    private static func row(_ night: Int64, _ change: (inout RunRow) -> Void = { _ in }) throws -> RunRow {
        var row = try RunRow(json: Data(contentsOf: GoldenFile.result), path: "quick/\(night).json")
        row.startedAtMicroseconds = start + night * day
        row.endedAtMicroseconds = row.startedAtMicroseconds + 60_000_000
        (row.labels, row.outcome) = (["release": "1.\(night / 10)"], "passed")
        (row.doubt, row.reason, row.kind) = (nil, nil, .run)
        change(&row)
        return row
    }

    private static func page(_ rows: [RunRow], leftOut: [LeftOutFile] = [], served: Bool = false) throws -> String {
        let list = RunList(rows: rows, leftOut: leftOut)
        return try LibraryPage(of: list, in: "results", base: served ? nil : "", label: "release").render()
    }

    private static func data(in page: String) throws -> [String: Any] {
        let start = try #require(page.range(of: "id=\"data\">")).upperBound
        let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
        return try #require(try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
    }

    /// To the script an é and an e with an accent behind it are two texts, and so they are to the page.
    @Test func textsOfOtherSpellingAreOthers() throws {
        let spelled = ["caf\u{E9}", "cafe\u{301}"]
        let rows = try spelled.enumerated().flatMap { number, name in
            try (0..<2).map { night in
                try Self.row(Int64(night)) { row in
                    (row.profile, row.path) = (name, "\(name)/\(night).json")
                    row.labels = ["release": spelled[1 - number], "of": name]
                }
            }
        }
        let page = try Self.page(rows)
        let data = try Self.data(in: page)
        let head = try #require(data["head"] as? [String: Any])
        let profiles = try #require(head["profiles"] as? [String]).map(Spelling.init)
        #expect(Set(profiles) == Set(spelled.map(Spelling.init)))
        // What the script looks for stands there, byte by byte.
        let runs = try #require(data["runs"] as? [[String: Any]])
        #expect(Set(runs.compactMap { $0["profile"] as? String }.map(Spelling.init)) == Set(profiles))
        #expect(page.ranges(of: "<figure class=\"of-profile\"").count == 2)
        #expect(page.contains("<span>2 runs</span>"))
        let history = ReleaseHistory(
            try spelled.map { name in try Self.row(1) { $0.labels = ["release": name] } }
                + [try Self.row(0) { $0.labels = ["release": ""] }, try Self.row(0) { $0.labels = [:] }],
            label: "release"
        )
        #expect(history.releases.map { Spelling($0.name) } == (spelled + ["–"]).map(Spelling.init))
        #expect(history.releases.map { $0.figures[0] } == ["1", "1", "2"])
    }

    @Test func anEmptyFolderSaysHowToFillIt() throws {
        let page = try Self.page([])
        #expect(page.contains("There is no result here yet."))
        #expect(!page.contains("id=\"nights\""))
    }

    @Test func runsAreLinkedWhereThereIsAPage() throws {
        let rows = [try Self.row(1) { $0.hasPage = true }, try Self.row(2) { $0.path = "quick/b c#'.json" }]
        let still = try Self.page(rows)
        #expect(still.contains("<a href=\"quick/1.html\">"))
        #expect(!still.contains("quick/b%20c%23%27.html"))
        let served = try Self.page(rows, served: true)
        #expect(served.contains("<a href=\"quick/b%20c%23%27.html\">"))
    }

    @Test func theNewestStandInThePageAndAllInItsData() throws {
        let page = try Self.page((0..<120).map { try Self.row($0) })
        #expect(page.ranges(of: "<tr><td class=\"pick\">").count == 50)
        #expect((try Self.data(in: page)["runs"] as? [Any])?.count == 120)
        #expect(page.contains("<code>podswarm results</code> lists all"))
    }

    @Test func whatIsNoPlainRunIsShownAsWhatItIs() throws {
        var capacity = try RunRow(json: Data(contentsOf: GoldenFile.capacity), path: "quick/capacity.json")
        capacity.startedAtMicroseconds = Self.start
        let page = try Self.page([
            capacity, try Self.row(1) { $0.kind = .soak }, try Self.row(2) { $0.kind = .merged },
            try Self.row(3) { $0.kind = .shard }, try Self.row(4) { $0.isRecovered = true },
            try Self.row(5) { $0.outcome = "interrupted" }, try Self.row(6) { $0.kind = .searched },
        ])
        for tag in ["capacity", "soak", "merged shards", "one shard", "recovered", "of a search"] {
            #expect(page.contains("<span class=\"tag\">\(tag)</span>"), "\(tag)")
        }
        #expect(page.contains("<span class=\"tag warn\">Interrupted</span>"))
        #expect(page.contains("2,140 viewers hold"))
    }

    @Test func filesThatAreNoResultsAreCounted() throws {
        let files = (0..<130).map { LeftOutFile(path: "<\($0)>.json", reason: "not a podswarm result") }
        let page = try Self.page([try Self.row(1)], leftOut: files)
        #expect(page.contains("130 files ending in .json"))
        for words in ["&lt;100&gt;.json", "And 30 more."] { #expect(page.contains(words)) }
    }

    @Test func aChangeIsDrawnAndSaid() throws {
        let rows = try (0..<60).map { night in
            try Self.row(night) { row in
                let noise = [0.0, 120, -80, 40, -160, 90, -30][Int(night * 5 % 7)]
                row.figuresMicroseconds = ["pod_manifest.response.p99": (night < 30 ? 20_000 : 30_000) + noise]
            }
        }
        let history = ReleaseHistory(RunList(rows: rows, leftOut: []).rows, label: "release")
        let chart = try #require(history.charts.first { $0.metric.metric == "pod_manifest.response.p99" })
        #expect(chart.metric.changePoints.count == 1)
        let change = try #require(chart.metric.changePoints.first)
        #expect(change.index == 30)
        #expect(change.text.hasPrefix("worse from 2026-01-31, release=1.3 on"), "\(change.text)")
        #expect(chart.chart.renderText.contains("dl grace"))
        #expect(history.releases.map(\.name) == ["1.5", "1.4", "1.3", "1.2", "1.1", "1.0"])
        #expect((history.releases.first?.figures[0], history.note) == ("10", ""))
    }

    @Test func whatSaysNothingCertainIsInNoChart() throws {
        let rows = try (0..<8).map { night in
            try Self.row(night) { row in
                if night < 2 { row.doubt = "client-limited" }
                if night == 3 { row.profileDigest = "sha256:other" }
            }
        }
        let history = ReleaseHistory(RunList(rows: rows, leftOut: []).rows, label: "release")
        #expect(
            history.note == "Not in the charts: 2 runs without certain information; "
                + "1 run of another profile text or machine, or in the folder twice."
        )
    }

    @Test func theWorstOfADayIsWhatItsBarIs() throws {
        let rows = [
            try Self.row(0), try Self.row(0) { $0.outcome = "failed" }, try Self.row(1),
            try Self.row(2) { $0.outcome = "client_limited" },
        ]
        let first = Self.start / Self.day
        let strip = NightStrip(rows: rows, days: first...(first + 2)).plot()
        // The first day failed, the second passed, the third is undecided: bars of three heights, of a fortnight's width.
        let bars = #/class="([a-z-]+)" d="M([0-9.]+) ([0-9.]+)/#
        let paths = strip.shapes.markup.matches(of: bars).map { bar in
            [bar.output.1, bar.output.2, bar.output.3].map(String.init)
        }
        let expected = [["night-good", "470", "13.2"], ["night-warn", "803.3", "6.6"], ["night-bad", "136.7", "0"]]
        #expect(paths == expected)
    }

    @Test func foreignTextIsNoMarkup() throws {
        let hostile = "</script><img src=x>\u{600}<b>"
        let page = try Self.page([
            try Self.row(0) { row in
                (row.profile, row.labels) = (hostile, ["release": hostile, hostile: hostile])
                (row.path, row.reason) = ("\(hostile).json", hostile)
            }
        ])
        for words in ["<img", "<b>\u{600}"] { #expect(!page.contains(words)) }
        #expect(page.ranges(of: "</script>").count == page.ranges(of: "<script").count)
    }

    @Test func aTerminalIsGivenLines() throws {
        let list = RunList(
            rows: [
                try Self.row(0), try Self.row(1) { $0.outcome = "failed" }, try Self.row(2) { $0.isRecovered = true },
            ],
            leftOut: [LeftOutFile(path: "x.json", reason: "no")]
        )
        let text = list.text(TextRendering(width: 200), label: "release", most: 2)
        try GoldenFile.expect(text, at: "Tests/ReportTests/Goldens/runs.txt")
        let narrow = list.text(TextRendering(width: 60, colour: true), label: "release", most: 9)
        for line in narrow.split(separator: "\n").prefix(4) {
            #expect(line.replacing(/\u{1b}\[[0-9]*m/, with: "").count <= 60)
        }
        #expect(narrow.contains("\u{1b}[31m2026-01-02 00:00  quick    failed"))
        #expect(RunList(rows: [], leftOut: []).text(TextRendering(), label: "x", most: 1) == "No run.\n")
    }
}
