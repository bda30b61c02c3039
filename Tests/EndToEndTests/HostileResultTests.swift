import Foundation
import Results
import TestSupport
import Testing

/// One hostile result through every output: nothing of it runs, steers a terminal, or passes for something else.
@Suite(.serialized, .fewAtOnce) struct HostileResultTests {
    private static func history(in folder: TemporaryFolder) throws -> [String] {
        try (0..<4).map { number in
            let start = 1_795_291_200_000_000 + Int64(number) * 600_000_000
            let (json, places) = try HostileResult.json(startedAtMicroseconds: start)
            // A result whose texts are not free would prove nothing.
            #expect(places > 30)
            return try folder.write(json, to: "results/\(number).json")
        }
    }

    private static func output(_ arguments: [String]) async throws -> String {
        let end = try await PodswarmExecutable.run(arguments)
        #expect(!end.isSignal && [0, 1, 3].contains(end.status), "\(arguments): \(end.status) \(end.errors)")
        #expect(steering(in: end.errors) == [], "\(arguments)")
        return end.output
    }

    /// Scalars that steer a terminal or a reader, but for line ends.
    private static func steering(in text: String, but allowed: Set<Unicode.Scalar> = ["\n"]) -> Set<String> {
        Set(
            text.unicodeScalars.filter { scalar in
                !allowed.contains(scalar)
                    && (scalar.properties.generalCategory == .control || ["\u{2028}", "\u{2029}"].contains(scalar)
                        || ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar))
            }.map { "U+" + String($0.value, radix: 16) }
        )
    }

    @Test func theTerminalIsNotSteered() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.history(in: folder)
        for command in [
            ["result", "show", files[0]], ["compare", "--base", files[0], "--candidate", files[1]],
            ["trend", folder.file("results").path],
            ["compare", "--base", files[0], "--candidate", files[1], "--json", "-"],
            ["trend", folder.file("results").path, "--json", "-"],
        ] {
            let text = try await Self.output(command)
            #expect(Self.steering(in: text) == [], "\(command[0])")
            #expect(text.contains("owned"), "\(command[0]): \(text.prefix(300))")
        }
    }

    /// With its policy taken off, a page still holds the text and nothing of it runs, loads or becomes an element.
    @Test func nothingRunsInABrowserEvenWithoutThePolicy() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.history(in: folder)
        let pages: [(name: String, arguments: [String])] = [
            ("report", ["report", files[0], "--output", "-"]),
            ("compare", ["compare", "--base", files[0], "--candidate", files[1], "--html", "-"]),
            ("trend", ["trend", folder.file("results").path, "--html", "-"]),
            ("index", ["results", "index", folder.file("results").path]),
        ]
        let index = folder.file("results/index.html")
        for (name, arguments) in pages {
            let printed = try await Self.output(arguments)
            let page = name == "index" ? try String(contentsOf: index, encoding: .utf8) : printed
            let policy = try #require(page.firstMatch(of: /<meta http-equiv="Content-Security-Policy"[^>]*>/)?.range)
            let file = try folder.write(page.replacingCharacters(in: policy, with: ""), to: "\(name).html")
            let seen = try await Browser.inspect(
                URL(filePath: file),
                [
                    "--open-details", "--evaluate",
                    """
                    [document.title === 'owned', document.querySelectorAll('img, iframe, object, textarea, b b').length,
                    document.querySelectorAll('svg[onload], [onerror], [onclick], [onmouseover], a[href^=javascript]').length,
                    [...document.links].filter(a => a.href.includes('evil.example')).length,
                    document.body.textContent.includes("\(HostileResult.mark)")].join()
                    """,
                ]
            )
            #expect(seen.complaints == [], "\(name)")
            #expect(seen.value == "false,0,0,0,true", "\(name)")
            #expect(Self.steering(in: page, but: ["\n", "\t"]) == [], "\(name)")
        }
    }

    private struct Elements: Decodable {
        var names: Set<String>
        /// Addresses that something leads to or loads, and what it runs.
        var leads: [String]
    }

    private static let elementsOfJUnit: Set<String> = [
        "testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped", "system-out",
        "system-err",
    ]

    private static func elements(_ format: String, _ file: String) async throws -> Elements {
        try JSONDecoder().decode(Elements.self, from: try await ForeignScript.read(format, [file]))
    }

    @Test func exportsStayWhatTheyAre() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.history(in: folder)
        var texts: [String: String] = [:]
        for format in ["junit", "markdown", "csv", "hlog", "iab", "iab-series", "prometheus"] {
            for (name, file) in [("hostile", files[0]), ("golden", GoldenFile.result.path)] {
                let text = try await Self.output(["result", "export", file, "--format", format])
                texts["\(format)-\(name)"] = text
                try folder.write(text, to: "\(format)-\(name)")
            }
        }
        func file(_ name: String) -> String { folder.file(name).path }
        for format in ["junit", "markdown"] {
            let hostile = try await Self.elements(format, file("\(format)-hostile"))
            let golden = try await Self.elements(format, file("\(format)-golden"))
            #expect(hostile.names.isSubset(of: golden.names.union(Self.elementsOfJUnit)), "\(format)")
            #expect(hostile.leads == [], "\(format)")
        }
        for (name, text) in texts where name.hasSuffix("hostile") {
            #expect(Self.steering(in: text, but: ["\n", "\r", "\t"]) == [], "\(name)")
        }
        // What is no figure is not in it.
        #expect(texts["csv-hostile"]?.contains("owned") == false)
        let lines = try #require(texts["hlog-hostile"]?.split(separator: "\n"))
        #expect(lines.count == texts["hlog-golden"]?.split(separator: "\n").count)
        for line in lines.dropFirst(5) { #expect(line.split(separator: ",").count == 5, "\(line.prefix(100))") }
        for line in try #require(texts["iab-series-hostile"]).split(separator: "\n") {
            _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
    }

    @Test func aHistoryHoldsNoFormula() async throws {
        let folder = try TemporaryFolder()
        _ = try Self.history(in: folder)
        let table = folder.file("history.csv").path
        let configuration = folder.file("otava.yaml").path
        _ = try await Self.output([
            "trend", folder.file("results").path, "--csv", table, "--otava-config", configuration,
        ])
        let seen = String(decoding: try await ForeignScript.read("formulas", [table]), as: UTF8.self)
        #expect(seen.hasPrefix("5 {") && !seen.contains(", {") && seen.hasSuffix("} []\n"), "\(seen)")
        #expect(Self.steering(in: try String(contentsOfFile: table, encoding: .utf8), but: ["\n", "\r"]) == [])
        let read = "import sys, yaml; yaml.safe_load(open(sys.argv[1]))"
        #expect(try await ExternalTool.python.run(["-c", read, configuration]).status == 0)
    }

    @Test func aComparisonForAPullRequestLeadsNowhere() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.history(in: folder)
        for format in ["markdown", "junit"] {
            let file = folder.file(format).path
            _ = try await Self.output(["compare", "--base", files[0], "--candidate", files[1], "--\(format)", file])
            let seen = try await Self.elements(format, file)
            let folded: Set<String> = [
                "h3", "h4", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "details", "summary",
                "strong",
            ]
            #expect(seen.names.isSubset(of: format == "junit" ? Self.elementsOfJUnit : folded), "\(seen.names)")
            #expect(seen.leads == [], "\(format)")
        }
    }
}
