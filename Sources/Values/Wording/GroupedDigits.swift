/// Numbers with thousands separators.
package enum GroupedDigits {
    /// Formats a whole number, for example `12,345`.
    package static func text(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.dropLast(digits.count - end).suffix(3)
        }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// Formats the nearest whole number, clamped to 0...10^15.
    package static func text(rounding value: Double) -> String {
        text(Int(min(max(value.rounded(), 0), 1e15)))
    }
}
