import Values

/// SplitMix64's finaliser over FNV-1a, the origin's only "chance": equal on every machine and in every run.
struct SeededHash {
    private var state: FNV1a

    init(seed: UInt64) { state = FNV1a(seed: seed) }

    init<each Part: SeededPart>(seed: UInt64, _ part: repeat each Part) {
        self.init(seed: seed)
        repeat (each part).combine(into: &self)
    }

    /// From a stream id or name.
    static func viewer(_ identity: String) -> UInt64 { SeededHash(seed: 0, identity).value }

    mutating func combine(_ value: UInt64) { for place in 0..<8 { state.add(value >> (8 * place) & 0xFF) } }

    /// Absorbs the end too, so that consecutive texts stay apart.
    mutating func combine(_ text: String) {
        state.add(text.utf8)
        state.add(0xFF)
    }

    var value: UInt64 {
        var numbers = SplitMix64(seed: state.value)
        return numbers.next()
    }

    var unitInterval: Double {
        var numbers = SplitMix64(seed: state.value)
        return numbers.unit()
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
