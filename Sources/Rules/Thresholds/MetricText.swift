import Values

/// Formats quantities in one way for reasons, thresholds and summaries.
package enum MetricText {
    /// For example `740 µs`, `12.3 ms`, `1.50 s`.
    package static func time(microseconds: Double) -> String {
        // Limits are rounded values: 99.96 ms is 100 ms and not 100.0 ms.
        switch abs(microseconds) {
        case ..<999.5: "\(rounded(microseconds, places: 0)) µs"
        case ..<9_995: "\(rounded(microseconds / 1_000, places: 2)) ms"
        case ..<99_950: "\(rounded(microseconds / 1_000, places: 1)) ms"
        case ..<999_500: "\(rounded(microseconds / 1_000, places: 0)) ms"
        default: "\(rounded(microseconds / 1_000_000, places: 2)) s"
        }
    }

    /// Never rounds up to 100 or down to 0.
    package static func percent(_ percent: Double) -> String {
        if percent > 99.99, percent < 100 { return ">99.99%" }
        if percent > 0, percent < 0.01 { return "<0.01%" }
        return trimmed(rounded(percent, places: 2)) + "%"
    }

    /// At most two decimals, without trailing zeros.
    package static func number(_ number: Double) -> String { trimmed(rounded(number, places: 2)) }

    /// Spelling of a number in a profile, to a millionth.
    package static func decimal(_ number: Double) -> String { trimmed(rounded(number, places: 6)) }

    /// Allows 0 to 6 decimals; formats numbers beyond 9e15 and not finite ones as Swift does.
    package static func rounded(_ value: Double, places: Int) -> String {
        let factor = [1.0, 10, 100, 1_000, 10_000, 100_000, 1_000_000][min(max(places, 0), 6)]
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let units = Int64(scaled)
        let whole = units / Int64(factor)
        let sign = value < 0 && units > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + String(units % Int64(factor)).leftPadded(to: min(places, 6))
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        let cut = text.reversed().drop { $0 == "0" }
        return String((cut.first == "." ? cut.dropFirst() : cut).reversed())
    }
}
