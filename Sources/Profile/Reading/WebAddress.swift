import Values

struct WebAddress: Equatable {
    let origin: WebOrigin
    let rest: Substring

    init?(_ text: String) {
        guard Self.refusal(ofUnparsed: text) == nil, let mark = text.firstRange(of: "://") else { return nil }
        let authority = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let parsed = Authority(authority) else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        origin = WebOrigin(scheme: scheme, host: parsed.host, port: parsed.port ?? (scheme == "https" ? 443 : 80))
        rest = text[authority.endIndex...]
    }

    /// Reason as a predicate that never quotes the text; `needsRoot` also refuses a path or query.
    static func refusal(of text: String, needsRoot: Bool) -> String? {
        if let reason = refusal(ofUnparsed: text) { return reason }
        guard let address = WebAddress(text) else { return "has no valid host" }
        return needsRoot && !address.rest.isEmpty && address.rest != "/" ? "has a path" : nil
    }

    private static func refusal(ofUnparsed text: String) -> String? {
        let lowered = text.lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://") else {
            return "is not an http or https URL"
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "holds a space or a non-ASCII character" }
        guard !text.contains("#") else { return "has a fragment" }
        guard !text.contains("{"), !text.contains("}") else { return "has a brace, and nothing is put into it here" }
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        return authority.contains("@") ? "has a user name or password in it" : nil
    }

    /// Loopback needs no authorisation.
    func isPermitted(by patterns: [String]) -> Bool {
        let (host, port) = (origin.host, origin.port)
        return origin.isLoopback
            || patterns.contains { pattern in
                if pattern.hasPrefix("*.") { return host.hasSuffix(pattern.dropFirst().lowercased()) }
                guard let authority = Authority(pattern[...]), authority.host == host else { return false }
                return authority.port == nil || authority.port == port
            }
    }
}

struct Authority: Equatable {
    var host: String
    var port: Int?

    init?(_ text: Substring) {
        var hostText = text
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            hostText = text[...end]
            guard IPAddress(String(hostText.dropFirst().dropLast()))?.isVersion6 == true else { return nil }
        } else if let colon = text.firstIndex(of: ":") {
            hostText = text[..<colon]
        }
        let portText = text[hostText.endIndex...]
        if !portText.isEmpty {
            guard portText.hasPrefix(":"), portText.count <= 6, let port = Int(portText.dropFirst()),
                1...65535 ~= port
            else { return nil }
            self.port = port
        }
        host = hostText.lowercased()
        guard host.hasPrefix("[") || Self.isHostName(host) else { return nil }
    }

    /// RFC 1123 section 2.1, with underscores as they occur.
    static func isHostName(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            let bytes = label.utf8
            guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else { return false }
            return first.isAlphanumeric && last.isAlphanumeric
                && bytes.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }
}

/// Scheme, host and port (RFC 6454 section 4).
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    package let scheme: String
    /// Lower case; an IPv6 address keeps its brackets.
    package let host: String
    /// The explicit port, or the scheme's.
    package let port: Int

    package var isLoopback: Bool { host.isLoopbackHost }

    package var description: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}

extension WebOrigin {
    /// Nil for anything but an absolute http or https URL.
    package init?(of url: String) {
        guard let address = WebAddress(url) else { return nil }
        self = address.origin
    }
}
