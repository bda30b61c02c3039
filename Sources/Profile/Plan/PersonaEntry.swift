import Values

struct PersonaEntry: ProfileFields {
    private var persona = Persona.known("strict")
    private var share: Double? = nil

    static let fields = FieldList(PersonaEntry(), showsDefaults: false) { f in
        f.add("persona", \.persona, player, .required)
        f.add("share", \.share, .share, .derived)
        f.add("name", \.persona.name, .name)
        f.include(\.persona)
    }

    private static var player: ScalarRule<Persona> {
        .words(KnownPersona.all.map { ($0.persona.name, $0.persona) }, spell: \.name)
    }

    static var listSchema: SchemaNode {
        let one = SchemaNode.oneOf([
            player.schema,
            schema().with("description", .text("A player, and what of it is different here.")),
        ])
        return SchemaNode.list(of: one).with("minItems", .number("1")).with("maxItems", .number("32"))
    }

    /// Reads names of known players, or mappings with changed facts.
    static func list(reading section: ProfileSection, at key: String) -> [PersonaShare] {
        var names: Set<String> = []
        let entries = section.sections(key, shorthand: "persona") { section in
            let entry = PersonaEntry(reading: section, over: .usual)
            let name = entry.persona.name
            let isKnown = section.has("persona") && section.reading.isSound(section.fieldPath("persona"))
            let field = section.has("name") ? section.fieldPath("name") : section.path
            section.reading[field, if: isKnown && !names.insert(name).inserted] =
                "the name \"\(name)\" stands twice; "
                + "allowed: a name of its own for each persona, such as name: \(name)-2"
            return entry
        }
        let (field, reading) = (section.fieldPath(key), section.reading)
        reading[field, if: section.has(key) && entries.isEmpty] = "has no persona in it"
        reading[field, if: entries.count > 32] = "has more than 32 personas in it"
        let given = entries.compactMap(\.share).reduce(0, +)
        let open = entries.filter { $0.share == nil }.count
        reading[field, if: given > 1.000_001 || (open == 0 && !entries.isEmpty && given < 0.999_999)] =
            "the shares add up to \(ShareText.percent(given)); "
            + "allowed: 100%; the rest is divided among personas without a share"
        let rest = open == 0 ? 0 : Swift.max(0, 1 - given) / Double(open)
        return entries.map { PersonaShare($0.persona, share: $0.share ?? rest) }
    }
}

extension Persona {
    /// Player of a profile without personas: `playback`, the connection's deadlines, no retries.
    package static func ofProfile(_ playback: PlaybackPlan) -> Persona {
        var persona = Persona.usual
        persona.name = "profile"
        persona.reload.afterChange = playback.reload == .lastSegment ? .lastSegment : .targetDuration
        persona.start.point = .holdBack
        persona.interstitials.preload = .randomPoint
        return persona
    }
}

extension LoadPlan {
    /// Whether each viewer is due for each break or reports a reason; a player without interstitials reports none.
    package var everybodyIsDue: Bool {
        !breaks.playsInterstitials || !audience.personas.contains { $0.persona.interstitials.trigger == .never }
    }
}
