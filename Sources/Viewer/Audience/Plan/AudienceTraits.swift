package import AdServing
package import Profile
import Values

/// Values are drawn anew at each call, equal for a number in every run of one seed.
package struct AudienceTraits: Sendable {
    private let traits: [AudienceTrait]
    private let personas: [PersonaShare]
    private let seed: UInt64

    package init(_ audience: AudiencePlan, seed: UInt64) {
        self.init(audience.traits, personas: audience.personas, seed: seed)
    }

    package init(_ traits: [AudienceTrait], personas: [PersonaShare] = [], seed: UInt64) {
        (self.traits, self.personas, self.seed) = (traits, personas, seed)
    }

    package var isEmpty: Bool { traits.isEmpty }

    package func shown(_ value: String, of name: String) -> String {
        traits.first { $0.name == name }?.shown(value) ?? value
    }

    /// Whether a text names a trait with secrets.
    package func holdSecrets(_ text: String) -> Bool {
        let names = placeholders(in: text)
        return traits.contains { $0.isSecret && names.contains($0.name) }
    }

    /// Traits and other facts of viewers that stand in braces in a text of the profile.
    package func placeholders(in text: String) -> Set<String> {
        Placeholders.names(in: text).intersection(traits.map(\.name) + Placeholders.ofPod)
    }

    /// Whether many viewers have the same values of these placeholders.
    package func areShared(_ placeholders: Set<String>) -> Bool {
        placeholders.allSatisfy { name in traits.first { $0.name == name }?.isShared ?? false }
    }

    package func identity(ofViewer number: Int) -> ViewerIdentity {
        ViewerIdentity(number: number, seed: seed, traits: values(ofViewer: number))
    }

    package func values(ofViewer number: Int) -> [String: String] {
        guard !traits.isEmpty else { return [:] }
        // One random source for all: a trait added behind others changes none of them.
        var chance = ViewerChance(seed: seed &+ 0x4C41_4245, viewer: number)
        var known = ViewerIdentity(number: number, seed: seed)
        for trait in traits where known.traits[trait.name] == nil {
            let place = chance.unit()
            known.traits[trait.name] = value(of: trait, at: place, of: known)
        }
        return known.traits
    }

    private func value(of trait: AudienceTrait, at place: Double, of known: ViewerIdentity) -> String {
        switch trait.source {
        case .values(let values):
            return known.filled(values[Self.index(at: place, among: values.count) { values[$0].share }].text)
        case .by(let other, let texts):
            let key = other == PodPlan.personaTrait ? persona(ofViewer: known.number) : known.traits[other] ?? ""
            return known.filled(texts[key] ?? "")
        case .numbers(let range): return String(range.lowerBound + Int(place * Double(range.count)))
        case .addresses(let block): return block.address(words(of: trait.name, viewer: known.number))
        case .digits(let count): return digits(count, of: trait.name, viewer: known.number)
        case .column(let column, let table):
            return table.value(row: row(of: table, viewer: known.number), column: column)
        }
    }

    private func persona(ofViewer number: Int) -> String {
        personas.isEmpty ? "" : personas[personas.index(ofViewer: number, seed: seed)].persona.name
    }

    private func row(of table: TraitTable, viewer number: Int) -> Int {
        guard let shares = table.shares else { return number % table.rowCount }
        var chance = ViewerChance(seed: seed &+ 0x5441_424C, viewer: number)
        return Self.index(at: chance.unit(), among: shares.count) { shares[$0] }
    }

    private func words(of name: String, viewer number: Int) -> (high: UInt64, low: UInt64) {
        var hash = RunHash()
        withUnsafeBytes(of: (seed, UInt64(truncatingIfNeeded: number))) { hash.add($0) }
        hash.add(name)
        let high = hash.value
        withUnsafeBytes(of: high) { hash.add($0) }
        return (high, hash.value)
    }

    private func digits(_ count: Int, of name: String, viewer number: Int) -> String {
        var text = ""
        var piece = 0
        while text.utf8.count < count {
            let words = words(of: "\(name) \(piece)", viewer: number)
            text += words.high.hexadecimal(digits: 16) + words.low.hexadecimal(digits: 16)
            piece += 1
        }
        return String(text.prefix(count))
    }

    /// Each part of 0 ..< 1 is as long as its share.
    fileprivate static func index(at place: Double, among count: Int, share: (Int) -> Double) -> Int {
        var rest = place * (0..<count).reduce(0) { $0 + share($1) }
        for index in 0..<count {
            rest -= share(index)
            if rest < 0 { return index }
        }
        return count - 1
    }
}

extension [PersonaShare] {
    func index(ofViewer number: Int, seed: UInt64) -> Int {
        guard count > 1 else { return 0 }
        var chance = ViewerChance(seed: seed &+ 0x5045_5253, viewer: number)
        return AudienceTraits.index(at: chance.unit(), among: count) { self[$0].share }
    }
}
