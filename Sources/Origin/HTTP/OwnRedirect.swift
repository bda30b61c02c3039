/// Target of a request in the form of this origin's own redirects: the remaining redirects, then the true target.
struct OwnRedirect: Equatable {
    /// Prefix of the target, once for each redirect that led, or will lead, to it.
    static let once = "/origin/moved"
    /// Prefix of the target of an endless redirect.
    static let forEver = "/origin/turning"

    let target: String
    /// Whether an own redirect led to the request.
    let isRedirected: Bool
    /// Target of the next redirect; nil for a final request.
    let onward: String?

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
