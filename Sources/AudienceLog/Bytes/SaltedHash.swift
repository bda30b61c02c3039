/// Hashes of what tells viewers apart, so that none of it is kept.
///
/// The salt is drawn anew for each reading and never written: of two readings nobody can tell that they saw the same viewer,
/// and nobody can find out an address by hashing all of them.
struct SaltedHash: Sendable {
    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let finalizer: UInt64 = 0xD6E8_FEB8_6659_FD93

    private let salt: UInt64

    init(salt: UInt64) { self.salt = salt }

    /// The hash of a text among others of its kind.
    func of(_ bytes: LineBytes, among kind: UInt64) -> UInt64 {
        var state = Self.mixed(salt ^ kind &* Self.finalizer, Self.multiplier ^ UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            state = Self.mixed(state ^ word, Self.multiplier)
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        return Self.mixed(state ^ rest, Self.finalizer)
    }

    /// Two 64-bit words multiplied, both halves of the product in one.
    @inline(__always)
    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ multiplier).multipliedFullWidth(by: right | 1)
        return product.high ^ product.low
    }
}
