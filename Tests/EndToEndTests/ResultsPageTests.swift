import Foundation
import TestSupport
import Testing

/// The page of all runs, as a browser shows it.
@Suite(.serialized, .fewAtOnce) struct ResultsPageTests {
    /// Where somebody who wants to look at the pages finds pictures of them; nil keeps none.
    private static let pictures = ProcessInfo.processInfo.environment["PODSWARM_TEST_PICTURES"]

    private static func picture(_ name: String, in folder: TemporaryFolder) -> [String] {
        ["--screenshot", "\(pictures ?? folder.path)/\(name).png"]
    }

    private static let looks: [(name: String, options: [String])] = [
        ("light", []), ("dark", ["--theme", "dark"]), ("phone", ["--width", "390", "--height", "844"]),
        ("phone-dark", ["--width", "390", "--height", "844", "--theme", "dark"]),
    ]

    private static func rows(_ condition: String) -> String {
        "[document.querySelectorAll('#list tbody tr').length, document.getElementById('found').textContent, \(condition)].join()"
    }

    @Test(arguments: looks.map(\.name)) func allRunsCanBeReadByEverybody(look: String) async throws {
        let library = try LibraryFolder(nights: 40, pages: true)
        try library.folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
        try library.folder.write("{}", to: "other.json")
        let options = try #require(Self.looks.first { $0.name == look }).options
        let seen = try await Browser.inspect(
            try await library.index(),
            options + Self.picture("results-\(look)", in: library.folder) + [
                "--axe", "--fits", "--open-details", "--walk", ".plot", "--press", "ArrowRight", "--expect", "kick-off",
                "--expect", "1 file ending in .json",
            ]
        )
        #expect(seen.complaints == [])
        #expect(seen.requests == 1)
        let walk = try #require(seen.walk)
        #expect(walk.wanted > 8)
        #expect(walk.reached == walk.wanted)
    }

