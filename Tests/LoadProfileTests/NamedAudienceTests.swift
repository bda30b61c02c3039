import Profile
import Testing

@Suite struct NamedAudienceTests {
    private static let fields =
        "viewers: 400, churnPerMinute: 2%, personas: [{persona: avplayer, share: 60%}, {persona: hlsjs}]"

    private func plan(_ audience: String, _ overrides: Override...) throws -> LoadPlan {
        var surroundings = Samples.surroundings
        surroundings.hasFile = { $0 == "Profiles/final.yaml" }
        surroundings.contents = { _, _ in Array("# What podswarm audience wrote.\naudience: {\(Self.fields)}\n".utf8) }
        let profile = Samples.profile(audience: audience, and: "include: final.yaml")
        return try ProfileReader(surroundings: surroundings).read(
            yaml: profile,
            path: "Profiles/a.yaml",
            overrides: overrides
        )
    }

    @Test func itsFieldsAreTheProfiles() throws {
        let named = try plan("{}")
        let written = try Samples.reader.read(
            yaml: Samples.profile(audience: "{\(Self.fields)}"),
            path: "Profiles/a.yaml"
        )
        #expect(named.audience == written.audience)
        // It is what was read that a digest is taken of, wherever it stands.
        #expect(named.digest == written.digest)
    }

    @Test func ownFieldsComeFirst() throws {
        let own = try plan("{viewers: 7, personas: [shaka]}")
        #expect((own.audience.viewers, own.audience.personas.map(\.persona.name)) == (7, ["shaka"]))
        #expect(own.audience.churnPerMinute == 0.02)
        #expect(try plan("{}", Override(parsing: "--viewers=9")).audience.viewers == 9)
    }
}
