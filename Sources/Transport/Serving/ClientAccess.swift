package import HTTPTypes
import Values

/// Without a token, requests must name this machine by an address or as `localhost`.
package struct ClientAccess: Sendable {
    package enum Refusal: Sendable {
        /// The host may belong to a web page elsewhere.
        case misdirected
        case unauthorised
    }

    /// Nil permits every request to an address of this machine.
    package let token: String?

    package init(token: String?) { self.token = token }

    /// Nil if access is granted.
    package func refusal(of head: HTTPRequest) -> Refusal? {
        guard let token else { return ListeningAddress.isOwn(head.authority) ? nil : .misdirected }
        let given = Array((head.headerFields[.authorization] ?? "").utf8)
        return Digest.areEqual(given, Array("Bearer \(token)".utf8)) ? nil : .unauthorised
    }
}
