import Foundation
import Rulebook
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
        let missing = FindingCode.table.filter { tests.function(for: $0) == nil && tests.file(for: $0) == nil }
            .map { "\($0.group.suite)/\($0.code)" }
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
        #expect(tests.function(for: .emptyPod) == "emptyPod")
        #expect(tests.function(for: .podMismatch) == nil)
        #expect(tests.function(for: .notAPlaylist) == nil)
    }

    @Test func thePageIsTheTables() throws {
        let page = FindingMatrix(tests: try FindingTests(root: PackageFolder.url)).markdown
        try GoldenFile.expect(page, at: FindingMatrix.path)
    }
}
