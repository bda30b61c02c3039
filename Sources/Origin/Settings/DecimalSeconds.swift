import Values

/// Seconds as JSON numbers: three digits after the point, or six for microseconds.
enum DecimalSeconds {
    static func text(microseconds: Int64) -> String {
        let (seconds, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        guard rest % 1_000 != 0 else { return "\(seconds).\(String(rest / 1_000).leftPadded(to: 3))" }
        return "\(seconds).\(String(rest).leftPadded(to: 6))"
    }

    /// Whole seconds without a point.
    static func shortest(_ time: Duration) -> String {
        let microseconds = max(0, time.wholeMicroseconds)
        return microseconds % 1_000_000 == 0 ? String(microseconds / 1_000_000) : text(microseconds: microseconds)
    }
}
