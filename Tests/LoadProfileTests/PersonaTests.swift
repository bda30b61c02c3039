import Foundation
import Profile
import TestSupport
import Testing

@Suite struct PersonaTests {
    /// A star in the table and the word in the list of sources are one.
    @Test func everyFactHasASourceAndIsUnconfirmedWhereNobodyHasWrittenItDown() throws {
        for known in KnownPersona.all {
            for fact in PersonaFact.all {
                let source = try #require(known.source(of: fact.path), "\(known.persona.name) \(fact.path)")
                #expect(known.isUnconfirmed(fact.path) == source.isAssumed, "\(known.persona.name) \(fact.path)")
            }
        }
    }

    @Test func noSourceAndNoUnconfirmedPathIsOfAFactThatIsNone() {
        let paths = PersonaFact.all.map(\.path)
        for known in KnownPersona.all {
            for path in Array(known.sources.keys) + known.persona.unconfirmed {
                #expect(paths.contains { $0 == path || $0.hasPrefix("\(path).") }, "\(known.persona.name) \(path)")
            }
        }
    }

    @Test func namesAreUniqueAndFound() {
        let names = KnownPersona.all.map(\.persona.name)
        #expect(names == ["strict", "hlsjs", "media3", "shaka", "vhs", "avplayer", "ima-guide", "eager"])
        for name in names { #expect(KnownPersona.named(name)?.persona.name == name) }
        #expect(KnownPersona.named("netscape") == nil && KnownPersona.mistakes.isEmpty)
    }

    @Test func retriesWaitAsEachPlayerDoes() {
        let playlist = Persona.known("hlsjs").requests.segment.afterError
        #expect(
            (1...7).map { playlist.wait(before: $0, chance: 0.5) }
                == [1, 2, 4, 8, 8, 8, nil].map { $0.map { .seconds($0) } }
        )
        let media3 = Persona.known("media3").requests.playlist.afterError
        #expect((1...8).map { media3.wait(before: $0, chance: 0.5) } == [0, 1, 2, 3, 4, 5, 5, 5].map { .seconds($0) })
        let master = Persona.known("media3").requests.multivariant.afterError
        #expect((1...4).map { master.wait(before: $0, chance: 0.5) } == [0, 1, 2, nil].map { $0.map { .seconds($0) } })
        #expect(Persona.known("media3").requests.playlist.ending(after: 3).afterError.retries == 3)
        let shaka = Persona.known("shaka").requests.assetList.afterError
        #expect((1...2).map { shaka.wait(before: $0, chance: 0) } == [.milliseconds(500), nil])
        #expect(Persona.known("hlsjs").requests.multivariant.afterNoAnswer.retries == 0)
        #expect(Persona.known("hlsjs").requests.playlist.afterTimeout.wait(before: 2, chance: 1) == .zero)
    }

    @Test func aTableOfOnePersonaHasItsSourcesAndNoWaitsWithoutRetries() {
        let single = PersonaTable(KnownPersona.all.filter { $0.persona.name == "media3" }).text()
        #expect(single.contains("HlsInterstitialsAdsLoader"))
        #expect(single.contains(#/ read +Media3 1.11.0/#))
        #expect(!single.contains("assetList.afterError.wait"))
        #expect(single.contains("playlist.afterError.wait"))
    }
}

/// The documentation shows the facts that the code has, each of every persona.
@Suite struct PersonaPageTests {
    private static let path = "Sources/podswarm/Documentation.docc/PersonaFacts.md"
    private static let mark = "a test of LoadProfileTests compares it. -->\n\n"

    @Test func thePageShowsTheTable() throws {
        let page = try PackageFolder.text(Self.path)
        let end = try #require(page.range(of: Self.mark)).upperBound
        let rows = PersonaTable().rows
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        var text = line(["Fact"] + rows[0].dropFirst().map { "`\($0)`" }) + line(rows[0].map { _ in "---" })
        for row in rows.dropFirst() { text += line(["`\(row[0])`"] + row.dropFirst()) }
        for known in KnownPersona.all {
            text += "\n### `\(known.persona.name)`\n\n\(known.summary)\n\n"
            text += line(["Facts", "Known by", "From"]) + line(["---", "---", "---"])
            for (path, source) in known.sources.sorted(by: { $0.key < $1.key }) {
                text += line(["`\(path)`", source.kind.rawValue, source.text])
            }
        }
        try GoldenFile.expect(page[..<end] + text, at: Self.path)
    }
}
