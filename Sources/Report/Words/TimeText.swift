import Results
import Rules

enum TimeText {
    /// In UTC, for example `20:00:00`, with milliseconds if they are not zero.
    static func clock(_ microseconds: Int64) -> String {
        let text = UTCText.iso8601(microseconds: datable(microseconds))
        guard let begin = text.firstIndex(of: "T") else { return text }
        let time = text[text.index(after: begin)...].dropLast()
        return String(time.hasSuffix(".000") ? time.dropLast(4) : time)
    }

    /// For example `2026-11-21 20:00:00 UTC`.
    static func instant(_ microseconds: Int64) -> String {
        let text = UTCText.iso8601(microseconds: datable(microseconds))
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " UTC"
    }

    private static func datable(_ microseconds: Int64) -> Int64 { min(max(microseconds, 0), 253_402_300_799_999_999) }

    /// For example `+12.3 ms`.
    static func offset(_ microseconds: Int64) -> String {
        (microseconds < 0 ? "" : "+") + MetricText.time(microseconds: Double(microseconds))
    }

    static func duration(_ microseconds: Int64) -> String { MetricText.time(microseconds: Double(microseconds)) }

    /// Shows the marked maximum if samples are too few.
    static func percentile(
        _ statistic: Statistic,
        _ microseconds: Int64?,
        of count: UInt64,
        maximum: Int64?
    ) -> String? {
        count >= statistic.samplesNeeded ? microseconds.map(duration) : maximum.map { "max " + duration($0) }
    }

    /// For example `1:05`, `2:00:30`.
    static func elapsed(_ seconds: Double) -> String {
        let whole = Clamped.count(seconds.rounded(.down))
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(whole / 60 % 60)):\(two(whole % 60))"
        return whole >= 3_600 ? "\(whole / 3_600):\(minutes)" : "\(whole / 60):\(two(whole % 60))"
    }

    /// To a tenth of a second, and in words if long.
    static func exactLength(seconds: Double) -> String {
        let exact = MetricText.rounded(seconds, places: 1) + " s"
        return seconds < 120 ? exact : "\(exact) (\(length(seconds: seconds)))"
    }

    /// For example `58 s`, `2 min 3 s`, `8 h 0 min`.
    static func length(seconds: Double) -> String {
        let whole = Clamped.count(seconds)
        if whole < 60 { return MetricText.number((seconds * 10).rounded() / 10) + " s" }
        if whole < 3_600 { return "\(whole / 60) min" + (whole % 60 > 0 ? " \(whole % 60) s" : "") }
        return "\(whole / 3_600) h" + (whole / 60 % 60 > 0 ? " \(whole / 60 % 60) min" : "")
    }
}

extension RunDescription {
    var seconds: Double { Double(endedAtMicroseconds &- startedAtMicroseconds) / 1_000_000 }
}

extension LatencyResult {
    func cell(_ statistic: Statistic) -> String {
        TimeText.percentile(statistic, shown(statistic), of: count, maximum: maximumMicroseconds) ?? "-"
    }

    /// Such as `p50 12 ms, p99 30 ms`; with too few samples the maximum.
    func sentence(_ statistics: [Statistic]) -> String {
        let enough = statistics.filter { count >= $0.samplesNeeded }
        let figures = enough.map { "\($0.rawValue) \(TimeText.duration(shown($0)))" }
        let few = enough.count < statistics.count ? " of \(TextLayout.grouped(count))" : ""
        return (figures + ["max \(TimeText.duration(maximumMicroseconds))\(few)"]).joined(separator: ", ")
    }

    /// Never above the maximum, as the upper ends of buckets may be.
    private func shown(_ statistic: Statistic) -> Int64 { min(microseconds(statistic), maximumMicroseconds) }

    func microseconds(_ statistic: Statistic) -> Int64 { Clamped.count(value(of: statistic)) }
}

/// Converts a file's numbers without traps: invalid values become the nearest valid one.
enum Clamped {
    /// Up to a magnitude of 10¹⁵; 0 for NaN.
    static func integer(_ value: Double) -> Int64 {
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value.rounded(), -1e15), 1e15))
    }

    static func count(_ value: Double) -> Int64 { max(0, integer(value)) }
}
