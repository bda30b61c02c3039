/// The one way quantities are put into words: reasons, thresholds and summaries agree on it.
package enum MetricText {
    /// A duration in the unit that keeps it readable, for example `740 µs`, `12.3 ms`, `1.50 s`.
    ///
    /// - Parameter microseconds: The duration.
    /// - Returns: Text with its unit.
    package static func time(microseconds: Double) -> String {
        // By what it rounds to: 99.96 ms is 100 ms and not 100.0 ms.
        switch abs(microseconds) {
        case ..<999.5: "\(rounded(microseconds, places: 0)) µs"
        case ..<9_995: "\(rounded(microseconds / 1_000, places: 2)) ms"
        case ..<99_950: "\(rounded(microseconds / 1_000, places: 1)) ms"
        case ..<999_500: "\(rounded(microseconds / 1_000, places: 0)) ms"
        default: "\(rounded(microseconds / 1_000_000, places: 2)) s"
        }
    }

    /// A percentage that is never rounded up to 100 or down to 0.
    ///
    /// - Parameter percent: From 0 to 100.
    /// - Returns: Text with the percent sign.
    package static func percent(_ percent: Double) -> String {
        if percent > 99.99, percent < 100 { return ">99.99%" }
        if percent > 0, percent < 0.01 { return "<0.01%" }
        return trimmed(rounded(percent, places: 2)) + "%"
    }

    /// A count without needless decimals.
    ///
    /// - Parameter number: Any number.
    /// - Returns: Text without a unit.
    package static func number(_ number: Double) -> String { trimmed(rounded(number, places: 2)) }

    /// A number as a profile spells it, to a millionth.
    ///
    /// - Parameter number: Any number.
    /// - Returns: Text without a unit.
    package static func decimal(_ number: Double) -> String { trimmed(rounded(number, places: 6)) }

    /// Decimal text with a fixed number of places.
    ///
    /// - Parameters:
    ///   - value: Any number; one that is not finite is spelled as Swift spells it.
    ///   - places: Digits after the point, 0 to 6.
    /// - Returns: Text without a unit.
    package static func rounded(_ value: Double, places: Int) -> String {
        let factor = [1.0, 10, 100, 1_000, 10_000, 100_000, 1_000_000][min(max(places, 0), 6)]
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let units = Int64(scaled)
        let whole = units / Int64(factor)
        let sign = value < 0 && units > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let fraction = String(units % Int64(factor))
        return "\(sign)\(whole)." + String(repeating: "0", count: min(places, 6) - fraction.count) + fraction
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        let cut = text.reversed().drop { $0 == "0" }
        return String((cut.first == "." ? cut.dropFirst() : cut).reversed())
    }
}
