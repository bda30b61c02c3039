/// The permission that an answer gives to pages of other origins.
package struct CrossOriginPermission: Sendable {
    /// `Origin` of the request.
    package let origin: String
    /// A page that sends cookies has set the credentials mode "include".
    package let sendsCookies: Bool
    /// Values of Access-Control-Allow-Origin, joined by commas; nil without one.
    package let allowedOrigin: String?
    /// Values of Access-Control-Allow-Credentials, joined by commas; nil without one.
    package let allowedCredentials: String?

    package init(origin: String, sendsCookies: Bool = false, allowedOrigin: String?, allowedCredentials: String?) {
        self.origin = origin
        self.sendsCookies = sendsCookies
        self.allowedOrigin = allowedOrigin
        self.allowedCredentials = allowedCredentials
    }

    /// Why a browser keeps the answer from the page (Fetch standard, "CORS check"); nil where the page gets it.
    package func refusal() -> Violation? {
        if allowedOrigin == "*", !sendsCookies { return nil }
        let isNamed = allowedOrigin == origin
        guard !isNamed || sendsCookies && allowedCredentials != "true" else { return nil }
        let named = "Access-Control-Allow-Origin: \(origin)"
        let both = "\(named) and Access-Control-Allow-Credentials: true, because cookies are sent"
        let expected = sendsCookies ? both : "\(named) or *"
        let observed =
            isNamed
            ? Self.line("Access-Control-Allow-Credentials", allowedCredentials)
            : Self.line("Access-Control-Allow-Origin", allowedOrigin)
        return Violation(.corsRefused, expected: expected, observed: observed, likely: likely(isNamed: isNamed))
    }

    private static func line(_ name: String, _ value: String?) -> String {
        value.map { "\(name): \($0)" } ?? "no \(name)"
    }

    private func likely(isNamed: Bool) -> String? {
        if isNamed { return "The server permits the origin, and does not say that cookies may be sent." }
        // A profile names no such origin; a redirect does (Fetch standard, "HTTP-redirect fetch").
        if origin == "null" {
            return "A redirect led from one foreign origin to another, after which browsers send Origin: null."
        }
        guard let allowedOrigin else { return nil }
        if allowedOrigin == "*" { return "The server permits every origin, which is void where cookies are sent." }
        if allowedOrigin.contains(",") { return "Both the origin and the CDN add the header: browsers take one value." }
        return "\(origin)/" == allowedOrigin ? "An origin has no slash at its end." : nil
    }
}
