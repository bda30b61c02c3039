import Foundation
import TestSupport
import Testing
import Values

@testable import Profile

@Suite struct TraitTableTests {
    private static func read(_ text: String) throws(TraitTable.Mistake) -> TraitTable {
        try TraitTable.read([UInt8](text.utf8))
    }

    @Test func columnsAreTraits() throws {
        let table = try Self.read("\u{FEFF}ppid,region\r\n1,\"a, \"\"b\"\"\"\r\n\r\n2,c\r\n")
        #expect(table.columns == ["ppid", "region"])
        #expect(
            [0, 1].map { row in [0, 1].map { table.value(row: row, column: $0) } } == [["1", "a, \"b\""], ["2", "c"]]
        )
        #expect(table.shares == nil)
        let shared = try Self.read("region,share\na,75%\nb,0.25")
        #expect((shared.columns, shared.shares, shared.rowCount) == (["region"], [0.75, 0.25], 2))
    }

    @Test(arguments: [
        ("", "is empty"), ("a,b\n", "has no rows"), ("a,b\n1\n", "line 2 has 1 field where 2 are named"),
        ("a\n\"x\n", "line 2 has a quotation mark that is not closed"),
        ("1a\nx\n", "the column \"1a\" cannot name a trait"),
        ("a,a\n1,2\n", "has two columns of one name"), ("a,share\nx,50%\ny,60%\n", "the shares add up to 110%"),
        ("a,share\nx,much\n", "line 2 has an invalid share"), ("viewer\n1\n", "has a meaning of its own"),
        ("a\nx\u{1}\n", "line 2 has a value that is too long, or holds a control character"),
    ]) func whatIsNoTableIsSaid(text: String, words: String) {
        let mistake = #expect(throws: TraitTable.Mistake.self) { try Self.read(text) }
        #expect(mistake?.description.contains(words) == true)
    }

    /// Whatever is in a file, it is a table or a mistake.
    @Test func garbageIsNeverATrap() {
        var generator = SeededGenerator(seed: 19)
        let pieces = ["a", ",", "\"", "\n", "\r\n", "share", "\u{0}", "é", "50%", "{", "}", "\u{FEFF}"]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            if let table = try? Self.read(text.joined()) {
                #expect(
                    table.columns.indices.allSatisfy {
                        table.value(row: table.rowCount - 1, column: $0).utf8.count < 200
                    }
                )
            }
        }
        #expect(throws: TraitTable.Mistake.self) { try TraitTable.read([0xFF, 0xFE, 0x00]) }
    }

    @Test func aProfileNamesATable() throws {
        let folder = try TemporaryFolder()
        try folder.write("ppid,region\n11,north\n22,south\n", to: "viewers.csv")
        let profile = try folder.write(
            """
            duration: 60s
            target: {embedded: {custParams: "p={ppid}"}}
            audience: {viewers: 10, traits: [{file: viewers.csv}]}
            breaks: {source: {every: 20s}}

            """,
            to: "profile.yaml"
        )
        let plan = try ProfileReader().read(contentsOf: profile)
        #expect(plan.audience.traits.map(\.name) == ["ppid", "region"] && plan.pods.cohort == ["ppid", "region"])
        try folder.write("ppid,region\n11,north\n22\n", to: "viewers.csv")
        #expect { try ProfileReader().read(contentsOf: profile) } throws: {
            "\($0)".contains("audience.traits[0].file: line 3 has 1 field where 2 are named")
        }
    }

    @Test(arguments: [
        ("198.51.100.0/24", "198.51.100.7"), ("198.51.100.0/32", "198.51.100.0"), ("0.0.0.0/0", "1.2.3.7"),
        ("2001:db8::/64", "2001:db8::102:307"), ("198.51.100.128/25", "198.51.100.135"),
    ]) func anAddressIsOfItsBlock(block: String, address: String) throws {
        let found = try #require(IPNetwork(block)).address((high: 0, low: 0x0102_0307))
        #expect(found == address)
    }
}