    @Test func twoThousandRunsAreFilteredByKeyboard() async throws {
        let library = try LibraryFolder(nights: 500)
        let page = try await library.index()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: page.path)[.size] as? Int)
        #expect(size < 2_000_000)
        let seen = try await Browser.inspect(
            page,
            ["--type", "#f-profile", "n", "--type", "#f-label"] + "release=1.3".map(String.init)
                + ["--axe", "--evaluate", Self.rows("document.querySelectorAll('.of-profile:not([hidden])').length")]
        )
        #expect(seen.complaints == [])
        #expect(seen.nodes < 20_000)
        // Releases 1.3 and 1.30 to 1.39, each of twelve nights, of one profile with its strip and its charts.
        #expect(seen.value == "100,132 of 2,000 runs,2")
    }

    /// What a page says of runs as a whole, in one text.
    private static let whole = """
        JSON.stringify([
            ['#verdict dd', '#nights figcaption', '#releases figcaption', '#releases tbody tr'].map(
                all => [...document.querySelectorAll(all)].map(e => e.textContent)),
            ['#nights svg svg', '#releases svg svg'].map(
                all => [...document.querySelectorAll(all)].map(e => e.innerHTML)),
        ])
        """

    /// The page is written once by the program and once by its script, which must not differ.
    @Test func withoutAFilterThePageIsAsItWasWritten() async throws {
        let library = try LibraryFolder(nights: 60)
        try library.folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
        let page = try await library.index()
        let written = try await Browser.inspect(page, ["--no-script", "--evaluate", Self.whole])
        let drawn = try await Browser.inspect(
            page,
            ["--type", "#f-label", "x", "--type", "#f-reset", "Enter", "--evaluate", Self.whole]
        )
        #expect(written.complaints + drawn.complaints == [])
        #expect(try #require(written.value).contains("1.4"))
        #expect(drawn.value == written.value)
    }

    @Test func aFilterHoldsForTheWholePage() async throws {
        let library = try LibraryFolder(nights: 40)
        let page = try await library.index()
        let seen = try await Browser.inspect(
            page,
            ["--type", "#f-outcome", "F", "--type", "#f-profile", "n", "--axe"]
                + Self.picture("results-filtered", in: library.folder) + [
                    "--evaluate",
                    """
                    [document.querySelector('#verdict dl').innerText.replaceAll('\\n', ' '),
                     [...document.querySelectorAll('#nights figure:not([hidden])')].map(f => f.innerText.split('\\n')[0]
                        + '/' + f.querySelector('svg svg').innerHTML.match(/night-[a-z]+|M/g)
                        + '/' + f.querySelector('.plot').getAttribute('aria-valuetext')),
                     [...document.querySelectorAll('#releases .of-profile:not([hidden])')].map(p =>
                        p.querySelectorAll('.faint').length === p.querySelectorAll('figure').length
                        && [...p.querySelector('.dots:not(.faint)').getAttribute('d')].filter(c => c === 'M').length
                        + ' ' + [...p.querySelectorAll('tbody tr')].map(r => r.textContent)),
                     document.getElementById('of-all').hidden, document.getElementById('found').textContent,
                     location.search].join('; ')
                    """,
                ]
        )
        #expect(seen.complaints == [])
        let value = try #require(seen.value)
        for words in [
            "Runs 2 of 160 Passed 0 Failed 2 ", "On time 96.97% of all due; nightly 2 of 40 runs, the newest failed/",
            "/night-bad,M,M/2026-03-18: failed, on time 96.97%; 2 1.3", ",1.1", "; false; 2 of 160 runs; ",
            "; ?profile=nightly&verdict=failed",
        ] {
            #expect(value.contains(words), "\(words) in \(value)")
        }
    }

    @Test func aFilterCanBeLinked() async throws {
        let library = try LibraryFolder(nights: 40)
        let page = try await library.index()
        let state = Self.rows(
            "[...document.querySelectorAll('#filters select, #filters input')].map(f => f.value).join(' ') + location.search"
        )
        let query = "?profile=quick&label=release%3D1.0&since=2026-03-05"
        let linked = try await Browser.inspect(try URL.parsed(page.absoluteString + query), ["--evaluate", state])
        #expect(linked.complaints == [])
        #expect(linked.value == "8,8 of 160 runs,quick  release=1.0 2026-03-05 \(query)")
        // A jump within the page keeps the filter, and the way back from it too.
        let back = try await Browser.inspect(
            try URL.parsed(page.absoluteString + query),
            [
                "--type", "nav a[href='#releases']", "Enter", "--type", "#f-reset", "Enter", "--evaluate",
                """
                new Promise(done => {
                    const before = location.search + location.hash;
                    addEventListener('popstate', () => setTimeout(() => done(before + ' ' + \(state))));
                    history.back();
                })
                """,
            ]
        )
        #expect(back.value == "#releases " + (linked.value ?? ""))
        let unknown = try await Browser.inspect(
            try URL.parsed(page.absoluteString + "?profile=none&verdict=%00&label="),
            ["--evaluate", state]
        )
        #expect(unknown.complaints == [])
        #expect(unknown.value?.hasPrefix("50,160 runs,") == true)
    }

    @Test func moreAndAllRunsAreAKeyAway() async throws {
        let library = try LibraryFolder(nights: 100)
        let page = try await library.index()
        let more = try await Browser.inspect(page, ["--type", "#more", "Enter", "--evaluate", Self.rows("0")])
        #expect(more.value == "150,400 runs,0")
        let none = try await Browser.inspect(
            page,
            ["--type", "#f-label", "x", "y", "z", "--expect", "No run is like this.", "--evaluate", Self.rows("0")]
        )
        #expect(none.complaints == [])
        #expect(none.value == "0,0 of 400 runs,0")
        let all = try await Browser.inspect(
            page,
            ["--type", "#f-label", "x", "--type", "#f-reset", "Enter", "--evaluate", Self.rows("0")]
        )
        #expect(all.value == "100,400 runs,0")
    }

    @Test func aFileHoldsTwoRunsSideBySide() async throws {
        let library = try LibraryFolder(nights: 3)
        let seen = try await Browser.inspect(
            try await library.index(),
            [
                "--type", "[data-path='quick/2.json']", "Space", "--type", "[data-path='quick/0.json']", "Space",
                "--axe", "--type", "#choice-sides", "Enter",
                "--evaluate",
                """
                [...document.querySelectorAll('#choice-said, #compared-lead, #sides tr, #compared-commands'),
                 document.activeElement].map(e => e.innerText.replace(/\\s+/g, ' ').trim()).join('\\n')
                """,
            ]
        )
        #expect(seen.complaints == [])
        let text = try #require(seen.value)
        let files = "\(library.folder.path)/quick/0.json --against \(library.folder.path)/quick/2.json"
        for line in [
            "quick of 2026-03-03 02:30 (1.0) against quick of 2026-03-01 02:30 (1.0).",
            "Older 2026-03-01 02:30, 1.0 Newer 2026-03-03 02:30, 1.0 Difference", "Verdict Passed Passed the same",
            "On time 96.97% 96.97% the same",
            "All of it: podswarm compare \(files). As a page: podswarm report \(files)",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        let comparable = "as far as this page knows: the same profile text on the same class of machine."
        #expect(text.contains(comparable), "\(text)")
    }

    /// What stands side by side, and in the address.
    private static let sides = """
        ((box, sides) => [box.hidden ? '' : box.innerText.split('\\n')[0], sides.hidden ? '' : sides.querySelectorAll('tr').length > 8,
            [...document.querySelectorAll('#list input:checked')].map(i => i.dataset.path),
            document.querySelectorAll('#list tr.chosen').length, location.search].join('; '))(
            ...['choice', 'compared'].map(id => document.getElementById(id)))
        """

    @Test func aComparisonCanBeLinked() async throws {
        let library = try LibraryFolder(nights: 40)
        let page = try await library.index()
        let both = "?profile=quick&compare=quick/38.json&compare=quick/39.json"
        let said =
            "quick of 2026-04-09 02:30 (1.3) against quick of 2026-04-08 02:30 (1.3).; true; quick/39.json,quick/38.json; 2; "
        let chosen = try await Browser.inspect(
            page,
            [
                "--type", "#f-profile", "q", "--type", "[data-path='quick/38.json']", "Space",
                "--type", "[data-path='quick/39.json']", "Space", "--evaluate", Self.sides,
            ]
        )
        #expect(chosen.complaints == [])
        #expect(chosen.value == said + both)
        // Loaded again, or by somebody else, who is led to what was meant.
        let linked = try await Browser.inspect(
            try URL.parsed(page.absoluteString + both + "#compared"),
            ["--axe", "--evaluate", Self.sides + " + (scrollY > 0 ? ' below' : '')"]
        )
        #expect(linked.complaints == [])
        #expect(linked.value == said + both + " below")
        // A run that no list shows yet is one of two all the same; one that is gone is said.
        let old = try await Browser.inspect(
            try URL.parsed(page.absoluteString + "?compare=quick/0.json&compare=gone.json"),
            ["--evaluate", Self.sides]
        )
        #expect(old.complaints == [])
        #expect(
            old.value == "Not among these runs: gone.json. quick of 2026-03-01 02:30 (1.0). Choose one more.; ; ; 0; "
                + "?compare=quick/0.json&compare=gone.json"
        )
    }

    @Test func theWayBackLeadsToTheComparison() async throws {
        let library = try LibraryFolder(nights: 2)
        let seen = try await Browser.inspect(
            try await library.index(),
            [
                "--type", "[data-path='quick/0.json']", "Space", "--type", "[data-path='quick/1.json']", "Space",
                "--type", "#choice-sides", "Enter", "--type", "#choice-clear", "Enter", "--evaluate",
                """
                new Promise(done => {
                    const before = \(Self.sides) + location.hash;
                    addEventListener('popstate', () => setTimeout(() => done(before + ' | ' + \(Self.sides))));
                    history.back();
                })
                """,
            ]
        )
        #expect(seen.complaints == [])
        #expect(
            seen.value == "; ; ; 0; #compared | "
                + "quick of 2026-03-02 02:30 (1.0) against quick of 2026-03-01 02:30 (1.0).; true; quick/1.json,quick/0.json; 2; ?compare=quick/0.json&compare=quick/1.json"
        )
    }

    /// Between rows that the program wrote there are line feeds; between those of the script there are none.
    @Test func whatIsRightIsNotDrawnAgain() async throws {
        let library = try LibraryFolder(nights: 40)
        let seen = try await Browser.inspect(
            try await library.index(),
            [
                "--evaluate",
                """
                (() => {
                    const marks = () => [...document.querySelectorAll('#nights path, #releases path.dots')];
                    const written = marks();
                    const kept = () => written.filter(path => path.isConnected).length - written.length;
                    const rows = () => [...document.querySelectorAll('#releases tbody')]
                        .filter(body => body.firstChild.nodeType === 3 || body.childNodes.length > body.rows.length).length;
                    const ask = (id, value) => {
                        const field = document.getElementById(id);
                        field.value = value;
                        field.dispatchEvent(new Event('input'));
                    };
                    const said = [rows()];
                    ask('f-profile', 'quick');
                    said.push(kept(), rows());
                    ask('f-profile', '');
                    said.push(kept(), rows());
                    ask('f-outcome', 'failed');
                    said.push(kept() < 0, rows());
                    return said.join();
                })()
                """,
            ]
        )
        #expect(seen.complaints == [])
        #expect(seen.value == "4,0,4,0,4,true,0")
    }

    @Test(arguments: looks.map(\.name)) func whatCannotBeComparedIsSaid(look: String) async throws {
        let library = try LibraryFolder(nights: 1)
        let json = try ResultHistory().json(9, release: "2.0", factor: 2) { document in
            ResultHistory.edit(&document, "run") { run in
                run["profile"] = "quick"
                run["profile_digest"] = "sha256:other"
                run["asked"] = [["name": "viewers", "observed": 200, "requested": 200, "unit": "viewers"]]
                ResultHistory.edit(&run, "host") { $0["cpu_count"] = 64 }
            }
        }
        try library.folder.write(json, to: "quick/9.json")
        let options = try #require(Self.looks.first { $0.name == look }).options
        let seen = try await Browser.inspect(
            try await library.index(),
            options + Self.picture("results-sides-\(look)", in: library.folder) + [
                "--type", "[data-path='quick/9.json']", "Space", "--type", "[data-path='quick/0.json']", "Space",
                "--axe", "--fits", "--evaluate", "document.getElementById('compared').innerText.replace(/\\s+/g, ' ')",
            ]
        )
        #expect(seen.complaints == [])
        let text = try #require(seen.value)
        for words in [
            "Not comparable as they are: their profile texts are not the same; their machines are not of one class;",
            "they had different numbers of viewers", "pod_manifest.p99 90.0 ms 180 ms +90.0 ms, ×2",
            "Viewers 100 200 +100, ×2",
            "Labels commit=c0, release=1.0 commit=c9, release=2.0 others",
        ] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
    }

    @Test func twoCapacitiesStandSideBySideAndOneBesideNoRun() async throws {
        let library = try LibraryFolder(nights: 1)
        for name in ["a", "b"] {
            try library.folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/\(name).json")
        }
        let page = try await library.index()
        let shown = """
            ((said, sides) => said.textContent + (sides.hidden ? '' : sides.innerText))(
                ...['choice-said', 'compared'].map(id => document.getElementById(id)))
            """
        let both = try await Browser.inspect(
            page,
            [
                "--type", "[data-path='quick/a.json']", "Space", "--type", "[data-path='quick/b.json']", "Space",
                "--axe",
                "--evaluate", shown,
            ]
        )
        #expect(both.complaints == [])
        #expect(try #require(both.value).contains("podswarm compare --capacity"))
        let mixed = try await Browser.inspect(
            page,
            [
                "--type", "[data-path='quick/a.json']", "Space", "--type", "[data-path='quick/0.json']", "Space",
                "--evaluate", shown,
            ]
        )
        #expect(mixed.value == "A capacity cannot be held against a run.")
    }

    @Test func aServerComparesTwoRuns() async throws {
        let library = try LibraryFolder(nights: 2)
        for (name, release) in [("a", "1.4.2"), ("b", "1.4.3")] {
            let json = try String(contentsOf: GoldenFile.result, encoding: .utf8)
            try library.folder.write(json.replacing("1.4.2", with: release), to: "quick/\(name).json")
        }
        try await library.serving { url in
            let seen = try await Browser.inspect(
                try URL.parsed(url),
                [
                    "--type", "[data-path='quick/a.json']", "Space", "--type", "[data-path='quick/b.json']", "Space",
                    "--type", "#choice-link", "Enter", "--wait-after", "#findings", "--axe", "--expect",
                    "release=1.4.3",
                ]
            )
            #expect(seen.complaints == [])
            let report = try await Browser.inspect(
                try URL.parsed(url + "quick/a.html"),
                ["--axe", "--expect", "96.97%"]
            )
            #expect(report.complaints == [])
        }
    }

    @Test func hostileTextStaysText() async throws {
        let library = try LibraryFolder(nights: 1)
        let hostile = [
            "<script>document.title='owned'</script>", "\u{600}<script>document.title='owned'</script>",
            "</script><img src=x onerror=\"document.title='owned'\">", "<!--<script>", "{{title}}", "\u{202e}txt.exe",
        ]
        for (number, text) in hostile.enumerated() {
            let json = try ResultHistory().json(number, release: text, factor: 1) { document in
                ResultHistory.edit(&document, "run") { run in
                    run["profile"] = text
                    run["labels"] = ["release": text, text: text]
                }
                document["verdict"] = ["exit_code": 1, "outcome": "failed", "reasons": [text]] as ResultHistory.Fields
            }
            try library.folder.write(json, to: "quick/\(number)<b>'.json")
        }
        let seen = try await Browser.inspect(
            try await library.index(),
            [
                "--type", "#f-label", "<", "--expect", hostile[0], "--evaluate",
                "[document.title.includes('owned'), document.querySelectorAll('img, b b').length].join()",
            ]
        )
        #expect(seen.complaints == [])
        #expect(seen.value == "false,0")
    }
}
