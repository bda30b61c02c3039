import Values

extension InterstitialFacts.Trigger {
    /// With their usual numbers.
    static let known: [(name: String, value: Self)] = [
        .buffered, .bufferedOrEdge(lookAhead: .seconds(10)), .playheadTargets(3), .playhead(.seconds(10)), .discovery,
        .never,
    ].map { ($0.word, $0) }

    var word: String {
        switch self {
        case .buffered: "buffered"
        case .bufferedOrEdge: "buffered-or-edge"
        case .playheadTargets: "playhead-targets"
        case .playhead: "playhead"
        case .discovery: "discovery"
        case .never: "never"
        }
    }

    var lookAhead: Duration? {
        get { if case .bufferedOrEdge(let lookAhead) = self { lookAhead } else { nil } }
        set { if let newValue, case .bufferedOrEdge = self { self = .bufferedOrEdge(lookAhead: newValue) } }
    }

    var leadTargets: Double? {
        get { if case .playheadTargets(let targets) = self { targets } else { nil } }
        set { if let newValue, case .playheadTargets = self { self = .playheadTargets(newValue) } }
    }

    var lead: Duration? {
        get { if case .playhead(let lead) = self { lead } else { nil } }
        set { if let newValue, case .playhead = self { self = .playhead(newValue) } }
    }
}

extension ScalarRule {
    /// 0 means never.
    static func orNever<Number: Numeric>(_ rule: ScalarRule<Number>) -> ScalarRule where Value == Number? {
        ScalarRule(
            allowed: rule.allowed,
            limits: rule.limits,
            schema: rule.schema,
            spell: { $0.map(rule.spell) ?? "never" },
            read: { text in
                switch rule.read(text) {
                case .value(let number): .value(number == 0 ? nil : number)
                case .refused(let reason, let suggestion): .refused(reason, suggestion: suggestion)
                }
            }
        )
    }
}

extension ScalarRule<Int> {
    /// -1 is endless.
    static var retries: ScalarRule {
        let counted = ScalarRule.integer(0...100)
        return ScalarRule(
            allowed: "a whole number from -1 to 100",
            limits: "-1 to 100",
            schema: .type("integer").with("minimum", .number("-1")).with("maximum", .number("100")),
            spell: { $0 == RetryRule.endless ? "endless" : String($0) },
            read: { text in text == "-1" ? .value(RetryRule.endless) : counted.read(text) }
        )
    }
}

/// A number or choice, with the path under which a profile overrides it.
package typealias PersonaFact = FieldFact<Persona>

extension PersonaFact {
    /// In the order of tables, without the name and `unconfirmed`.
    package static var all: [PersonaFact] { FieldTable<Persona>().facts }
}

extension Persona {
    /// Usual facts for an unknown name.
    package static func known(_ name: String) -> Persona { KnownPersona.named(name)?.persona ?? .usual }

    /// Leaves out facts at defaults that earlier versions did not know, so that digests stay comparable.
    package var digestedFacts: [(path: String, text: String)] {
        var plain = self
        plain.outage = .usual
        plain.lowLatency.retryWait = nil
        plain.interstitials.dates = InterstitialFacts.usual.dates
        plain.isInBrowser = Persona.known(name).isInBrowser
        plain.keys = Persona.known(player ?? "").keys
        let all = PersonaFact.all.map { (path: $0.path, text: $0.text(self), plain: $0.text(plain)) }
        let texts = Dictionary(all.map { ($0.path, $0.text) }) { first, _ in first }
        return all.compactMap { path, text, plain in
            let twin = path.replacing(".afterNoAnswer.", with: ".afterError.")
            let isNew =
                path.hasPrefix("outage.")
                || ["lowLatency.retryWait", "interstitials.dates", "browser", "keys"].contains(path)
            let isSilent = twin == path ? isNew && text == plain : text == texts[twin]
            return isSilent ? nil : (path, text)
        }
    }
}
