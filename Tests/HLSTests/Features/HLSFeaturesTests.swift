import Foundation
import TestSupport
import Testing

@testable import HLS

/// The table of HLS features is true: what it names is there, and what the readers know is in it.
@Suite struct HLSFeaturesTests {
    @Test func everyEntryNamesATestAndAnImplementation() {
        for feature in HLSFeatures.all {
            #expect(!feature.tests.isEmpty && !feature.implementation.isEmpty, "\(feature.name)")
        }
        let names = HLSFeatures.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func everyDeclarationIsWhereTheTableSays() throws {
        for feature in HLSFeatures.all {
            for place in feature.implementation + feature.origin {
                let isThere = try PackageFolder.text("Sources/\(place.file).swift").contains(place.declaration)
                #expect(isThere, "\(feature.name): \(place.file) has no \(place.declaration)")
            }
        }
    }

    @Test func everyTestIsOneOfItsSuite() throws {
        let suites = try TestSources.read()
        for feature in HLSFeatures.all {
            for test in feature.tests {
                let name = "\(test.target)/\(test.suite)/\(test.function)"
                #expect(suites.contains(test), "\(feature.name): there is no test \(name)")
            }
        }
    }

    /// What is no test is not found: the check itself can fail.
    @Test(
        arguments: [
            "HLSTests/InterstitialTests/noSuchTest", "HLSTests/InterstitialTests/interstitials",
            "HLSTests/PreloadRangeTests/readsEveryAttributeOfTheClass",
            "SwarmTests/InterstitialTests/readsEveryAttributeOfTheClass",
            "HLSTests/InterstitialTests/readsEveryAttributeOfThe", "",
        ] as [FeatureTest]
    )
    func whatIsNoTestIsNotFound(_ test: FeatureTest) throws {
        #expect(try !TestSources.read().contains(test))
    }

    // MARK: Nothing is forgotten

    /// Every name that the readers of date ranges, delivery, steering and cues compare with, from their own sources.
    @Test func everyNameThatIsReadStandsInTheTable() throws {
        let table = Set(HLSFeatures.all.flatMap { [$0.name] + $0.spellings })
        var read: Set<String> = []
        for file in [
            "DateRangeTag", "DeliveryTags", "PlaylistHeader", "Interstitials/InterstitialAttributes",
            "Interstitials/PreloadRange", "Interstitials/InterstitialQuery", "Delivery/DeliveryDirectives",
            "ContentSteering", "Stitched/CueTag", "DateRange",
        ] {
            let text = try PackageFolder.text("Sources/HLS/\(file).swift")
            let names = text.matches(of: /(?:isNamed\(attribute, |= |named\[|case )"([#_A-Z][A-Za-z0-9_-]+)"/).map {
                String($0.1)
            }
            #expect(!names.isEmpty, "\(file) compares with nothing; look for what it does instead")
            read.formUnion(names)
        }
        read.formUnion(Interstitial.Attribute.allCases.map(\.rawValue))
        read.formUnion(PreloadRange.Attribute.allCases.map(\.rawValue))
        read.formUnion(DateRange.Cue.allCases.map(\.rawValue))
        #expect(read.count > 50)
        let elsewhere: Set = ["DURATION", "ELAPSED", "ELAPSEDTIME", "TIME-OFFSET", "PRECISE", "YES", "CONT", "NO"]
        #expect(read.subtracting(table).subtracting(elsewhere).sorted() == [])
    }

    // MARK: The page

    @Test func thePageIsTheTables() throws {
        try GoldenFile.expect(HLSFeatures.markdown, at: HLSFeatures.page)
    }
}

/// The test functions of all suites, from their sources.
private struct TestSources {
    private var functions: [String: Set<String>] = [:]

    static func read() throws -> TestSources { try all.get() }

    private static let all = Result { try TestSources(root: PackageFolder.url) }

    private init(root: URL) throws {
        let tests = root.appending(path: "Tests")
        let found = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        for case let file as URL in found where file.lastPathComponent.hasSuffix("Tests.swift") {
            let target = file.pathComponents.dropFirst(tests.pathComponents.count).first ?? ""
            read(String(decoding: try Data(contentsOf: file), as: UTF8.self), target: target)
        }
    }

    /// A function is a test where `@Test` stands before it; a suite's name stands at the start of a line.
    private mutating func read(_ text: String, target: String) {
        var suite = ""
        var isTest = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.first != UInt8(ascii: " ") {
                let words = String(Substring(line)).split(separator: " ")
                if let keyword = words.firstIndex(where: { $0 == "struct" || $0 == "extension" }) {
                    suite = words.dropFirst(keyword + 1).first.map(String.init) ?? ""
                }
                continue
            }
            let code = line.drop { $0 == UInt8(ascii: " ") }
            if code.starts(with: "@Test".utf8) { isTest = true }
            guard isTest, let name = Self.function(code) else { continue }
            functions["\(target)/\(suite)", default: []].insert(name)
            isTest = false
        }
    }

    /// The name behind `func`, where a line declares one.
    private static func function(_ code: Substring.UTF8View) -> String? {
        let words = String(Substring(code)).split(separator: " ")
        guard let keyword = words.firstIndex(of: "func") else { return nil }
        return words.dropFirst(keyword + 1).first.map { String($0.prefix { $0 != "(" }) }
    }

    func contains(_ test: FeatureTest) -> Bool {
        functions["\(test.target)/\(test.suite)"]?.contains(test.function) ?? false
    }
}
