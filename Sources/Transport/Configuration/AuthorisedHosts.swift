/// The hosts that load may go to; loopback is always allowed.
///
/// A pattern is an exact host (any port), `host:port`, or `*.suffix` (any host below the suffix, not the suffix itself).
/// URLs are taken apart by libcurl's own parser, so that what is checked is what would be connected to.
package struct AuthorisedHosts: Sendable {
    private struct Pattern: Sendable {
        let host: String
        let port: UInt16?
        let matchesBelow: Bool
    }

    private let patterns: [Pattern]

    /// Keeps the patterns in lower case; an empty one authorises nothing.
    package init(_ patterns: [String] = []) {
        self.patterns = patterns.compactMap(Self.pattern)
    }

    /// Whether a request may be sent to this URL; false for what is no http or https URL.
    package func permits(url: String) -> Bool {
        guard let target = RequestTarget(url: url) else { return false }
        return permits(target)
    }

    func permits(_ target: RequestTarget) -> Bool {
        target.isLoopback || patterns.contains { Self.matches($0, target) }
    }

    private static func matches(_ pattern: Pattern, _ target: RequestTarget) -> Bool {
        if let port = pattern.port, port != target.port { return false }
        guard pattern.matchesBelow else { return target.host == pattern.host }
        return target.host.hasSuffix("." + pattern.host) && target.host.utf8.count > pattern.host.utf8.count + 1
    }

    private static func pattern(_ text: String) -> Pattern? {
        var host = text.lowercased()[...]
        let matchesBelow = host.hasPrefix("*.")
        if matchesBelow { host = host.dropFirst(2) }
        var port: UInt16?
        if host.hasPrefix("["), let bracket = host.firstIndex(of: "]") {
            let rest = host[host.index(after: bracket)...]
            if rest.hasPrefix(":") {
                guard let number = UInt16(rest.dropFirst()) else { return nil }
                port = number
            } else if !rest.isEmpty {
                return nil
            }
            host = host[host.index(after: host.startIndex)..<bracket]
        } else if let colon = host.firstIndex(of: ":"), host[host.index(after: colon)...].firstIndex(of: ":") == nil {
            guard let number = UInt16(host[host.index(after: colon)...]) else { return nil }
            port = number
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty else { return nil }
        return Pattern(host: String(host), port: port, matchesBelow: matchesBelow)
    }
}
