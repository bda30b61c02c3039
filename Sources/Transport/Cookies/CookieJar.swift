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
    package func names(for place: RequestTarget, now: Int64) -> [String] {
        (field(for: place, now: now) ?? "").split(separator: "; ").map { String($0.prefix { $0 != "=" }) }
    }

    /// The `Cookie` field (section 5.4), nil where no cookie matches; `now` counts seconds since 1970.
    package func field(for place: RequestTarget, now: Int64) -> String? {
        guard !cookies.isEmpty else { return nil }
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
