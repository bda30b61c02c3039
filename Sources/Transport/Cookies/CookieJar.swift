import Values

/// One viewer's cookies (RFC 6265 section 5); empty, the jar allocates nothing.
///
/// Two assumptions are podswarm's. Without section 5.3's public suffix list, a domain without a dot is refused. `most` bounds
/// all domains together, while section 6.1 asks for room for 50 of each.
package struct CookieJar: Sendable {
    private static let most = 50
    /// Bytes of name, value and attributes (section 6.1).
    package static let longest = 4_096

    /// In the order of first setting.
    private var cookies: [Cookie] = []

    package init() {}

    package var isEmpty: Bool { cookies.isEmpty }

    /// Stores a `Set-Cookie` field (section 5.3); true if the cookies of requests change; `now` counts seconds since 1970.
    package mutating func take(_ field: String, from place: RequestTarget, now: Int64) -> Bool {
        guard field.utf8.count <= Self.longest, var cookie = Cookie(field, now: now) else { return false }
        // Browsers ignore a secure cookie of http (draft-ietf-httpbis-rfc6265bis section 5.7): mediamtx sets each cookie twice,
        // and the second must not replace the first.
        guard !cookie.isSecure || place.isSecure else { return false }
        let asked = cookie.domain.withoutBrackets
        cookie.domain = place.host
        if asked == place.host {
            cookie.isHostOnly = place.isAddress
        } else if !asked.isEmpty {
            guard asked.contains("."), place.isOf(domain: asked) else { return false }
            (cookie.domain, cookie.isHostOnly) = (asked, false)
        }
        if cookie.path.isEmpty { cookie.path = place.defaultPath }
        let known = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        guard cookie.expires ?? .max > now else {
            guard let known else { return false }
            cookies.remove(at: known)
            return true
        }
        guard let known else {
            if cookies.count >= Self.most { cookies.removeFirst() }
            cookies.append(cookie)
            return true
        }
        defer { cookies[known] = cookie }
        return cookies[known].value != cookie.value || cookies[known].isSecure != cookie.isSecure
            || cookies[known].isHostOnly != cookie.isHostOnly
    }

    /// Names of the cookies in `field(for:now:)`.
    package func names(for url: String, now: Int64) -> [String] {
        (field(for: url, now: now) ?? "").split(separator: "; ").map { String($0.prefix { $0 != "=" }) }
    }

    /// The `Cookie` field (section 5.4), nil where no cookie matches; `now` counts seconds since 1970.
    package func field(for url: String, now: Int64) -> String? {
        guard !cookies.isEmpty, let place = RequestTarget(url: url) else { return nil }
        let fitting = cookies.enumerated().filter { _, cookie in
            (cookie.isHostOnly ? cookie.domain == place.host : place.isOf(domain: cookie.domain))
                && place.isBelow(cookie.path) && (!cookie.isSecure || place.isSecure)
                && cookie.expires ?? .max > now
        }
        guard !fitting.isEmpty else { return nil }
        let sorted = fitting.sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }
}

// Places of cookies.
extension RequestTarget {
    /// An address has no subdomains.
    fileprivate var isAddress: Bool { IPAddress(host) != nil }
    fileprivate var isSecure: Bool { scheme == "https" }
    /// Without a query; begins with a slash.
    private var path: Substring { pathAndQuery.prefix { $0 != "?" } }

    /// Domain matching (RFC 6265 section 5.1.3).
    fileprivate func isOf(domain: String) -> Bool { host == domain || !isAddress && host.hasSuffix("." + domain) }

    /// Path matching (RFC 6265 section 5.1.4).
    fileprivate func isBelow(_ path: String) -> Bool {
        let own = self.path
        guard own.hasPrefix(path) else { return false }
        return own.utf8.count == path.utf8.count || path.hasSuffix("/") || own.dropFirst(path.count).hasPrefix("/")
    }

    /// Path of a cookie without one (RFC 6265 section 5.1.4).
    fileprivate var defaultPath: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

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
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

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
