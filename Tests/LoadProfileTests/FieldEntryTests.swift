import TestSupport
import Testing

@testable import Profile

@Suite struct FieldEntryTests {
    private static let all = LoadPlan.entries

    @Test func thePageOfFieldsIsThatOfTheTable() throws {
        try GoldenFile.expect(FieldPage(Self.all).text, at: "Sources/podswarm/Documentation.docc/ProfileFields.md")
    }

    @Test func eachFieldOfTheSchemaIsAnEntryOnce() throws {
        #expect(Self.all.map(\.path).sorted() == (try SchemaFields().paths.sorted()))
        #expect(Set(Self.all.map(\.meaning)) == Set(FieldTexts.all.values), "each has its text, and each text a field")
    }

    @Test func factsAreThoseOfTheRule() throws {
        func entry(_ path: String) throws -> FieldEntry { try #require(Self.all.first { $0.path == path }) }
        let viewers = try entry("audience.viewers")
        #expect((viewers.kind, viewers.allowed, viewers.usual) == ("whole number", "1 to 1000000", nil))
        let grace = try entry("breaks.grace")
        #expect((grace.kind, grace.allowed, grace.usual) == ("duration", "0s to 10m", "1s"))
        #expect(try entry("breaks.source").kind == "word or mapping or list")
        for path in ["duration", "target.podServing.networkCode"] { #expect(try entry(path).isRequired) }
        #expect(try entry("audience.seeks.distance").usual == "10s")
        #expect(try entry("audience.personas.reload.clock").usual == "the player's")
    }

    /// The overrides of `PlanDigestTests` whose fields have no others below them.
    @Test func fieldsThatMayDifferAreThoseThatTheWorkloadLeavesOut() throws {
        var compared = 0
        for line in try CaseFile.all(in: "Tests/LoadProfileTests/PlanDigests").flatMap(\.expected) {
            guard let found = line.wholeMatch(of: /(digest|digest and workload): ([A-Za-z0-9.]+)=.*/),
                let entry = Self.all.first(where: { $0.path == found.2 }),
                !Self.all.contains(where: { $0.path.hasPrefix("\(entry.path).") })
            else { continue }
            let expected: [FieldEntry.Comparison] =
                found.1 == "digest" ? [.free, .scheme] : [.equal, .scheme, .presence]
            #expect(expected.contains(entry.comparison), "\(line)")
            compared += 1
        }
        #expect(compared > 80)
    }
}

/// Reference page: a table for each mapping of the first two levels.
private struct FieldPage {
    private static let head = """
        # Fields of profiles

        Every field that a profile may have, with its kind, default, limits and meaning.

        ## Overview

        Look up a field here, or print its facts with `podswarm explain audience.viewers`. The page is generated from the table
        that reads profiles. Fields of a list's items stand below the name of the list.

        | Kind | Written as |
        | --- | --- |
        | duration | a number with a unit, such as `500ms`, `10s`, `1m30s` or `8h` |
        | share | `5%` or `0.05` |
        | size | a number with a unit, such as `64MiB` |
        | word | one of the words in the column Allowed |

        The column Compare tells whether runs remain comparable when the field differs:

        | Compare | Rule |
        | --- | --- |
        | equal | must be equal |
        | may differ | may differ |
        | scheme | must be http in both, or https in both |
        | presence | must be given in both, or in neither; the value may differ |

        """

    let text: String

    init(_ entries: [FieldEntry]) {
        var tables: [(title: String, rows: [String])] = []
        var places: [String: String] = [:]
        var hidden: [String] = []
        for entry in entries where !hidden.contains(where: { entry.path.hasPrefix($0) }) {
            let parts = entry.path.split(separator: ".").map(String.init)
            let title = parts.dropLast().prefix(2).joined(separator: ".")
            var meaning = entry.meaning
            if let definition = entry.definition {
                if let place = places[definition] {
                    meaning += " Its fields are those of `\(place)`."
                    hidden.append("\(entry.path).")
                } else {
                    places[definition] = entry.path
                }
            }
            let cells = [
                "`\(entry.path)`", entry.kind, Self.usual(entry), Self.plain(entry.allowed), Self.compare(entry),
                Self.plain(meaning),
            ]
            let row = "| \(cells.joined(separator: " | ")) |"
            if let index = tables.firstIndex(where: { $0.title == title }) {
                tables[index].rows.append(row)
            } else {
                tables.append((title, [row]))
            }
        }
        let names = ["Field", "Kind", "Default", "Allowed", "Compare", "Meaning"]
        let columns = "| \(names.joined(separator: " | ")) |\n|\(String(repeating: " --- |", count: names.count))\n"
        text = tables.reduce(Self.head) { page, table in
            let title = table.title.isEmpty ? "Top level" : table.title
            return page + "\n## \(title)\n\n" + columns + table.rows.map { "\($0)\n" }.joined()
        }
    }

    private static func usual(_ entry: FieldEntry) -> String {
        entry.isRequired ? "required" : plain(entry.usual ?? "-")
    }

    private static func compare(_ entry: FieldEntry) -> String {
        entry.comparison == .free ? "may differ" : entry.comparison.rawValue
    }

    /// Escapes Markdown's marks outside code.
    private static func plain(_ text: String) -> String {
        guard !text.isEmpty else { return "-" }
        return text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            let marks: Set<Character> = index.isMultiple(of: 2) ? ["*", "|", "<", "_", "\\"] : ["|"]
            return part.map { marks.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }.joined(separator: "`")
    }
}
