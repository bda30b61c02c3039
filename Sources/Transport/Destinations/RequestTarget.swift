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
