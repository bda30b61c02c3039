import Values

/// A `Set-Cookie` field, parsed as browsers do (RFC 6265 section 5.2).
struct Cookie {
    let name: String
    let value: String
    /// In lower case, without a dot before it; empty where the field names none.
    var domain = ""
    var isHostOnly = true
    /// Empty for a value without a leading slash, too.
    var path = ""
    private(set) var isSecure = false
    /// Seconds since 1970; nil for a session's.
    private(set) var expires: Int64?

    /// nil for a field that sets no cookie.
    init?(_ text: String, now: Int64) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty, (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        var maximumAge: Int64?
        for part in parts.dropFirst() {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = Self.trimmed(part[equals...].dropFirst())
            switch Self.trimmed(part[..<equals]).lowercased() {
            case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value.hasPrefix("/") ? value : ""
            case "secure": isSecure = true
            case "max-age": maximumAge = Self.age(value) ?? maximumAge
            case "expires": expires = CookieDate.seconds(value) ?? expires
            default: break
            }
        }
        if let maximumAge { expires = maximumAge > 0 ? now.addingReportingOverflow(maximumAge).partialValue : 0 }
    }

    private static func age(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        // Four hundred years: no sum overflows.
        return min(Int64(text) ?? (text.hasPrefix("-") ? 0 : .max), 12_622_780_800)
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmed { $0 == " " || $0 == "\t" } }
}

/// Dates in the forms that servers write (RFC 6265 section 5.1.1).
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Seconds since 1970; nil for an invalid date.
    static func seconds(_ text: String) -> Int64? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let number = number(token, digits: 1...2) {
                day = number
            } else if month == nil, let found = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = found + 1
            } else if year == nil, let number = number(token, digits: 2...4) {
                year = number < 70 ? number + 2_000 : number < 100 ? number + 1_900 : number
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1_601, time.hour <= 23,
            time.minute <= 59, time.second <= 59
        else { return nil }
        let seconds = time.hour * 3_600 + time.minute * 60 + time.second
        let date = CalendarDate(year: Int64(year), month: Int64(month), day: Int64(day))
        return date.daysSinceEpoch * 86_400 + Int64(seconds)
    }

    private static func isDelimiter(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return true }
        return switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func time(_ token: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// nil if the count of leading digits is outside of `digits`.
    private static func number(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        let found = token.prefix { $0.isASCII && $0.isNumber }
        return digits.contains(found.count) ? Int(found) : nil
    }
}
