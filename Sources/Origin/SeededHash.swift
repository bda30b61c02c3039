/// One well mixed 64-bit value from a seed and what it is about; the only source of "chance" in the origin.
///
/// SplitMix64's finaliser over FNV-1a: equal inputs give equal values on every machine and in every run.
struct SeededHash {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed ^ 0xCBF2_9CE4_8422_2325
    }

    mutating func combine(_ value: UInt64) {
        for place in 0..<8 { absorb(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// Absorbs a text and its end, so that two texts in a row cannot be confused with others.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { absorb(byte) }
        absorb(0xFF)
    }

    /// The value; the hash can go on absorbing afterwards.
    var value: UInt64 {
        var mixed = state &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The value as a number from 0 up to, but not including, 1.
    var unitInterval: Double { Double(value >> 11) * 0x1p-53 }

    private mutating func absorb(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
