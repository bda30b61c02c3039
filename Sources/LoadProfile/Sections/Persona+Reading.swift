import Players

extension [PersonaShare] {
    /// Reads names of known players, or mappings that name a player and change some of its facts.
    init(reading section: ProfileSection, at key: String) {
        var names: Set<String> = []
        let entries = section.sections(key, shorthand: "persona") { entry in
            let known: KnownPersonaName? = entry.required("persona", .choice)
            let share = entry.value("share", .share)
            let persona = Persona(reading: entry, over: (known?.entry ?? .strict).persona)
            entry.reading.rule(
                entry.has("name") ? entry.fieldPath("name") : entry.path,
                isBroken: entry.isPresent && known != nil && !names.insert(persona.name).inserted,
                message: "the name \"\(persona.name)\" stands twice",
                allowed: "a name of its own for each persona, such as name: \(persona.name)-2"
            )
            return (persona: persona, share: share)
        }
        let (field, reading) = (section.fieldPath(key), section.reading)
        reading.rule(field, isBroken: section.has(key) && entries.isEmpty, message: "has no persona in it")
        reading.rule(field, isBroken: entries.count > 32, message: "has more than 32 personas in it")
        let given = entries.compactMap(\.share).reduce(0, +)
        let open = entries.filter { $0.share == nil }.count
        reading.rule(
            field,
            isBroken: given > 1.000_001 || (open == 0 && !entries.isEmpty && given < 0.999_999),
            message: "the shares add up to \(PersonaShare.percent(given))",
            allowed: "100%; what is left is divided among personas without a share"
        )
        let rest = open == 0 ? 0 : Swift.max(0, 1 - given) / Double(open)
        self = entries.map { PersonaShare($0.persona, share: $0.share ?? rest) }
    }
}

extension PersonaShare {
    /// A share as a profile writes it.
    static func percent(_ share: Double) -> String {
        let tenths = (share * 1000).rounded()
        return tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))%" : "\(tenths / 10)%"
    }
}

extension Persona {
    fileprivate init(reading section: ProfileSection, over standing: Persona) {
        self.init(
            name: section.value("name", .name) ?? standing.name,
            reload: section.section("reload") { ReloadFacts(reading: $0, over: standing.reload) },
            lowLatency: section.section("lowLatency") { LowLatencyFacts(reading: $0, over: standing.lowLatency) },
            start: section.section("start") { StartFacts(reading: $0, over: standing.start) },
            interstitials: section.section("interstitials") {
                InterstitialFacts(reading: $0, over: standing.interstitials)
            },
            requests: RequestFacts(reading: section, over: standing.requests),
            pathways: section.section("pathways") { PathwayFacts(reading: $0, over: standing.pathways) },
            outage: section.section("outage") { OutageFacts(reading: $0, over: standing.outage) },
            maximumDownloads: section.value("maximumDownloads", .integer(1...64)) ?? standing.maximumDownloads,
            unconfirmed: standing.unconfirmed
        )
    }
}

/// The players that a profile may name.
private enum KnownPersonaName: String, CaseIterable {
    case strict
    case hlsjs
    case media3
    case shaka
    case vhs
    case avplayer
    case imaGuide = "ima-guide"
    case eager

    var entry: KnownPersona? { KnownPersona.named(rawValue) }
}
