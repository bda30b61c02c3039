/// The players of an audience as a profile names them, in shares that add up to all.
struct AudiencePersonas {
    struct Entry: Equatable {
        var persona: String
        /// Nil where the persona's own will do.
        var name: String?
        /// In hundredths of a percent.
        var share: Int
    }

    /// A product with fewer viewers, or with a smaller part, is not named: its name may be one person's.
    private static let fewestNamed = 5
    private static let leastNamed = 0.01
    private static let mostNamed = 8
    private static let whole = 10_000

    let entries: [Entry]

    /// - Parameters:
    ///   - players: Those that were found.
    ///   - browserPlayer: The persona of whoever plays in a page.
    init(_ players: [AudienceFigures.Player], browserPlayer: String) {
        var shares: [(persona: String, name: String?, share: Double)] = []
        func add(_ persona: String, _ name: String?, _ share: Double) {
            if let index = shares.firstIndex(where: { $0.persona == persona && $0.name == name }) {
                shares[index].share += share
            } else {
                shares.append((persona, name, share))
            }
        }
        var named = 0
        for player in players {
            switch player.group {
            case .avplayer: add("avplayer", nil, player.share)
            case .media3: add("media3", nil, player.share)
            case .browser: add(browserPlayer, nil, player.share)
            case .other:
                let isNamed = Self.mayBeNamed(player) && named < Self.mostNamed
                named += isNamed ? 1 : 0
                add("strict", isNamed ? "ua-\(player.name)" : nil, player.share)
            }
        }
        var entries = shares.map {
            Entry(persona: $0.persona, name: $0.name, share: Int(($0.share * 10_000).rounded()))
        }
        entries.removeAll { $0.share == 0 }
        entries.sort { ($0.share, $1.persona, $1.name ?? "") > ($1.share, $0.persona, $0.name ?? "") }
        // Rounding is the greatest one's.
        if !entries.isEmpty { entries[0].share += Self.whole - entries.reduce(0) { $0 + $1.share } }
        self.entries = entries
    }

    /// Whether a product's name may leave the reading: many have it, and it is a word.
    static func mayBeNamed(_ player: AudienceFigures.Player) -> Bool {
        player.viewers >= fewestNamed && player.share >= leastNamed && !player.name.hasPrefix("(")
    }
}
