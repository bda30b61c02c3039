import Values

typealias LoggedFields = [FieldRole: LogBytes]

extension LoggedFields {
    /// The first value stays; logs write `-` for none.
    mutating func set(_ role: FieldRole?, _ value: LogBytes) {
        guard let role, self[role] == nil, !value.isEmpty, !value.elementsEqual("-".utf8) else { return }
        self[role] = value
    }
}

/// Request with an instant and a path.
struct LoggedRequest {
    /// Since the Unix epoch.
    let milliseconds: Int64
    let isGet: Bool
    let path: LogBytes
    let query: LogBytes
    /// From proxies' fields if present.
    let address: LogBytes
    private let fields: LoggedFields

    subscript(role: FieldRole) -> LogBytes { fields[role] ?? [] }

    init?(_ fields: LoggedFields) {
        let time = fields[.time]?.text
        let isTimeOfDay = time.map { $0.utf8.dropFirst(2).first == UInt8(ascii: ":") } ?? false
        let stamps = isTimeOfDay ? [fields[.date]?.text, time] : [time ?? fields[.date]?.text]
        guard let stamp = LogStamp.milliseconds(stamps.compactMap(\.self).joined(separator: "T")) else { return nil }
        milliseconds = stamp
        let line = fields[.request]?.parts(" ") ?? []
        let method = fields[.method] ?? line.first
        isGet = method?.elementsEqual("GET".utf8) ?? true
        let target = Self.withoutHost(fields[.url] ?? line.dropFirst().first ?? []).prefix { $0 != UInt8(ascii: "#") }
        path = target.prefix { $0 != UInt8(ascii: "?") }
        guard !path.isEmpty else { return nil }
        query = path.count < target.count ? target.dropFirst(path.count + 1) : fields[.query] ?? []
        address = fields[.forwarded]?.parts(",").first?.trimmed ?? fields[.address] ?? []
        self.fields = fields
    }

    private static func withoutHost(_ target: LogBytes) -> LogBytes {
        guard target.first != UInt8(ascii: "/"), let host = target.end(of: "://") else { return target }
        return target[host...].drop { $0 != UInt8(ascii: "/") }
    }
}

/// Milliseconds since the Unix epoch.
enum LogStamp {
    /// 2000 to 2099.
    private static let years = 946_684_800_000.0..<4_102_444_800_000
    private static let mostBytes = 40
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds, milliseconds, microseconds or nanoseconds of the epoch; ISO 8601; HTTP dates; the form of the common log
    /// format.
    static func milliseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= mostBytes else { return nil }
        if let number = Double(text) {
            // A binary fraction may be a little less than the decimal one.
            return [1000, 1, 1e-3, 1e-6].map { number * $0 }.first(where: years.contains).map { Int64($0 + 0.0005) }
        }
        guard let time = WallTime(iso8601: iso8601(text)) else { return nil }
        let milliseconds = Double(time.microseconds) / 1000
        return years.contains(milliseconds) ? Int64(milliseconds) : nil
    }

    private static func iso8601(_ text: String) -> String {
        // `23/Nov/2026:20:04:23 +0100`, or `Mon, 23 Nov 2026 20:04:23 GMT` (RFC 9110 section 5.6.7).
        // Over bytes: over characters it takes three times as long.
        let all = pieces(text[...].utf8) { " ,/:".utf8.contains($0) }
        let parts = Array(all.drop { $0.utf8.first?.isDigit == false })
        if parts.count == 7, let month = months.firstIndex(of: parts[1]) {
            let date = "\(parts[2])-\(String(month + 1).leftPadded(to: 2))-\(parts[0])"
            return "\(date)T\(parts[3...5].joined(separator: ":"))\(parts[6] == "GMT" ? "Z" : parts[6])"
        }
        // `%Z` of strftime.
        let isNamed = text.hasSuffix("UTC") || text.hasSuffix("GMT")
        let bare = pieces(text.dropLast(isNamed ? 3 : 0).utf8) { $0 == UInt8(ascii: " ") }
        return bare.count <= 2 ? bare.joined(separator: "T") : text
    }

    private static func pieces(_ text: Substring.UTF8View, _ isBetween: (UInt8) -> Bool) -> [String] {
        text.split(whereSeparator: isBetween).map { String(Substring($0)) }
    }
}
