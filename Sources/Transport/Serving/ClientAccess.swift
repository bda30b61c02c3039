package import HTTPTypes
import Values

/// Without a token, requests must name this machine by an address or as `localhost`.
package struct ClientAccess: Sendable {
    package enum Refusal: Sendable {
        /// The host may belong to a web page elsewhere.
        case misdirected
        /// Browsers name the page that sends a request (Fetch, `Origin`).
        case fromWebPage
        case unauthorised
    }

    /// Nil permits every request to an address of this machine.
    package let token: String?

    package init(token: String?) { self.token = token }

    /// Nil if access is granted.
    package func refusal(of head: HTTPRequest) -> Refusal? {
        guard let token else {
            guard ListeningAddress.isOwn(head.authority) else { return .misdirected }
            return head.headerFields[.origin] == nil ? nil : .fromWebPage
        }
        let given = Array((head.headerFields[.authorization] ?? "").utf8)
        return Digest.areEqual(given, Array("Bearer \(token)".utf8)) ? nil : .unauthorised
    }
}
