import CCurl
import Glibc

/// Where a URL leads, as libcurl itself reads it.
struct RequestTarget: Equatable, Sendable {
    let scheme: String
    /// Lower case, without brackets or a final dot.
    let host: String
    let port: UInt16
    let isLoopback: Bool

    /// Fails for anything but an http or https URL with a host.
    init?(url: String) {
        guard let parser = curl_url() else { return nil }
        defer { curl_url_cleanup(parser) }
        guard curl_url_set(parser, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parser)?.lowercased(), scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: parser)?.lowercased(),
            let port = Self.part(CURLUPART_PORT, of: parser, flags: CURLU_DEFAULT_PORT).flatMap(UInt16.init)
        else { return nil }
        var name = host[...]
        if name.hasPrefix("[") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        guard !name.isEmpty else { return nil }
        self.scheme = scheme
        self.host = String(name)
        self.port = port
        self.isLoopback = Self.isLoopback(String(name))
    }

    /// Whether credentials meant for `other` may be sent here too: same scheme, host and port (RFC 6454 section 4).
    func hasSameOrigin(as other: RequestTarget) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    private static func part(_ part: CURLUPart, of parser: OpaquePointer, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, UInt32(bitPattern: flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 {
            return UInt32(bigEndian: address.s_addr) >> 24 == 127
        }
        var address6 = in6_addr()
        guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
        return withUnsafeBytes(of: &address6) { bytes in
            bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }
    }
}
