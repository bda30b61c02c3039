import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// Pages of results that are not like others, as a browser shows them; those of usual results are transcripts.
@Suite(.serialized, .fewAtOnce) struct PageTests {
    private func choosing(_ paths: String...) -> [String] {
        paths.flatMap { ["--type", "[data-path='\($0)']", "Space"] }
    }

    @Test(arguments: [[], ["--theme", "dark", "--width", "390", "--height", "844"]])
    func twoRunsThatCannotBeComparedAreTold(look: [String]) async throws {
        let library = try LibraryFolder(nights: 1)
        let asked = ["name": "viewers", "observed": 200, "requested": 200, "unit": "viewers"] as [String: Any]
        let changes: [String: Any?] = [
            "run.profile": "quick", "run.profile_digest": "sha256:other", "run.host.cpu_count": 64,
            "run.asked": [asked],
        ]
        try library.folder.write(ResultHistory().json(9, release: "2.0", factor: 2, changes), to: "quick/9.json")
        let text = "document.getElementById('compared').innerText.replace(/\\s+/g, ' ')"
        let options = choosing("quick/9.json", "quick/0.json") + ["--axe", "--fits", "--evaluate", text]
        let seen = try await Browser.inspect(try await library.index(), look + options)
        withExtendedLifetime(library) {}
        #expect(seen.complaints == [])
        for words in [
            "Not comparable as they are: their profile texts are not the same; their machines are not of one class;",
            "they had different numbers of viewers", "pod_manifest.p99 90.0 ms 180 ms +90.0 ms, ×2",
            "Viewers 100 200 +100, ×2", "Labels commit=c0, release=1.0 commit=c9, release=2.0 others",
        ] {
            #expect(seen.value?.contains(words) == true, "\(words) in \(seen.value ?? "")")
        }
    }

    @Test func aServerComparesTwoRuns() async throws {
        let library = try LibraryFolder(nights: 2)
        for (name, release) in [("a", "1.4.2"), ("b", "1.4.3")] {
            let json = try StoredResult().json(["run.labels": ["release": release]])
            try library.folder.write(json, to: "quick/\(name).json")
        }
        try await library.serving { url in
            let comparing = ["--type", "#choice-link", "Enter", "--wait-after", "#findings", "--axe"]
            let both = choosing("quick/a.json", "quick/b.json") + comparing + ["--expect", "release=1.4.3"]
            #expect(try await Browser.inspect(try URL.parsed(url), both).complaints == [])
            let report = try URL.parsed(url + "quick/a.html")
            #expect(try await Browser.inspect(report, ["--axe", "--expect", "96.97%"]).complaints == [])
        }
    }

    private static let hostile = [
        "<script>document.title='owned'</script>", "\u{600}<script>document.title='owned'</script>",
        "\"\u{301} onmouseover=\"document.title='owned'", "</script><img src=x onerror=\"document.title='owned'\">",
        "<!--<script>", "{{title}}", "\u{202e}txt.exe",
    ]

    @Test func hostileTextOfAResultStaysText() async throws {
        let (folder, hostile) = (try TemporaryFolder(), Self.hostile)
        var document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
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
        let page = folder.file("page.html")
        _ = try await PodswarmExecutable.run(["report", result, "--output", page.path])
        let script = try PackageFolder.text("Tests/EndToEndTests/Pages/hostile.js")
        let options = ["--open-details", "--expect", hostile[0], "--evaluate", script]
        let seen = try await Browser.inspect(page, options)
        withExtendedLifetime(folder) {}
        #expect(seen.complaints == [] && seen.value == "false")
    }

    @Test func hostileTextOfAListStaysText() async throws {
        let library = try LibraryFolder(nights: 1)
        for (number, text) in Self.hostile.enumerated() {
            let verdict = ["exit_code": 1, "outcome": "failed", "reasons": [text]] as [String: Any]
            let changes: [String: Any?] = [
                "run.profile": text, "run.labels": ["release": text, text: text], "verdict": verdict,
            ]
            let json = try ResultHistory().json(number, release: text, factor: 1, changes)
            try library.folder.write(json, to: "quick/\(number)<b>'.json")
        }
        let script = "[document.title.includes('owned'), document.querySelectorAll('img, b b').length].join()"
        let options = ["--type", "#f-label", "<", "--expect", Self.hostile[0], "--evaluate", script]
        let seen = try await Browser.inspect(try await library.index(), options)
        withExtendedLifetime(library) {}
        #expect(seen.complaints == [] && seen.value == "false,0")
    }
}
