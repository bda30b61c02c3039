import Results
import Rules
import Values

enum TimeText {
    /// In UTC, for example `20:00:00`, with milliseconds if they are not zero.
    static func clock(_ microseconds: Int64) -> String {
        let text = UTCText.iso8601(microseconds: datable(microseconds))
        let time = text.dropFirst(11).dropLast()
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
    static func percentile(_ statistic: Statistic, _ time: Int64?, of count: UInt64, maximum: Int64?) -> String? {
        count >= statistic.samplesNeeded ? time.map(duration) : maximum.map { "max " + duration($0) }
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

    func microseconds(_ statistic: Statistic) -> Int64 {
        switch statistic {
        case .p50: p50Microseconds
        case .p90: p90Microseconds
        case .p95: p95Microseconds
        case .p99: p99Microseconds
        case .p999: p999Microseconds
        case .min: minimumMicroseconds
        case .max: maximumMicroseconds
        case .mean: Clamped.count(meanMicroseconds)
        }
    }

    /// Empty if its histogram cannot be read.
    var distribution: SparseHistogram { (try? decoded()) ?? SparseHistogram(digits: .three) }
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

enum Ink: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33

    func on(_ text: String) -> String { text.isEmpty ? "" : "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}

package enum TextLayout {
    /// A word longer than the width is cut.
    static func wrapped(
        _ text: String,
        width: Int,
        indent: String = "",
        hanging: String = "",
        breaksWords: Bool = false
    ) -> [String] {
        let room = width - indent.count - hanging.count
        let lines = WrappedText.lines(printable(text), width: width, first: indent, then: indent + hanging) { word in
            breaksWords && room > 0 ? pieces(of: word, columns: room) : [word]
        }
        return lines.map { cut($0, to: width) }
    }

    /// Breaks behind commas if possible, which separate attributes.
    private static func pieces(of word: Substring, columns: Int) -> [Substring] {
        var pieces: [Substring] = []
        var rest = word
        while rest.count > columns {
            let most = rest.prefix(columns)
            let comma = most.lastIndex(of: ",").map { most.index(after: $0) }
            let end = comma ?? most.endIndex
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        return pieces + [rest]
    }

    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : String(text.prefix(max(0, width - 1))) + "…"
    }

    /// Evidence comes from foreign bodies.
    static func printable(_ text: String) -> String { TerminalText.printable(text) }

    /// For example `12,345`.
    package static func grouped(_ number: some BinaryInteger) -> String { GroupedDigits.text(number) }

    /// Only for a plural with s.
    package static func counted(_ number: some BinaryInteger, _ noun: String) -> String {
        GroupedDigits.counted(number, noun)
    }
}

enum Sparkline {
    static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Keeps noise from looking like a change.
    private static let leastSpan = 0.4

    static func drawn(_ values: [Double?], width: Int) -> String {
        let shown = values.suffix(max(1, width))
        let known = shown.compactMap(\.self)
        guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: shown.count) }
        let middle = known.sorted()[known.count / 2]
        let span = max(high - low, leastSpan * middle.magnitude)
        let bottom = low - (span - (high - low)) / 2
        return String(
            shown.map { value in
                guard let value else { return " " }
                guard span > 0, span.isFinite else { return bars[0] }
                let step = Int(((value - bottom) / span * Double(bars.count - 1)).rounded())
                return bars[min(max(step, 0), bars.count - 1)]
            }
        )
    }
}
