import Values

/// Digest of viewers and their values in any order.
package struct ToldDigest: Equatable, Sendable {
    private var sum: UInt64 = 0

    package init() {}

    /// Adds one viewer's value, once per viewer; returns `own(_:of:)`, by which later values are compared.
    @discardableResult
    package mutating func add(_ value: String, of viewer: UInt64) -> UInt64 {
        let own = Self.own(value, of: viewer)
        sum &+= own
        return own
    }

    package static func own(_ value: String, of viewer: UInt64) -> UInt64 {
        var hash = RunHash()
        withUnsafeBytes(of: viewer.littleEndian) { hash.add($0) }
        var value = value
        value.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return hash.value
    }

    package var text: String { sum.hexadecimal(digits: 16) }
}
