import Values

/// Known personas side by side: one row per fact, one column per player.
package struct PersonaTable: Sendable {
    package var personas: [KnownPersona]

    package init(_ personas: [KnownPersona] = KnownPersona.all) {
        self.personas = personas
    }

    /// Facts to show: waits before retries are omitted if no persona retries.
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

    /// Markdown table, followed by the sources of each player.
    package func markdown() -> String {
        let names = personas.map(\.persona.name)
        var lines = ["| Fact | " + names.map { "`\($0)`" }.joined(separator: " | ") + " |"]
        lines.append("| --- " + String(repeating: "| --- ", count: names.count) + "|")
        for fact in facts {
            lines.append("| `\(fact.path)` | " + personas.map { cell(fact, $0) }.joined(separator: " | ") + " |")
        }
        for known in personas {
            lines += ["", "### `\(known.persona.name)`", "", known.summary, "", "| Facts | Known by | From |"]
            lines.append("| --- | --- | --- |")
            for (path, source) in known.sources.sorted(by: { $0.key < $1.key }) {
                lines.append("| `\(path)` | \(source.kind) | \(source.text) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Table in columns for a terminal; a single persona is listed with the kind and place of each source.
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
        let rows = facts.map { fact in
            let source = known.source(of: fact.path)
            return [fact.path, cell(fact, known), source?.kind ?? "", source?.text ?? ""]
        }
        return "\(known.persona.name): \(known.summary)\n\n" + Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private static func columns(_ rows: [[String]]) -> String {
        TextColumns.lines(rows, othersFlush: .left)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n") + "\n"
    }
}
