/// Persona of a profile, with its share of the total time watched.
package struct AudiencePersona: Encodable, Equatable, Sendable {
    package var persona: String
    /// Nil: the persona's own name.
    package var name: String?
    /// A multiple of 0.0001; the shares of all personas add up to 1.
    package var share: Double

    /// Minimum of viewers for a product to be named, and of share: a rare name may identify one viewer.
    private static let fewestNamed = 5
    private static let leastNamed = 0.01
    private static let mostNamed = 8
    private static let whole = 10_000

    /// Personas of all players, those with the largest share first; `browserPlayer` is the persona of players in pages.
    static func all(of players: [AudienceFigures.Player], browserPlayer: String) -> [AudiencePersona] {
        var found: [AudiencePersona] = []
        for player in players {
            let named = found.count { $0.name != nil }
            let isNamed = player.group == .other && mayBeNamed(player) && named < mostNamed
            let persona =
                switch player.group {
                case .avplayer: "avplayer"
                case .media3: "media3"
                case .browser: browserPlayer
                case .other: "strict"
                }
            let name = isNamed ? "ua-\(player.name)" : nil
            if let index = found.firstIndex(where: { $0.persona == persona && $0.name == name }) {
                found[index].share += player.share
            } else {
                found.append(AudiencePersona(persona: persona, name: name, share: player.share))
            }
        }
        var parts = found.map { Int(($0.share * Double(whole)).rounded()) }
        // The rounding error goes to the largest share.
        let greatest = parts.indices.max { (parts[$0], found[$1].key) < (parts[$1], found[$0].key) }
        if let greatest { parts[greatest] += whole - parts.reduce(0, +) }
        for index in found.indices { found[index].share = Double(parts[index]) / Double(whole) }
        return found.filter { $0.share != 0 }.sorted { ($0.share, $1.key) > ($1.share, $0.key) }
    }

    private var key: String { "\(persona) \(name ?? "")" }

    /// Whether a player's name may be published: podswarm knows the product, or many viewers have it and it is a word.
    static func mayBeNamed(_ player: AudienceFigures.Player) -> Bool {
        player.group != .other
            || player.viewers >= fewestNamed && player.share >= leastNamed && !player.name.hasPrefix("(")
    }
}
