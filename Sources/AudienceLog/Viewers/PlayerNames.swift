/// Players by the names that they give themselves; of a User-Agent only a product's name is kept.
struct PlayerNames {
    private static let most = 4096
    private static let longest = 32
    /// Stands for all products beyond the most that are told apart.
    private static let others: UInt16 = 4

    private(set) var names = ["AppleCoreMedia", "Media3", "Mozilla", "(none)", "(others)"]
    private var places: [String: UInt16] = [:]

    /// The group of a place in ``names``.
    static func group(_ player: Int) -> PlayerGroup {
        player < 3 ? [.avplayer, .media3, .browser][player] : .other
    }

    /// The place in ``names`` of a player by its User-Agent, as the log has it, encoded perhaps.
    mutating func player(of userAgent: LineBytes) -> UInt16 {
        if userAgent.isAbsent { return 3 }
        if userAgent.contains("AppleCoreMedia") { return 0 }
        // The last is Android's own HTTP client.
        if userAgent.contains("AndroidXMedia3") || userAgent.contains("ExoPlayer") || userAgent.begins(with: "Dalvik") {
            return 1
        }
        if userAgent.begins(with: "Mozilla") { return 2 }
        let name = String(decoding: userAgent.prefix(Self.longest).prefix(while: Self.isOfName), as: UTF8.self)
        if let place = places[name] { return place }
        guard !name.isEmpty, names.count < Self.most else { return Self.others }
        let place = UInt16(names.count)
        places[name] = place
        names.append(name)
        return place
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        LineBytes.isDigit(byte) || LineBytes.lower(byte) &- 0x61 < 26 || "._-".utf8.contains(byte)
    }
}

/// What a player may be taken for.
package enum PlayerGroup: String, Encodable, Sendable {
    case avplayer
    case media3
    /// One of those that play in pages: hls.js, Shaka, video.js.
    case browser
    /// None that podswarm knows.
    case other
}
