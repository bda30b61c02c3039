extension ViewerMachine {
    /// What `_HLS_primary_id` tells of this viewer: the same for all its requests, and another for each viewer and seed.
    ///
    /// In the shape of a random UUID (RFC 9562 section 5.4), as players make it.
    package var primaryID: String {
        var own = ViewerChance(seed: self.plan.seed &+ 0x5052_494D, viewer: self.number)
        let high = own.next() & ~0xF000 | 0x4000
        let low = own.next() & ~(0xC000 << 48) | 0x8000 << 48
        let digits = Array((Self.hex(high) + Self.hex(low)).utf8)
        var text: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hex(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
