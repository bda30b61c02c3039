package import Foundation
package import Values

/// The document that `--json` writes, with member names in snake case.
package struct AudienceFigures: Encodable, Equatable, Sendable {
    package struct Point: Encodable, Equatable, Sendable {
        package var at: Int
        package var viewers: Int
    }

    package struct Percentile: Encodable, Equatable, Sendable {
        package var share: Double
        package var value: Double
    }

    package struct Read: Encodable, Equatable, Sendable {
        package var files = 0
        package var bytes = 0
        package var lines = 0
        /// Lines without a request; `meaninglessPlaces` has the first few.
        package var meaningless = 0
        package var meaninglessPlaces: [String] = []
        package var requests: [String: Int] = [:]
        /// Outside of `--from` and `--to`.
        package var outside = 0
        /// Without an identifier of a viewer.
        package var untold = 0
    }

    package enum Stamps: String, Encodable, Sendable {
        case second
        case millisecond
    }

    /// Share of the programme's requests.
    package struct MarkShare: Encodable, Equatable, Sendable {
        package var mark: ViewerMark
        package var share: Double
        /// Without a session where others have one, a request is the start of a session.
        package var leftOut: Bool
    }

    /// Product-limit estimator of Kaplan and Meier (1958): a stay that the log cuts off counts as one of at least that length.
    package struct Stays: Encodable, Equatable, Sendable {
        /// Ended in the log.
        package var whole = 0
        package var cutOff = 0
        /// Under way at the start of the log; not estimated.
        package var underWay = 0
        /// Shares that the log is too short for are missing.
        package var secondsByShareLeft: [Percentile] = []
    }

    package struct Player: Encodable, Equatable, Sendable {
        /// Product name of the User-Agent.
        package var name: String
        package var group: PlayerGroup
        package var viewers: Int
        /// Share of the total time watched.
        package var share: Double
        /// Between two polls of one playlist.
        package var pollMeanMilliseconds: Double?
        package var pollMilliseconds: [Percentile] = []
    }

    /// A time at which many viewers asked for ads.
    package struct Break: Encodable, Equatable, Sendable {
        /// From the first request until 1% of the break's viewers had asked.
        package var atMilliseconds: Int
        package var asked: Int
        package var present: Int
        /// Nil if no viewer was seen.
        package var share: Double?
        /// From the start of the break until a share of its viewers had asked.
        package var delayMilliseconds: [Percentile]
    }

    private let schema = "podswarm.audience"
    private let schemaVersion = 2
    package var read = Read()
    package var start = WallTime(microseconds: 0)
    /// From the first request to the last.
    package var seconds = 0
    package var gapSeconds = 0
    package var stamps = Stamps.millisecond
    package var toldBy: [MarkShare] = []
    /// One in this many viewers was analysed; counts are scaled up to all.
    package var sampledOneIn = 1
    package var viewers = 0
    package var peak = 0
    /// Linear between points.
    package var curve: [Point] = []
    /// Greatest distance, in viewers, of `curve` from the audience of a second.
    package var curveError = 0
    package var underWayAtStart = false
    package var joinsPerMinuteAtMost = 0
    package var churnPerMinute = 0.0
    package var stays = Stays()
    package var players: [Player] = []
    package var personas: [AudiencePersona] = []
    package var breaks: [Break] = []
    package var asksOnJoining = 0
    /// Outside of breaks and joins.
    package var asksApart = 0
    package var notes: [String] = []

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(self) + [0x0A]
    }
}

/// Persona of a profile, with its share of the total time watched.
package struct AudiencePersona: Encodable, Equatable, Sendable {
    package var persona: String
    /// Nil: the persona's own name.
    package var name: String?
    /// A multiple of 0.0001; all add up to 1.
    package var share: Double

    /// A rare name may identify one viewer.
    private static let fewestNamed = 5
    private static let leastNamed = 0.01
    private static let mostNamed = 8
    private static let whole = 10_000

    /// Largest share first; `browserPlayer` is the persona of players in pages.
    static func all(of players: [AudienceFigures.Player], browserPlayer: String) -> [AudiencePersona] {
        let inferred = [PlayerGroup.browser: browserPlayer, .other: "strict"]
        var found: [AudiencePersona] = []
        for player in players {
            let named = found.count { $0.name != nil }
            let isNamed = player.group == .other && mayBeNamed(player) && named < mostNamed
            let persona = inferred[player.group] ?? player.group.rawValue
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

    /// podswarm knows the product, or many viewers have it and it is a word.
    static func mayBeNamed(_ player: AudienceFigures.Player) -> Bool {
        player.group != .other
            || player.viewers >= fewestNamed && player.share >= leastNamed && !player.name.hasPrefix("(")
    }
}
