import HLS

/// The permission that an answer gives to pages of other origins.
package struct CrossOriginPermission: Sendable {
    /// `Origin` of the request.
    package let origin: String
    /// A page that sends cookies has set the credentials mode "include".
    package var sendsCookies: Bool
    /// Values of Access-Control-Allow-Origin, joined by commas; nil without one.
    package let allowedOrigin: String?
    /// Values of Access-Control-Allow-Credentials, joined by commas; nil without one.
    package let allowedCredentials: String?

    package init(origin: String, sendsCookies: Bool = false, allowedOrigin: String?, allowedCredentials: String?) {
        (self.origin, self.sendsCookies) = (origin, sendsCookies)
        (self.allowedOrigin, self.allowedCredentials) = (allowedOrigin, allowedCredentials)
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

    fileprivate static func line(_ name: String, _ value: String?) -> String {
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

/// Request that a page's browser sends only after an OPTIONS request has permitted it (Fetch standard, "CORS-preflight fetch").
///
/// GET and POST, the methods of viewers, need no permission; headers do unless they are safelisted ("CORS-unsafe request-header
/// names"), of whose bytes nothing is checked.
package struct CrossOriginPreflight: Sendable {
    private let method: String
    /// In lower case, in order.
    package let unsafeNames: [String]
    private let kept: [(name: String, value: String)]

    /// Nil for a request that may be sent at once.
    ///
    /// `own` are headers that podswarm adds for itself.
    package init?(method: String, headers: [(name: String, value: String)], own: Set<String>) {
        let named = headers.map { (name: $0.name.lowercased(), field: $0) }
        let names = Set(named.filter { !Self.isFree($0.name, $0.field.value) && !own.contains($0.name) }.map(\.name))
        guard !names.isEmpty else { return nil }
        (self.method, unsafeNames) = (method, names.sorted())
        kept = named.filter { Self.kept.contains($0.name) || own.contains($0.name) }.map(\.field)
    }

    /// Headers of the OPTIONS request, which carries no credentials.
    package var fields: [(name: String, value: String)] {
        kept + [("Access-Control-Request-Method", method), (Self.requestedNames, unsafeNames.joined(separator: ","))]
    }

    package static let requestedNames = "Access-Control-Request-Headers"
    private static let kept: Set = ["origin", "user-agent", "referer"]

    private static let ofBrowser = ListedNames.words("browser headers")

    private static func isFree(_ name: String, _ value: String) -> Bool {
        if ofBrowser.contains(name) || name.hasPrefix("sec-") || name.hasPrefix("proxy-") { return true }
        guard value.utf8.count <= 128 else { return false }
        switch name {
        case "accept", "accept-language", "content-language": return true
        case "content-type":
            let essence = value.prefix { $0 != ";" }.lowercased()
            return ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(essence)
        case "range": return value.hasPrefix("bytes=") && !value.contains(",")
        default: return false
        }
    }

    /// Why a browser does not send the request, after `permission` of the answer to OPTIONS; nil where it sends it.
    ///
    /// `allowedNames`: values of Access-Control-Allow-Headers, joined by commas.
    package static func refusal(
        of unsafeNames: [String],
        status: Int,
        _ permission: CrossOriginPermission,
        allowedNames: String?
    ) -> Violation? {
        if let refusal = permission.refusal() { return refusal }
        guard (200..<300).contains(status) else {
            return Violation(.corsRefused, expected: "a status of 2xx to OPTIONS", observed: "status \(status)")
        }
        let allowed = Set((allowedNames ?? "").lowercased().split { ", \t".contains($0) }.map(String.init))
        let isWild = allowed.contains("*") && !permission.sendsCookies
        // An asterisk does not cover credentials of a page ("CORS non-wildcard request-header name").
        let missing = unsafeNames.filter { !allowed.contains($0) && (!isWild || $0 == "authorization") }
        guard !missing.isEmpty else { return nil }
        return Violation(
            .corsRefused,
            expected: "Access-Control-Allow-Headers: \(missing.joined(separator: ", ")), in the answer to OPTIONS",
            observed: CrossOriginPermission.line("Access-Control-Allow-Headers", allowedNames)
        )
    }

    /// Seconds for which a browser keeps a permission: 5 without Access-Control-Max-Age (Fetch standard), and 7,200 at most in
    /// Chromium from version 76 on (MDN, "Access-Control-Max-Age").
    package static func lifetime(maximumAge text: String?) -> Int { min(max(text.flatMap { Int($0) } ?? 5, 0), 7_200) }
}
