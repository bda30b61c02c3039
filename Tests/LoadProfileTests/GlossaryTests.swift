import Foundation
import TestSupport
import Testing

/// The page `Glossary.md` is short and has only words that users meet.
@Suite struct GlossaryTests {
    private static let catalogue = "Sources/podswarm/Documentation.docc"
    private static let others: Set = [
        "Architecture.md", "Contributing.md", "Decisions.md", "Glossary.md", "Podswarm.md",
    ]

    @Test func hasAtMostSixtyTermsInTheirOrder() throws {
        let terms = try Self.terms()
        #expect(terms.count > 20 && terms.count <= 60)
        #expect(terms == terms.sorted())
        #expect(Set(terms).count == terms.count)
    }

    @Test func everyTermStandsOnAPageOfUsersInAHelpTextOrInASchema() throws {
        let text = try Self.whatUsersRead()
        let unused = try Self.terms().filter { !text.contains(Self.plain($0)) }
        #expect(unused == [])
        #expect(!text.contains("no such term at all"))
    }

    /// First cells of the page's table.
    private static func terms() throws -> [String] {
        let page = try PackageFolder.text("\(catalogue)/Glossary.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        // Without the head and the line below it.
        return rows.dropFirst(2).map { row in
            row.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// Pages, schemas, and the sources of commands with their help texts.
    private static func whatUsersRead() throws -> String {
        var texts = [try PackageFolder.text("Profiles/profile.schema.json")]
        for path in try names(in: catalogue) where path.hasSuffix(".md") && !others.contains(path) {
            texts.append(try PackageFolder.text("\(catalogue)/\(path)"))
        }
        for folder in ["Sources/Report/Schema"] {
            for path in try names(in: folder) { texts.append(try PackageFolder.text("\(folder)/\(path)")) }
        }
        for folder in ["Sources/podswarm", "Sources/Rehearsal/Options"] {
            for path in try names(in: folder) where path.hasSuffix(".swift") {
                texts.append(try PackageFolder.text("\(folder)/\(path)"))
            }
        }
        return texts.map(plain).joined(separator: "\n")
    }

    /// Keys such as `on_time` count as words.
    private static func plain(_ text: String) -> String {
        text.lowercased().replacing("_", with: " ").replacing("-", with: " ")
    }

    /// Paths of files, those in subfolders included.
    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: PackageFolder.file(folder).path).sorted()
    }
}
