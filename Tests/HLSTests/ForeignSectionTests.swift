import Foundation
import TestSupport
import Testing

@testable import HLS

/// Sections that no one wrote down before, as threefive reads them: `.ci/test nightly` alone runs this.
@Suite struct ForeignSectionTests {
    @Test func threefiveReadsTheSameOfRandomSections() throws {
        let seed = UInt32.random(in: .min ... .max)
        let script = PackageFolder.file("Tests/ForeignReaders/sections.py").path
        let lines = try InstalledProgram.python().output([script, "\(seed)", "5000"]).split(
            separator: UInt8(ascii: "\n")
        )
        #expect(lines.count > 5_000)
        for line in lines where line.contains(UInt8(ascii: "\t")) {
            let columns = String(decoding: line, as: UTF8.self).split(separator: "\t")
            let section = try SpliceSection(checked: try SpliceSection.bytes(of: columns[0]))
            #expect(section.fields == columns[1], "\(columns[0]) of seed \(seed)")
        }
    }
}
