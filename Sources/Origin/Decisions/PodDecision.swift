/// Which creatives fill a pod, in which order: a pure function of seed, pod identifier and salt.
///
/// All sessions of one identifier get salt 0, so the same pod; a planned fault gives some another salt.
struct PodDecision: Sendable, Hashable {
    /// Creatives that the ad side has to choose from.
    static let creativeCount = 12

    /// As spelt in paths: `pod/7` or `ad_break_id/mid-roll-3`.
    let identifier: String
    let salt: UInt8
    private let hash: UInt64

    init(identifier: String, salt: UInt8, seed: UInt64) {
        self.identifier = identifier
        self.salt = salt
        var hash = SeededHash(seed: seed)
        hash.combine(identifier)
        self.hash = hash.value
    }

    /// Names the decision in the pod's URLs: 14 digits of the decision itself and two of the salt.
    var token: String {
        var mixed = SeededHash(seed: hash)
        mixed.combine(UInt64(salt))
        let digits = String(mixed.value >> 8, radix: 16).leftPadded(to: 14)
        return digits + String(salt, radix: 16).leftPadded(to: 2)
    }

    /// The number that media ids of this decision carry.
    var mediaNumber: UInt64 {
        var mixed = SeededHash(seed: hash)
        mixed.combine("media")
        mixed.combine(UInt64(salt))
        return mixed.value
    }

    /// The decision that a token names for an identifier; nil when the token was not made here.
    init?(token: some StringProtocol, identifier: String, seed: UInt64) {
        guard token.utf8.count == 16, let salt = UInt8(token.suffix(2), radix: 16) else { return nil }
        self.init(identifier: identifier, salt: salt, seed: seed)
        guard self.token == token else { return nil }
    }

    /// The creative, from 0 up to `creativeCount`, in a place of the pod.
    ///
    /// A shuffled deck, repeated when the pod is longer. Another salt turns the deck, so that even the first creative
    /// differs.
    func creative(at place: Int) -> Int {
        let turned = (place &+ Int(salt)) % Self.creativeCount
        return Self.deck(hash)[turned]
    }

    /// Fisher and Yates's shuffle, driven by the hash.
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

/// The names of creatives, which are all that tells one from another: they share one clip.
struct CreativeCatalogue: Sendable {
    /// Sixteen hexadecimal digits each.
    let names: [String]

    init(seed: UInt64) {
        names = (0..<PodDecision.creativeCount).map { index in
            var hash = SeededHash(seed: seed)
            hash.combine("creative")
            hash.combine(UInt64(index))
            return String(hash.value, radix: 16).leftPadded(to: 16)
        }
    }
}
