import Wording

/// Known personas side by side: one row a fact, one column a player.
package struct PersonaTable: Sendable {
    package var personas: [KnownPersona]

    package init(_ personas: [KnownPersona] = KnownPersona.all) {
        self.personas = personas
    }

    /// Facts that say something: how somebody waits before retries is left out where nobody retries.
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

    /// The value of a fact, with a star where no good source confirms it.
    private func cell(_ fact: PersonaFact, _ known: KnownPersona) -> String {
        fact.text(known.persona) + (known.isUnconfirmed(fact.path) ? "*" : "")
    }

    /// A table in Markdown, followed by the sources of each player.
    package func markdown() -> String {
        let names = personas.map(\.persona.name)
        var lines = ["| Fact | " + names.map { "`\($0)`" }.joined(separator: " | ") + " |"]
        lines.append("| --- " + String(repeating: "| --- ", count: names.count) + "|")
        for fact in facts {
            lines.append("| `\(fact.path)` | " + personas.map { cell(fact, $0) }.joined(separator: " | ") + " |")
        }
        for known in personas {
            lines += ["", "### `\(known.persona.name)`", "", known.summary, "", "| Facts | Source |", "| --- | --- |"]
            for (path, source) in known.sources.sorted(by: { $0.key < $1.key }) {
                lines.append("| `\(path)` | \(source) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The table in columns for a terminal; of a single persona with the source of each fact.
    package func text() -> String {
        guard personas.count != 1, !personas.isEmpty else {
            return personas.first.map(list) ?? ""
        }
        let rows =
            [[""] + personas.map(\.persona.name)]
            + facts.map { fact in [fact.path] + personas.map { cell(fact, $0) } }
        return Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private func list(_ known: KnownPersona) -> String {
        let rows = facts.map { [$0.path, cell($0, known), known.source(of: $0.path) ?? ""] }
        return "\(known.persona.name): \(known.summary)\n\n" + Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private static func columns(_ rows: [[String]]) -> String {
        TextColumns.lines(rows, othersFlush: .left)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n") + "\n"
    }
}
