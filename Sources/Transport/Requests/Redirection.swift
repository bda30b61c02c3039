import Rules

/// Players' handling of redirects (RFC 9110 section 15.4).
enum Redirection {
    case followed
    case refused(TransportFailure)
    /// There is no place to go: the redirect itself is the answer.
    case none

    /// Without 300 (a choice for a person) and 304 (not a redirect).
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Whether the next hop is a GET without a body: browsers and players change the method for all but 307 and 308.
    static func becomesGet(_ status: Int) -> Bool { status != 307 && status != 308 }
}
