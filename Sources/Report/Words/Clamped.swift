/// Conversion of a file's numbers to integers without traps: invalid values become the nearest valid one.
enum Clamped {
    /// The nearest integer up to a magnitude of 10¹⁵; 0 for NaN.
    static func integer(_ value: Double) -> Int64 {
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value.rounded(), -1e15), 1e15))
    }

    static func count(_ value: Double) -> Int64 { max(0, integer(value)) }
}
