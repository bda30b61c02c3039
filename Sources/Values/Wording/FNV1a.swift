/// FNV-1a of 64 bits: equal on every machine and in every release, and not resistant to adversaries.
public struct FNV1a: Sendable {
    /// Hash so far.
    public var value: UInt64

    /// Starts at the offset basis, changed by a seed.
    @inlinable
    public init(seed: UInt64 = 0) { value = seed ^ 0xCBF2_9CE4_8422_2325 }

    /// Continues from an earlier hash.
    @inlinable
    public init(after value: UInt64) { self.value = value }

    /// A byte, or a whole word at once.
    @inlinable
    public mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

    /// Adds bytes one by one.
    @inlinable
    public mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(UInt64(byte)) } }
}
