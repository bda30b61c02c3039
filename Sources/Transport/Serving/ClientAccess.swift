import Glibc
package import HTTPTypes

/// Access check of a listener: clients present the token; without a token, requests name this machine by an address or as
/// `localhost`.
package struct ClientAccess: Sendable {
    package enum Refusal: Sendable {
        /// The request names a host that may belong to a web page elsewhere.
        case misdirected
        case unauthorised
    }

    /// Nil permits every request to an address of this machine.
    package let token: String?

    package init(token: String?) { self.token = token }

    package func refusal(of head: HTTPRequest) -> Refusal? {
        guard let token else {
            // A web page elsewhere can let its name resolve to 127.0.0.1; the browser still sends that name.
            return Self.isAddress(head.authority ?? "") ? nil : .misdirected
        }
        return Self.isSame(head.headerFields[.authorization] ?? "", "Bearer \(token)") ? nil : .unauthorised
    }

    /// Compares in a time that does not depend on where the texts differ.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        var difference: UInt8 = one.count == other.count ? 0 : 1
        for index in other.indices {
            difference |= other[index] ^ (one.isEmpty ? 0 : one[index % one.count])
        }
        return difference == 0
    }

    private static func isAddress(_ authority: String) -> Bool {
        if authority.hasPrefix("[") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        var address = in_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &address) == 1
    }
}
