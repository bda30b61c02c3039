/// Players by User-Agent, of which only the product's name is kept.
struct PlayerNames {
    private static let most = 4096
    private static let longest = 32
    /// Index for all products beyond the first `most`.
    private static let others: UInt16 = 4

    private(set) var names = ["AppleCoreMedia", "Media3", "Mozilla", "(none)", "(others)"]
    private var places: [String: UInt16] = [:]

    /// Group of an index in ``names``.
    static func group(_ player: Int) -> PlayerGroup {
        player < 3 ? [.avplayer, .media3, .browser][player] : .other
    }

    /// Index in ``names`` of a User-Agent, which may be percent-encoded.
    mutating func player(of userAgent: LineBytes) -> UInt16 {
        if userAgent.isAbsent { return 3 }
        if userAgent.contains("AppleCoreMedia") { return 0 }
        // Dalvik is Android's own HTTP client.
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

/// Group of players that a persona can stand for.
package enum PlayerGroup: String, Encodable, Sendable {
    case avplayer
    case media3
    /// A player in a page: hls.js, Shaka, video.js.
    case browser
    case other
}
