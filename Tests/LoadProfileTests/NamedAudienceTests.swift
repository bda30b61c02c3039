import Profile
import Testing

@Suite struct NamedAudienceTests {
    private static let file = """
        # What podswarm audience wrote.
        viewers: 400
        churnPerMinute: 2%
        personas:
          - {persona: avplayer, share: 60%}
          - {persona: hlsjs, share: 40%}
        """

    private func reader(_ text: String?) -> ProfileReader {
        var surroundings = Samples.surroundings
        surroundings.hasFile = { $0 == "Profiles/final.yaml" }
        surroundings.contents = { path, most in
            path == "Profiles/final.yaml" ? text.map { Array($0.utf8.prefix(most)) } : nil
        }
        return ProfileReader(surroundings: surroundings)
    }

    private func plan(_ audience: String, _ file: String = file, _ overrides: Override...) throws -> LoadPlan {
        let profile = Samples.profile(audience: audience)
        return try reader(file).read(yaml: profile, path: "Profiles/a.yaml", overrides: overrides)
    }

    private func problems(_ audience: String, _ file: String?) -> [String] {
        Samples.problems(Samples.profile(audience: audience), by: reader(file))
    }

    @Test func itsFieldsAreTheProfiles() throws {
        let named = try plan("{file: final.yaml}")
        let personas = "[{persona: avplayer, share: 60%}, {persona: hlsjs, share: 40%}]"
        let written = try plan("{viewers: 400, churnPerMinute: 0.02, personas: \(personas)}")
        #expect(named.audience == written.audience)
        // It is what was read that a digest is taken of, wherever it stands.
        #expect(named.digest == written.digest)
        #expect(named.digest != (try plan("{file: final.yaml}", Self.file.replacing("400", with: "401")).digest))
    }

    @Test func ownFieldsComeFirst() throws {
        let own = try plan("{file: final.yaml, viewers: 7, personas: [shaka]}")
        #expect((own.audience.viewers, own.audience.personas.map(\.persona.name)) == (7, ["shaka"]))
        #expect(own.audience.churnPerMinute == 0.02)
        #expect(try plan("{file: final.yaml}", Self.file, Override(parsing: "--viewers=9")).audience.viewers == 9)
        let override = try Override(parsing: "audience.file=final.yaml")
        #expect(try plan("{viewers: 3}", Self.file, override).audience.viewers == 3)
    }

    @Test func mistakesInItStandUnderItsName() {
        let text = "viewers: many\nchurnPerMinut: 2%\npersonas:\n  - {persona: nobody}\n"
        let beginnings = problems("{file: final.yaml, rampp: 3s}", text).map { problem in
            problem.split(separator: ": ").prefix(3).joined(separator: ": ")
        }
        #expect(
            Set(beginnings) == [
                #"Profiles/final.yaml:1:10: audience.viewers: "many" is not a whole number; allowed"#,
                "Profiles/final.yaml:2:1: audience.churnPerMinut: unknown field; did you mean churnPerMinute?",
                #"Profiles/final.yaml:4:15: audience.personas[0].persona: "nobody" is not known; allowed"#,
                "Profiles/bad.yaml:3:30: audience.rampp: unknown field; did you mean ramp?",
            ]
        )
    }

    @Test(
        arguments: [
            ("- a", "Profiles/final.yaml:1:1: audience.file: a list where a mapping is needed"),
            ("", "Profiles/final.yaml:1:1: audience.file: the file is empty"),
            ("a: [", "Profiles/final.yaml:2:1: audience.file: not YAML"),
            ("viewers: 3\nfile: b.yaml", "a file that a profile names"),
            ("viewers: 1 #" + String(repeating: "a", count: 1 << 20), "the text is larger than 1 MiB"),
            (nil, "Profiles/final.yaml:1:1: audience.file: cannot be read"),
        ] as [(String?, String)]
    ) func aFileThatIsNoneIsRefused(text: String?, message: String) {
        let found = problems("{file: final.yaml}", text)
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }
}
