/// A persona of a profile, with its share of the time that was watched.
package struct AudiencePersona: Encodable, Equatable, Sendable {
    package var persona: String
    /// Nil where the persona's own will do.
    package var name: String?
    /// In steps of a hundredth of a percent; all of an audience make 1.
    package var share: Double

    /// A product with fewer viewers, or with a smaller part, is not named: its name may be one person's.
    private static let fewestNamed = 5
    private static let leastNamed = 0.01
    private static let mostNamed = 8
    private static let whole = 10_000

    /// The personas of players.
    ///
    /// - Parameters:
    ///   - players: All that were found.
    ///   - browserPlayer: The persona of players in pages.
    /// - Returns: The one with the greatest share first.
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
        // Rounding is the greatest one's.
        let greatest = parts.indices.max { (parts[$0], found[$1].key) < (parts[$1], found[$0].key) }
        if let greatest { parts[greatest] += whole - parts.reduce(0, +) }
        for index in found.indices { found[index].share = Double(parts[index]) / Double(whole) }
        return found.filter { $0.share != 0 }.sorted { ($0.share, $1.key) > ($1.share, $0.key) }
    }

    private var key: String { "\(persona) \(name ?? "")" }

    /// Whether a player's name may leave the reading: podswarm knows it, or many have it and it is a word.
    static func mayBeNamed(_ player: AudienceFigures.Player) -> Bool {
        player.group != .other
            || player.viewers >= fewestNamed && player.share >= leastNamed && !player.name.hasPrefix("(")
    }
}
