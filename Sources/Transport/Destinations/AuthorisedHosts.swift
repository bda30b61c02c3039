import Values

/// Hosts that may receive requests, and those that receive a profile's headers.
///
/// A pattern is an exact host (any port), `host:port`, or `*.suffix` (any host below the suffix). libcurl's own parser reads
/// the URLs, so that the checked host is the connected one.
///
/// A target's answers open no more of this machine: on loopback only the ports of the profile's own addresses and of the
/// patterns are permitted.
package struct AuthorisedHosts: Sendable {
    private struct Pattern: Sendable {
        let host: String
        let port: UInt16?
        let matchesBelow: Bool
    }

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
        return Pattern(host: host, port: port, matchesBelow: matchesBelow)
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
