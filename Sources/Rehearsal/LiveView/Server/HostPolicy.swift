/// The host names to which a page of a run answers.
///
/// A web page elsewhere can let its own name resolve to 127.0.0.1 and so read what is served there (DNS rebinding); the browser
/// then still sends that name as the host. An address cannot be resolved to anything else, and is allowed.
package struct HostPolicy: Sendable {
    private let names: Set<String>

    package init(_ address: LiveAddress) {
        names = ["localhost", address.host.lowercased()]
    }

    package func allows(_ authority: String?) -> Bool {
        guard let authority, let host = Self.host(of: authority) else { return false }
        return names.contains(host) || IPLiteral.isVersion4(host) || IPLiteral.isVersion6(host)
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
