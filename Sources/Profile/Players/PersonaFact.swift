/// One number or choice of a persona, with the path under which a profile overrides it.
package struct PersonaFact {
    package let path: String
    /// The fact in a profile's spelling; unset facts are words such as `connection` and `never`.
    package let text: (Persona) -> String

    /// Every fact of a persona except its name and `unconfirmed`, in the order of tables.
    package static var all: [PersonaFact] {
        FieldTable<Persona>().facts.map { PersonaFact(path: $0.path, text: $0.text) }
    }
}

extension Persona {
    /// Facts for a digest, without those that are at defaults and unknown to earlier versions, so that digests stay comparable.
    package var digestedFacts: [(path: String, text: String)] {
        var plain = self
        plain.outage = OutageFacts()
        plain.lowLatency.retryWait = nil
        let all = PersonaFact.all.map { (path: $0.path, text: $0.text(self), plain: $0.text(plain)) }
        let texts = Dictionary(all.map { ($0.path, $0.text) }) { first, _ in first }
        return all.compactMap { path, text, plain in
            let twin = path.replacing(".afterNoAnswer.", with: ".afterError.")
            let isNew = path.hasPrefix("outage.") || path == "lowLatency.retryWait"
            let isSilent = twin == path ? isNew && text == plain : text == texts[twin]
            return isSilent ? nil : (path, text)
        }
    }
}
