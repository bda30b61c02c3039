import Foundation
import Rules
import TestSupport
import Testing

@testable import Origin

/// The table of findings is whole: each code can be produced on purpose, is tested, and is explained.
@Suite struct FindingMatrixTests {
    @Test func everyCodeHasAFaultThatTheOriginKnows() {
        let known = Set(FaultKind.all.map(\.name))
        let missing = FindingCode.table.filter { !known.contains($0.fault) }.map { "\($0.code): \($0.fault)" }
        #expect(missing == [])
    }

    @Test func theProfilesPlanEveryFaultOfTheTable() throws {
        let plans = try ["faulty", "faulty-low-latency", "targeted"].map { name in
            try PackageFolder.text("Profiles/faults/\(name).yaml")
        }
        let planned = Set(plans.flatMap { $0.matches(of: /- \{fault: ([a-z_]+)/) }.map { String($0.1) })
        #expect(Set(FindingCode.table.map(\.fault)).subtracting(planned) == [])
    }

    @Test func everyCodeHasATestOfItsNameOrACase() throws {
        let tests = try FindingTests(root: PackageFolder.url)
        let missing = FindingCode.table.filter { tests.test(of: $0) == nil && tests.file(for: $0) == nil }
            .map(\.code)
        #expect(missing == [])
    }

    @Test func everyCodeIsExplained() {
        for row in FindingCode.table {
            #expect(row.meaning.hasSuffix(".") && row.meaning.split(separator: " ").count > 4, "\(row.code): meaning")
            #expect(row.rule.text.count > 15 && !row.rule.text.hasSuffix("."), "\(row.code): rule")
            #expect(row.likelyCauses.count >= 2, "\(row.code): likely causes")
            #expect(row.likelyCauses.allSatisfy { $0.hasSuffix(".") && $0.count > 10 }, "\(row.code): likely causes")
            #expect(row.whereToLook.count > 15, "\(row.code): where to look")
            #expect(row.code.wholeMatch(of: /[a-z]+(_[a-z0-9]+)*/) != nil, "\(row.code)")
        }
        let codes = FindingCode.table.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(Set(FindingCode.table.map(\.group)).count == FindingCode.Group.allCases.count)
    }

    /// What is no test is not found: the check itself can fail.
    @Test func onlyATestOfTheRightSuiteCounts() {
        let source = """
            @Suite struct PodFindingTests {
                @Test func emptyPod() {}
                func podMismatch() {}
            }
            extension SessionFindingTests {
                @Test(arguments: [1])
                func notAPlaylist(number: Int) {}
            }
            """
        let tests = FindingTests(source: source)
        #expect(tests.test(of: .emptyPod) == "PodFindingTests/emptyPod")
        #expect(tests.test(of: .podMismatch) == nil && tests.test(of: .notAPlaylist) == nil)
    }

    @Test func thePageIsTheTables() throws {
        let page = FindingMatrix(tests: try FindingTests(root: PackageFolder.url)).markdown
        try GoldenFile.expect(page, at: FindingMatrix.path)
    }
}

/// The page `FindingMatrix.md`: every code with its rule, the fault that produces it and the test that finds it.
struct FindingMatrix {
    static let path = "Sources/podswarm/Documentation.docc/FindingMatrix.md"

    let tests: FindingTests

    var markdown: String {
        let groups = FindingCode.Group.allCases.map(section)
        return Self.heading + groups.joined(separator: "\n") + "\n" + Self.settings
    }

    /// What changes the assumptions, and those of which codes.
    private static var settings: String {
        let settings = Set(FindingCode.table.flatMap(\.rule.assumptions).flatMap(\.settings))
        let rows = settings.sorted().map { setting in
            let codes = FindingCode.table.filter { row in
                row.rule.assumptions.contains { $0.settings.contains(setting) }
            }
            return "| `\(setting)` | \(codes.map { "`\($0.code)`" }.joined(separator: ", ")) |"
        }
        let head = ["## What changes an assumption", "", "| Field of a profile | Codes |", "| --- | --- |"]
        return (head + rows).joined(separator: "\n") + "\n"
    }

    private static let heading = """
        # The matrix of findings

        Every finding code with its severity, its rule, the planned fault that produces it and the test that proves it.

        ## Overview

        <doc:Findings> explains severities, counting and comparison. <doc:OriginReference> describes the planned faults.
        `podswarm explain CODE` adds likely causes and where to look.

        The test `FindingMatrixTests` writes this page from the code's own table. It fails for a code without a planned fault,
        without a test of its name or a case of `PlaylistCaseTests` or `CrowdCaseTests`, or without an explanation.
        `PODSWARM_RECORD_GOLDENS=1 swift test --filter FindingMatrixTests` writes the page again.


        """

