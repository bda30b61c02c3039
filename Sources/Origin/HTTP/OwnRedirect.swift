/// A request's target as this origin's own redirects spell it: how many redirects are still to come, then the true
/// target.
struct OwnRedirect: Equatable {
    /// Stands before the target once for each redirect that led, or is still to lead, to it.
    static let once = "/origin/moved"
    /// Stands before the target of a redirect that never ends.
    static let forEver = "/origin/turning"

    /// The path and query that were asked for in the first place.
    let target: String
    /// Whether the request is the next hop of an own redirect.
    let isRedirected: Bool
    /// Where the request is redirected to; nil where it is answered.
    let onward: String?

    /// Reads a request's path and query.
    static func read(_ path: String) -> OwnRedirect {
        if path.hasPrefix(forEver) {
            return OwnRedirect(target: String(path.dropFirst(forEver.count)), isRedirected: true, onward: path)
        }
        guard path.hasPrefix(once) else { return OwnRedirect(target: path, isRedirected: false, onward: nil) }
        let rest = String(path.dropFirst(once.count))
        var target = rest
        while target.hasPrefix(once) { target.removeFirst(once.count) }
        return OwnRedirect(target: target, isRedirected: true, onward: target == rest ? nil : rest)
    }
}
