import Values

/// A well mixed 64-bit value from a seed and the names of a choice; the origin's only source of "chance".
///
/// SplitMix64's finaliser over FNV-1a: equal inputs give equal values on every machine and in every run.
struct SeededHash {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed ^ 0xCBF2_9CE4_8422_2325
    }

    init<each Part: SeededPart>(seed: UInt64, _ part: repeat each Part) {
        self.init(seed: seed)
        repeat (each part).combine(into: &self)
    }

    /// Hash of a viewer's stream id or name, which all its requests share.
    static func viewer(_ identity: String) -> UInt64 { SeededHash(seed: 0, identity).value }

    mutating func combine(_ value: UInt64) {
        for place in 0..<8 { absorb(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// Absorbs a text and its end, so that consecutive texts cannot be confused with others.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { absorb(byte) }
        absorb(0xFF)
    }

    var value: UInt64 {
        var numbers = SplitMix64(seed: state)
        return numbers.next()
    }

    var unitInterval: Double {
        var numbers = SplitMix64(seed: state)
        return numbers.unit()
    }

    private mutating func absorb(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}

protocol SeededPart {
    func combine(into hash: inout SeededHash)
}

extension UInt64: SeededPart {
    func combine(into hash: inout SeededHash) { hash.combine(self) }
}

extension String: SeededPart {
    func combine(into hash: inout SeededHash) { hash.combine(self) }
}
