/// Parses the digits after a decimal point.
public enum DecimalFraction {
    /// Returns the digits from `index` as millionths and moves `index` past them; digits after the sixth are ignored.
    @inlinable
    public static func millionths(_ bytes: UnsafeRawBufferPointer, _ index: inout Int, end: Int) -> Int64 {
        let start = index
        var value: Int64 = 0
        let counted = Swift.min(end, start &+ 6)
        while index < counted, case let digit = bytes[index] &- UInt8(ascii: "0"), digit <= 9 {
            value = value &* 10 &+ Int64(digit)
            index &+= 1
        }
        if index == counted {
            while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
        }
        // One division by ten for each digit would cost more than the rest.
        switch index &- start {
        case 0: return 0
        case 1: return value &* 100_000
        case 2: return value &* 10_000
        case 3: return value &* 1_000
        case 4: return value &* 100
        case 5: return value &* 10
        default: return value
        }
    }
}
