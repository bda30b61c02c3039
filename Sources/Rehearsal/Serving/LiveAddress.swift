import Glibc

package struct LiveAddress: Hashable, Sendable, CustomStringConvertible {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let text: String
        package let reason: String
        package var description: String {
            "'\(text)' is no address to serve at: \(reason); write HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464"
        }
    }

    /// An IPv4 or IPv6 address without brackets, or a name.
    package let host: String
    /// 0 takes a free port.
    package let port: Int

    /// Parses `HOST:PORT`, with an IPv6 address in brackets (RFC 3986, section 3.2.2).
    package init(parsing text: String) throws(Mistake) {
        guard let colon = text.lastIndex(of: ":") else { throw Mistake(text: text, reason: "it has no port") }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { throw Mistake(text: text, reason: "its port is no number from 0 to 65535") }
        let host = text[..<colon]
        guard let known = Self.host(host) else {
            throw Mistake(
                text: text,
                reason: host.isEmpty ? "it has no host" : "its host is neither an address nor a name"
            )
        }
        self.host = known
        self.port = Int(port)
    }

    private static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let literal = String(text.dropFirst().dropLast())
            return IPLiteral.isVersion6(literal) ? literal : nil
        }
        let isName = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x2d || byte == 0x2e
        }
        return isName && !text.isEmpty && text.utf8.count <= 253 ? String(text) : nil
    }

    package var isLoopback: Bool {
        host.lowercased() == "localhost" || host == "::1" || (IPLiteral.isVersion4(host) && host.hasPrefix("127."))
    }

    package var description: String { Self.text(host: host, port: port) }

    /// URL for a browser on this machine.
    package func url(port: Int) -> String {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)/"
        case "::": "http://[::1]:\(port)/"
        default: "http://\(Self.text(host: host, port: port))/"
        }
    }

    private static func text(host: String, port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether a page that is served here answers requests with this authority: `localhost`, the address's own name, or any
    /// address.
    ///
    /// A web page elsewhere can let its own name resolve to 127.0.0.1 and so read what is served there (DNS rebinding); the
    /// browser then still sends that name as the host. An address cannot be resolved to anything else, and is allowed.
    package func answers(_ authority: String?) -> Bool {
        guard let authority, let asked = Self.host(of: authority) else { return false }
        return asked == "localhost" || asked == host.lowercased() || IPLiteral.isVersion4(asked)
            || IPLiteral.isVersion6(asked)
    }

    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end]).lowercased()
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty else { return nil }
        return host.lowercased()
    }
}

enum IPLiteral {
    static func isVersion4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isVersion6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
