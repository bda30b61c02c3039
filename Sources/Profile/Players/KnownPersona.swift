import CTexts
import Values

/// A player of `players.yaml`.
package struct KnownPersona: Sendable {
    package private(set) var persona: Persona
    /// One sentence.
    package let summary: String
    /// Keyed by path of a fact or section, such as `reload` for all of `reload.…`.
    package let sources: [String: PersonaSource]

    /// In the order of tables; `mistakes` are those of podswarm's own file.
    package static let (all, mistakes) = read(String(cString: podswarm_players()))

    package static func named(_ name: String) -> KnownPersona? { all.first { $0.persona.name == name } }

    private static func read(_ text: String) -> (all: [KnownPersona], mistakes: [ProfileProblem]) {
        let reading = ProfileReading(surroundings: .none, folder: "")
        do throws(ProfileProblem) {
            guard case .mapping(let entries)? = try YAMLText.parse(text)?.content else { return ([], []) }
            let known = entries.map { player in
                KnownPersona(player.key, ProfileSection(path: player.key, node: player.value, reading: reading))
            }
            return (known, reading.problems)
        } catch {
            return ([], [error])
        }
    }

    /// A source's key is one path, or several separated by spaces.
    private init(_ name: String, _ section: ProfileSection) {
        summary = section.value("summary", .text()) ?? ""
        let version = section.value("version", .text()) ?? ""
        persona = section.section("facts") { Persona(reading: $0, over: .usual) }
        let single = section.dictionary("sources", of: Self.source(in: version))
            .flatMap { paths, source in paths.split(separator: " ").map { (String($0), source) } }
        sources = Dictionary(uniqueKeysWithValues: single)
        section.reportUnknownFields()
        (persona.name, persona.player) = (name, name)
        for path in PersonaFact.all.compactMap({ key(of: $0.path) }) where sources[path]?.isAssumed ?? false {
            if !persona.unconfirmed.contains(path) { persona.unconfirmed.append(path) }
        }
    }

    private static func source(in version: String) -> ScalarRule<PersonaSource> {
        ScalarRule(allowed: "a kind of source and a place", spell: \.text) { text in
            let (word, place) = (text.prefix { $0 != " " }, text.drop { $0 != " " }.dropFirst())
            guard word != "at" else { return .value(PersonaSource(kind: .read, text: "\(version) \(place)")) }
            guard let kind = PersonaSource.Kind(rawValue: String(word)) else { return .refused("has no kind") }
            return .value(PersonaSource(kind: kind, text: String(place)))
        }
    }

    /// The fact's own path, or the nearest section's.
    private func key(of path: String) -> String? { ProfileReading.around(path).first { sources[$0] != nil } }

    package func source(of path: String) -> PersonaSource? { key(of: path).flatMap { sources[$0] } }

    package func isUnconfirmed(_ path: String) -> Bool { source(of: path)?.isAssumed ?? false }
}

package struct PersonaSource: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// In the player's own requests; a test repeats it.
        case measured
        /// In the player's source code.
        case read
        /// Defined by a specification or the player's vendor.
        case specified
        case assumed
    }

    package let kind: Kind
    package let text: String

    package var isAssumed: Bool { kind == .assumed }
}

/// One row per fact, one column per player.
package struct PersonaTable: Sendable {
    package var personas: [KnownPersona]

    package init(_ personas: [KnownPersona] = KnownPersona.all) { self.personas = personas }

    /// Omits waits before retries if no persona retries.
    private var facts: [PersonaFact] {
        var hidden = ""
        return PersonaFact.all.filter { fact in
            if fact.path.hasSuffix(".retries") {
                let isIdle = personas.allSatisfy { fact.text($0.persona) == "0" }
                hidden = isIdle ? String(fact.path.dropLast("retries".count)) : ""
                return true
            }
            return hidden.isEmpty || !fact.path.hasPrefix(hidden)
        }
    }

    private func cell(_ fact: PersonaFact, _ known: KnownPersona) -> String {
        fact.text(known.persona) + (known.isUnconfirmed(fact.path) ? "*" : "")
    }

    package var rows: [[String]] {
        [[""] + personas.map(\.persona.name)]
            + facts.map { fact in [fact.path] + personas.map { cell(fact, $0) } }
    }

    /// A single persona is listed with the kind and place of each source.
    package func text() -> String {
        guard personas.count != 1, !personas.isEmpty else { return personas.first.map(list) ?? "" }
        return Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private func list(_ known: KnownPersona) -> String {
        let rows = facts.map { fact in
            let source = known.source(of: fact.path)
            return [fact.path, cell(fact, known), source?.kind.rawValue ?? "", source?.text ?? ""]
        }
        return "\(known.persona.name): \(known.summary)\n\n" + Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private static func columns(_ rows: [[String]]) -> String {
        TextColumns.lines(rows, othersFlush: .left)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n") + "\n"
    }
}