    private func section(_ group: FindingCode.Group) -> String {
        let rows = FindingCode.table.filter { $0.group == group }
            .map { row in
                [
                    "`\(row.code)`", row.severity.rawValue, Self.cell(row.meaning),
                    Self.basis(of: row.rule), Self.rule(row.rule),
                    "`\(row.fault)`",
                    (tests.test(of: row) ?? tests.file(for: row)).map { "`\($0)`" } ?? "none",
                ]
            }
        let table =
            [
                "| Code | Severity | What it means | Rests on | Rule | Planned fault | Test |",
                "| --- | --- | --- | --- | --- | --- | --- |",
            ]
            + rows.map { "| \($0.joined(separator: " | ")) |" }
        return (["## \(group.heading)", ""] + table).joined(separator: "\n") + "\n"
    }

    /// In a word or two, what a rule rests on.
    private static func basis(of rule: FindingRule) -> String {
        // What stands behind an assumption qualifies it: it says what others do, and not that the assumption holds.
        if case .assumed = rule.bases.first {
            rule.citations.isEmpty ? "an assumption" : "an assumption, beside what is written"
        } else {
            rule.assumptions.isEmpty ? "what is written" : "what is written, and an assumption"
        }
    }

    /// Everything that a rule rests on, with links to where it is written.
    private static func rule(_ rule: FindingRule) -> String {
        let parts = rule.bases.map { basis in
            switch basis {
            case .written(let citation):
                let name = Self.cell(citation.document.name)
                let linked = citation.document.address.map { "[\(name)](\($0))" } ?? name
                return "\(linked): \(Self.cell(citation.saying))"
            case .assumed(let assumption): return Self.cell(assumption.text)
            }
        }
        return parts.joined(separator: "; ")
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("<", with: "\\<").replacing("*", with: "\\*")
    }
}

extension FindingCode.Group {
    /// The suite that has tests of codes of the group; nil where cases find them all.
    var suite: String? {
        switch self {
        case .playlist: "PlaylistAnswerFindingTests"
        case .versions: "PlaylistVersionFindingTests"
        case .renditions, .answers: nil
        case .pods: "PodFindingTests"
        case .sessions: "SessionFindingTests"
        case .audience: "AudienceFindingTests"
        }
    }

    fileprivate var heading: String {
        switch self {
        case .playlist: "One playlist"
        case .versions: "Successive versions of a playlist"
        case .renditions: "Renditions and variants side by side"
        case .pods: "Pods and asset lists"
        case .sessions: "Sessions, tokens, redirects and tracking"
        case .audience: "Between viewers and between edges"
        case .answers: "Answers of every kind"
        }
    }
}

/// The test functions of each suite of findings, read from the sources of all tests.
struct FindingTests {
    private var functions: [String: Set<String>] = [:]
    /// The files of cases that find a code.
    private var cases: [String: Set<String>] = [:]

    /// Reads every Swift file below `Tests`, and the cases of `PlaylistCaseTests` and `CrowdCaseTests`.
    init(root: URL) throws {
        let folder = root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { read(String(decoding: try Data(contentsOf: file), as: UTF8.self)) }
        }
        try readCases(in: folder.appending(path: "ConformanceTests/Cases"), ["^ ", "! "]) {
            [$0.dropFirst(2).prefix { $0 != ":" }]
        }
        try readCases(in: folder.appending(path: "SwarmTests/Cases"), ["# found"]) {
            $0.split(whereSeparator: { " :,".contains($0) })
        }
    }

    /// Reads lines of cases that begin with a mark, and codes in each.
    private mutating func readCases(in folder: URL, _ marks: [String], codes: (Substring) -> [Substring]) throws {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names where name.hasSuffix(".m3u8") || name.hasSuffix(".txt") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") where marks.contains(where: { line.hasPrefix($0) }) {
                for code in codes(line) { cases[String(code), default: []].insert("Cases/\(name)") }
            }
        }
    }

    /// Reads one source, for the test of this reader.
    init(source: String) { read(source) }

    /// The test of a code, with its suite: the function that has the code's name in camel case.
    func test(of row: FindingCode) -> String? {
        guard let suite = row.group.suite else { return nil }
        let wanted = row.code.replacing("_", with: "")
        let function = functions[suite]?.sorted().first { $0.lowercased() == wanted }
        return function.map { "\(suite)/\($0)" }
    }

    /// A file of cases that has the code.
    func file(for row: FindingCode) -> String? { cases[row.code]?.min() }

    /// A suite's name stands at the start of a line; a function is a test where `@Test` stands before it.
    private mutating func read(_ text: String) {
        guard text.contains("FindingTests") else { return }
        var suite = ""
        var isTest = false
        for line in text.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "(" || $0 == "{" || $0 == ":" }
            if line.first != " ", let keyword = words.firstIndex(where: { $0 == "struct" || $0 == "extension" }) {
                suite = words.dropFirst(keyword + 1).first.map(String.init) ?? ""
            }
            if words.first == "@Test" { isTest = true }
            guard isTest, let keyword = words.firstIndex(of: "func") else { continue }
            if let name = words.dropFirst(keyword + 1).first { functions[suite, default: []].insert(String(name)) }
            isTest = false
        }
    }
}
