/// The hosts that load may go to, and those of them that a profile's headers are for.
///
/// A pattern is an exact host (any port), `host:port`, or `*.suffix` (any host below the suffix, not the suffix itself).
/// URLs are taken apart by libcurl's own parser, so that what is checked is what would be connected to.
///
/// What a target answers never opens more of this machine: of loopback only those ports may be asked that the target's
/// own addresses have, and what a pattern names.
package struct AuthorisedHosts: Sendable {
    private struct Pattern: Sendable {
        let host: String
        let port: UInt16?
        let matchesBelow: Bool
    }

    private let patterns: [Pattern]
    /// Where the profile's own addresses lead; nil opens all of loopback, and headers go everywhere.
    private let own: [RequestTarget]?
    private let headerPatterns: [Pattern]

    /// All of loopback and what the patterns name, for who asks nobody but a caller's own addresses.
    ///
    /// Patterns are kept in lower case; an empty one authorises nothing.
    package init(_ patterns: [String] = []) {
        self.patterns = patterns.compactMap(Self.pattern)
        own = nil
        headerPatterns = []
    }

    /// What a run may ask.
    ///
    /// - Parameters:
    ///   - patterns: What may be asked besides.
    ///   - addresses: URLs that the profile itself names: on loopback their ports may be asked, on each of its hosts.
    ///   - headerPatterns: Who is sent the profile's headers besides `addresses`.
    package init(_ patterns: [String], of addresses: [String], headersAlsoTo headerPatterns: [String]) {
        self.patterns = patterns.compactMap(Self.pattern)
        own = addresses.compactMap { RequestTarget(url: $0) }
        self.headerPatterns = headerPatterns.compactMap(Self.pattern)
    }

    /// The patterns that open every port of this machine, by each of its usual names, where a URL leads to it; else none.
    package static func machine(of url: String) -> [String] {
        RequestTarget(url: url)?.isLoopback == true ? ["localhost", "127.0.0.1", "::1"] : []
    }

    /// Whether a request may be sent to this URL; false for what is no http or https URL.
    package func permits(url: String) -> Bool {
        guard let target = RequestTarget(url: url) else { return false }
        return permits(target)
    }

    /// Whether a request may be sent there.
    package func permits(_ target: RequestTarget) -> Bool {
        isOpenLoopback(target) || patterns.contains { Self.matches($0, target) }
    }

    /// Whether the profile's headers, and what a request of it carries, are meant for this place.
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
