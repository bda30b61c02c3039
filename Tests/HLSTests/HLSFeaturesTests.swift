import Foundation
import TestSupport
import Testing

@testable import HLS

/// The page of HLS features is true: what its tables name is there, and what the readers know is in them.
@Suite struct HLSFeaturesTests {
    @Test func everyRowNamesAnImplementationAndATest() throws {
        let features = try HLSFeature.all()
        #expect(features.count > 90)
        for feature in features {
            #expect(!feature.tests.isEmpty && !feature.implementation.isEmpty, "\(feature.name)")
        }
        #expect(Set(features.map(\.name)).count == features.count)
    }

    @Test func everyDeclarationIsWhereThePageSays() throws {
        for feature in try HLSFeature.all() {
            for place in feature.implementation + feature.origin {
                let isThere = try PackageFolder.text("Sources/\(place.file)").contains(place.declaration)
                #expect(isThere, "\(feature.name): \(place.file) has no \(place.declaration)")
            }
        }
    }

    @Test func everyTestIsOneOfItsSuite() throws {
        let tests = try TestNames.read()
        for feature in try HLSFeature.all() {
            for test in feature.tests { #expect(tests.contains(test), "\(feature.name): there is no test \(test)") }
        }
    }

    /// The check itself can fail: these names are of no test.
    @Test(arguments: [
        "HLSTests/InterstitialTests/noSuchTest", "HLSTests/InterstitialTests/interstitials",
        "HLSTests/PreloadRangeTests/readsEveryAttributeOfTheClass",
        "SwarmTests/InterstitialTests/readsEveryAttributeOfTheClass",
        "HLSTests/InterstitialTests/readsEveryAttributeOfThe", "",
    ]) func whatIsNoTestIsNotFound(_ test: String) throws { #expect(try !TestNames.read().contains(test)) }

    /// Every name that the readers of date ranges, delivery, steering and cues compare with, from their own sources.
    @Test func everyNameThatIsReadStandsOnThePage() throws {
        let names = try HLSFeature.all().map(\.name).joined(separator: " ")
        let words = names.matches(of: /[_A-Za-z][A-Za-z0-9_.-]*/).map { String($0.0) }
        var read: Set<String> = []
        for file in [
            "DateRange", "DeliveryTags", "PlaylistHeader", "Interstitials/Interstitial", "Interstitials/PreloadRange",
            "Delivery/DeliveryDirectives", "ContentSteering",
        ] {
            let text = try PackageFolder.text("Sources/HLS/\(file).swift")
            let names = text.matches(of: /(?:isNamed\(attribute, |= |named\[|case )"#?([_A-Z][A-Za-z0-9_-]+)"/).map {
                String($0.1)
            }
            #expect(!names.isEmpty, "\(file) compares with nothing; look for what it does instead")
            read.formUnion(names)
        }
        let cues = try PackageFolder.text("Sources/HLS/Stitched/CueTag.swift")
        let cueTags = cues.matches(of: /"((?:X|OATCLS)-[A-Z0-9-]+)"/).map { "EXT-\($0.1)" }
        #expect(cueTags.count > 10)
        read.formUnion(cueTags)
        read.formUnion(Interstitial.Attribute.allCases.map(\.rawValue))
        read.formUnion(PreloadRange.Attribute.allCases.map(\.rawValue))
        read.formUnion(DateRange.Cue.allCases.map(\.rawValue))
        #expect(read.count > 50)
        let elsewhere: Set = ["DURATION", "ELAPSED", "ELAPSEDTIME", "TIME-OFFSET", "PRECISE", "YES", "CONT", "NO"]
        #expect(read.subtracting(words).subtracting(elsewhere).sorted() == [])
    }
}

private struct HLSFeature {
    let name: String
    let implementation: [(file: String, declaration: String)]
    let origin: [(file: String, declaration: String)]
    /// `Target/Suite/function`.
    let tests: [String]

    static func all() throws -> [HLSFeature] {
        let rows = try PackageFolder.text("Sources/podswarm/Documentation.docc/HLSFeatures.md").split(separator: "\n")
        return try rows.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| What ") }.map { row in
            let cells = row.dropFirst(2).dropLast(2).split(separator: " | ")
            try #require(cells.count == 5, "\(row)")
            return HLSFeature(
                name: String(cells[0]),
                implementation: places(cells[2]),
                origin: places(cells[3]),
                tests: spans(cells[4])
            )
        }
    }

    /// A file stands before the declarations that are named of it.
    private static func places(_ cell: Substring) -> [(file: String, declaration: String)] {
        var file = ""
        return spans(cell).compactMap { span in
            guard span.hasSuffix(".swift") else { return (file, span) }
            file = span
            return nil
        }
    }

    private static func spans(_ cell: Substring) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }
}

/// The test functions of all suites as `Target/Suite/function`, from their sources, and the cases as `Target/Folder/file`.
private enum TestNames {
    static func read() throws -> Set<String> { try all.get() }

    private static let all = Result {
        let folder = PackageFolder.file("Tests")
        var names: Set<String> = []
        for case let path as String in try #require(FileManager.default.enumerator(atPath: folder.path))
        where path.hasSuffix("Tests.swift") || path.hasSuffix(".txt") {
            let target = path.prefix { $0 != "/" }
            guard path.hasSuffix(".swift") else {
                let place = path.dropLast(".txt".count).split(separator: "/").suffix(2).joined(separator: "/")
                names.insert("\(target)/\(place)")
                continue
            }
            let text = try PackageFolder.text("Tests/\(path)")
            names.formUnion(functions(in: text).map { "\(target)/\($0)" })
        }
        return names
    }

    /// A function is a test where `@Test` stands before it; a suite's name stands at the start of a line.
    private static func functions(in text: String) -> [String] {
        var suite = ""
        var isTest = false
        return text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let code = line.drop { $0 == UInt8(ascii: " ") }
            if code.starts(with: "@Test".utf8) { isTest = true }
            guard isTest || code.startIndex == line.startIndex else { return nil }
            let words = String(Substring(code)).split(separator: " ")
            if code.startIndex == line.startIndex,
                let keyword = words.firstIndex(where: { $0 == "struct" || $0 == "extension" })
            {
                suite = words.dropFirst(keyword + 1).first.map(String.init) ?? ""
            }
            guard isTest, let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count else { return nil }
            isTest = false
            return "\(suite)/\(words[keyword + 1].prefix { $0 != "(" })"
        }
    }
}
