/// Whole numbers of what a file may hold: nothing traps, and what makes no sense becomes the nearest that does.
enum Clamped {
    /// The nearest whole number whose magnitude is at most 10¹⁵; 0 for what is no number.
    static func integer(_ value: Double) -> Int64 {
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value.rounded(), -1e15), 1e15))
    }

    /// The nearest whole number from 0 on, in the same range.
    static func count(_ value: Double) -> Int64 { max(0, integer(value)) }
}
