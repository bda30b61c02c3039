import CCurl
import Values

/// Parts of a URL, as libcurl itself reads them.
package struct RequestTarget: Equatable, Sendable {
    package let scheme: String
    /// Lower case, without brackets or a final dot.
    package let host: String
    /// The scheme's default unless written.
    package let port: UInt16
    package let isLoopback: Bool
    /// As libcurl would write it (RFC 9112 section 3.2.1).
    package let pathAndQuery: String
    /// Value of the Host header: the host as written, and the port unless it is the default.
    package let authority: String
    /// Only libcurl supports a user, a password, an IPv6 zone and host names beyond ASCII.
    package let needsCurl: Bool

    /// nil for anything but an http or https URL with a host.
    package init?(url: String) {
        guard let parser = curl_url() else { return nil }
        defer { curl_url_cleanup(parser) }
        guard curl_url_set(parser, CURLUPART_URL, url, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parser)?.lowercased(), scheme == "http" || scheme == "https",
            let givenHost = Self.part(CURLUPART_HOST, of: parser),
            let port = Self.part(CURLUPART_PORT, of: parser, flags: CURLU_DEFAULT_PORT).flatMap(UInt16.init)
        else { return nil }
        var name = givenHost.lowercased()[...]
        if name.hasPrefix("[") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        guard !name.isEmpty else { return nil }
        self.scheme = scheme
        self.host = String(name)
        self.port = port
        let explicitPort = Self.part(CURLUPART_PORT, of: parser, flags: CURLU_NO_DEFAULT_PORT)
        self.authority = explicitPort.map { "\(givenHost):\($0)" } ?? givenHost
        let query = Self.part(CURLUPART_QUERY, of: parser).map { "?\($0)" } ?? ""
        // libcurl escapes bytes beyond ASCII in the path and not in the query.
        self.pathAndQuery = (Self.part(CURLUPART_PATH, of: parser, flags: CURLU_URLENCODE) ?? "/") + query
        self.needsCurl =
            [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_ZONEID].contains { Self.part($0, of: parser) != nil }
            || !name.utf8.allSatisfy { $0 < 0x80 }
        self.isLoopback = host.isLoopbackHost
    }

    /// RFC 3986 section 5; nil for an invalid reference.
    package static func resolve(_ reference: String, against base: String) -> String? {
        guard let parser = curl_url() else { return nil }
        defer { curl_url_cleanup(parser) }
        // libcurl allows spaces in a Location.
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        guard curl_url_set(parser, CURLUPART_URL, base, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK,
            curl_url_set(parser, CURLUPART_URL, reference, flags) == CURLUE_OK
        else { return nil }
        return part(CURLUPART_URL, of: parser)
    }

    /// With its port, unless that is the scheme's default.
    package var hostInProfile: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The origin as browsers write it (Fetch standard, "Origin header").
    var origin: String { "\(scheme)://\(hostInProfile)" }

    /// Whether credentials for `other` may be sent here too: same scheme, host and port (RFC 6454 section 4).
    package func hasSameOrigin(as other: RequestTarget) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    private static func part(_ part: CURLUPart, of parser: OpaquePointer, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, UInt32(bitPattern: flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

/// Hosts that may receive requests, and those that receive a profile's headers.
///
/// A pattern is an exact host (any port), `host:port`, or `*.suffix` (any host below the suffix). libcurl's own parser reads
/// the URLs, so that the checked host is the connected one.
///
/// A target's answers open no more of this machine: on loopback only the ports of the profile's own addresses and of the
/// patterns are permitted.
package struct AuthorisedHosts: Sendable {
    private typealias Pattern = (host: String, port: UInt16?, matchesBelow: Bool)

    private let patterns: [Pattern]
    /// Targets of the profile's own addresses; nil permits all of loopback and sends headers everywhere.
    private let own: [RequestTarget]?
    private let headerPatterns: [Pattern]

    /// An empty pattern permits nothing.
    ///
    /// `addresses` are the profile's URLs: their ports are permitted on every loopback host; nil permits all of
    /// loopback, and headers for every host. `headerPatterns` are further hosts that receive the profile's headers.
    package init(_ patterns: [String] = [], of addresses: [String]? = nil, headersAlsoTo headerPatterns: [String] = [])
    {
        self.patterns = patterns.compactMap(Self.pattern)
        own = addresses?.compactMap { RequestTarget(url: $0) }
        self.headerPatterns = headerPatterns.compactMap(Self.pattern)
    }

    /// Every port of this machine under its usual names; empty unless the URL leads to it.
    package static func machine(of url: String) -> [String] {
        RequestTarget(url: url)?.isLoopback == true ? ["localhost", "127.0.0.1", "::1"] : []
    }

    /// False for an invalid URL, too.
    package func permits(url: String) -> Bool {
        guard let target = RequestTarget(url: url) else { return false }
        return permits(target)
    }

    package func permits(_ target: RequestTarget) -> Bool {
        isOpenLoopback(target) || patterns.contains { Self.matches($0, target) }
    }

    /// Covers a request's credentials too.
    package func areHeadersFor(_ target: RequestTarget) -> Bool {
        guard let own else { return true }
        return isOpenLoopback(target) || own.contains { $0.hasSameOrigin(as: target) }
            || headerPatterns.contains { Self.matches($0, target) }
    }

    private func isOpenLoopback(_ target: RequestTarget) -> Bool {
        guard target.isLoopback else { return false }
        return own?.contains { $0.isLoopback && $0.port == target.port } ?? true
    }

    private static func matches(_ pattern: Pattern, _ target: RequestTarget) -> Bool {
        if let port = pattern.port, port != target.port { return false }
        guard pattern.matchesBelow else { return target.host == pattern.host }
        return target.host.hasSuffix("." + pattern.host) && target.host.utf8.count > pattern.host.utf8.count + 1
    }

    private static func pattern(_ text: String) -> Pattern? {
        let matchesBelow = text.hasPrefix("*.")
        let place = text.lowercased().dropFirst(matchesBelow ? 2 : 0)
        let parts = place.partsBetweenColons
        // More than one colon is of an IPv6 address without brackets.
        let port = parts.count == 2 ? UInt16(parts[1]) : nil
        guard parts.count != 2 || port != nil else { return nil }
        var host = (parts.count == 2 ? parts[0] : place).withoutBrackets
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty else { return nil }
        return (host, port, matchesBelow)
    }
}

extension StringProtocol {
    /// Colons within brackets, of IPv6 addresses, do not count.
    var partsBetweenColons: [SubSequence] {
        var isInBrackets = false
        return split(omittingEmptySubsequences: false) { character in
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            return character == ":" && !isInBrackets
        }
    }
}
