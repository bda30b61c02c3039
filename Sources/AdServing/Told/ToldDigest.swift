/// Who said what, in one number: that of the same viewers with the same values is the same, in whatever order they came.
package struct ToldDigest: Equatable, Sendable {
    private var sum: UInt64 = 0

    package init() {}

    /// Adds what one viewer says; each is to be added once.
    ///
    /// - Parameters:
    ///   - value: What it says.
    ///   - viewer: Its number.
    /// - Returns: Of the two alone, by which a later value can be told from this one.
    @discardableResult
    package mutating func add(_ value: String, of viewer: UInt64) -> UInt64 {
        let own = Self.own(value, of: viewer)
        sum &+= own
        return own
    }

    /// Of one viewer and one value.
    package static func own(_ value: String, of viewer: UInt64) -> UInt64 {
        var hash = RunHash()
        withUnsafeBytes(of: viewer.littleEndian) { hash.add($0) }
        var value = value
        value.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return hash.value
    }

    /// In hexadecimal.
    package var text: String { sum.sixteenDigits }
}
