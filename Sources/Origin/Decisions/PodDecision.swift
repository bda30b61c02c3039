import Values

/// A pure function of seed, pod identifier, aim and salt; in pods, only planned faults set the salt.
struct PodDecision: Sendable, Hashable {
    static let creativeCount = 12

    let identifier: String
    let aim: PodAim
    let salt: UInt8
    private let hash: UInt64

    init(identifier: String, aim: PodAim = .everybody, salt: UInt8, seed: UInt64) {
        (self.identifier, self.aim, self.salt) = (identifier, aim, salt)
        var hash = SeededHash(seed: seed, identifier)
        if aim != .everybody { hash.combine(UInt64(aim.number)) }
        self.hash = hash.value
    }

    /// 14 digits of the decision, two of the salt, and eight of an aim.
    var token: String {
        let digits = (SeededHash(seed: hash, UInt64(salt)).value >> 8).hexadecimal(digits: 14)
        let aimed = aim == .everybody ? "" : aim.number.hexadecimal(digits: 8)
        return digits + salt.hexadecimal(digits: 2) + aimed
    }

    var mediaNumber: UInt64 { SeededHash(seed: hash, "media", UInt64(salt)).value }

    /// Nil for a foreign token.
    init?(token: some StringProtocol, identifier: String, seed: UInt64) {
        let (own, aimed) = (token.prefix(16), token.dropFirst(16))
        guard own.utf8.count == 16, let salt = UInt8(own.suffix(2), radix: 16) else { return nil }
        var aim = PodAim.everybody
        if !aimed.isEmpty {
            guard aimed.utf8.count == 8, let number = UInt32(aimed, radix: 16) else { return nil }
            aim = PodAim(number: number)
        }
        self.init(identifier: identifier, aim: aim, salt: salt, seed: seed)
        guard self.token == token else { return nil }
    }

    /// A shuffled deck, rotated by the salt and repeated in longer pods.
    func creative(at place: Int) -> Int {
        let turned = (place &+ Int(salt)) % Self.creativeCount
        return Self.deck(hash)[turned]
    }

    /// Sixteen hexadecimal digits each.
    static func creatives(seed: UInt64) -> [String] {
        (0..<creativeCount).map { SeededHash(seed: seed, "creative", UInt64($0)).value.hexadecimal(digits: 16) }
    }

    private static func deck(_ hash: UInt64) -> [Int] {
        var deck = Array(0..<creativeCount)
        var mixed = SeededHash(seed: hash)
        for place in stride(from: creativeCount - 1, to: 0, by: -1) {
            mixed.combine(UInt64(place))
            deck.swapAt(place, Int(mixed.value % UInt64(place + 1)))
        }
        return deck
    }
}

/// Sessions registered with one value of the aiming parameter.
struct PodAim: Sendable, Hashable {
    /// Without the parameter, or without aiming.
    static let everybody = PodAim(number: 0)

    let number: UInt32
}

extension PodAim {
    /// An empty value counts as missing.
    init(value: String) {
        let hash = SeededHash(seed: 0, value).value
        self.init(number: value.isEmpty ? 0 : max(1, UInt32(truncatingIfNeeded: hash)))
    }
}

/// An event in an ad, named by a media verification.
struct MediaTag: Sendable, Hashable {
    /// In the order of metadata.
    enum Event: UInt8, CaseIterable, Sendable {
        case start, firstQuartile, midpoint, thirdQuartile, complete

        var type: String { "\(self)".lowercased() }
    }

    let decision: UInt64
    let ad: Int
    let event: Event

    private static let prefix = "google_"

    /// Prefix in the metadata, and end of the verification URL.
    var mediaID: String { "\(Self.prefix)\(decision.hexadecimal(digits: 16))-\(ad)-\(event.rawValue)" }

    /// Required if metadata lists prefixes: its end does not follow from the prefix.
    func wholeID(seed: UInt64) -> String {
        "\(mediaID)-\(SeededHash(seed: seed, "whole id", mediaID).value.hexadecimal(digits: 16))"
    }
}

extension MediaTag {
    /// A listed prefix, alone or before `-` and any text.
    init?(mediaID: some StringProtocol) {
        guard mediaID.hasPrefix(Self.prefix) else { return nil }
        let parts = mediaID.dropFirst(Self.prefix.count).split(
            separator: "-",
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard parts.count >= 3, parts[0].utf8.count == 16, let decision = UInt64(parts[0], radix: 16),
            let ad = Int(parts[1]), ad >= 0, let event = UInt8(parts[2]).flatMap(Event.init(rawValue:))
        else { return nil }
        self.init(decision: decision, ad: ad, event: event)
    }
}

/// Named in segment addresses that carry media ids.
struct AdInPod: Sendable, Hashable {
    let identifier: String
    let token: String
    let place: Int
    let milliseconds: Int

    var folder: String { "\(token)-\(place)-\(milliseconds)" }
}

extension AdInPod {
    /// Nil unless the folder has the form of ``folder``.
    init?(identifier: String, folder: some StringProtocol) {
        let pieces = folder.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.count == 3, let place = Int(pieces[1]), let milliseconds = Int(pieces[2]), place >= 0,
            (1...PodLayout.maximumSeconds * 1_000).contains(milliseconds)
        else { return nil }
        self.init(identifier: identifier, token: String(pieces[0]), place: place, milliseconds: milliseconds)
    }
}
