/// Players by what they call themselves.
///
/// Only a product's name is kept of a User-Agent.
struct PlayerNames {
    /// Those that a persona of podswarm is taken for, or that are one of a group.
    enum Known: Int, CaseIterable {
        /// AppleCoreMedia: AVPlayer.
        case avplayer
        /// AndroidXMedia3, ExoPlayerLib, and Android's own HTTP client.
        case media3
        /// Whatever calls itself Mozilla: hls.js, Shaka and video.js play in pages.
        case browser
        case none
    }

    private static let most = 4096
    private static let longest = 32
    /// Stands for all products beyond the most that are told apart.
    static let others = Known.allCases.count

    /// What a player may be taken for.
    static func group(_ player: Int) -> PlayerGroup {
        switch Known(rawValue: player) {
        case .avplayer: .avplayer
        case .media3: .media3
        case .browser: .browser
        default: .other
        }
    }

    private(set) var names: [String] = ["AppleCoreMedia", "Media3", "Mozilla", "(none)", "(others)"]
    private var places: [String: Int] = [:]
    /// The player of a User-Agent by its hash, as far as remembered.
    private var remembered = [(hash: UInt64, player: UInt16)](repeating: (0, 0), count: 1 << 12)

    /// The player's number.
    ///
    /// - Parameters:
    ///   - userAgent: As the log has it, encoded perhaps.
    ///   - hash: Of the same bytes.
    /// - Returns: A place in ``names``.
    mutating func player(of userAgent: LineBytes, hash: UInt64) -> UInt16 {
        let slot = Int(truncatingIfNeeded: hash) & (remembered.count - 1)
        if remembered[slot].hash == hash, hash != 0 { return remembered[slot].player }
        let player = UInt16(truncatingIfNeeded: sorted(userAgent))
        remembered[slot] = (hash, player)
        return player
    }

    private mutating func sorted(_ userAgent: LineBytes) -> Int {
        if userAgent.isAbsent { return Known.none.rawValue }
        if userAgent.contains("AppleCoreMedia") { return Known.avplayer.rawValue }
        if ["AndroidXMedia3", "ExoPlayer"].contains(where: { userAgent.contains($0) })
            || userAgent.begins(with: "Dalvik")
        {
            return Known.media3.rawValue
        }
        if userAgent.begins(with: "Mozilla") { return Known.browser.rawValue }
        let name = String(decoding: userAgent.prefix(Self.longest).prefix(while: Self.isOfName), as: UTF8.self)
        guard !name.isEmpty else { return Self.others }
        if let place = places[name] { return place }
        guard names.count < Self.most else { return Self.others }
        places[name] = names.count
        names.append(name)
        return names.count - 1
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        LineBytes.isDigit(byte) || LineBytes.lower(byte) &- 0x61 < 26 || "._-".utf8.contains(byte)
    }
}

/// What a player may be taken for.
package enum PlayerGroup: String, Equatable, Sendable {
    case avplayer
    case media3
    /// One of those that play in pages.
    case browser
    /// None that podswarm knows.
    case other
}
