import AdServing
import Values

/// Malformed escapes are kept, as in browsers and servers.
struct FormFields: Sendable {
    private(set) var pairs: [(name: String, value: String)] = []

    init(_ text: some StringProtocol) {
        for pair in Substring(text).pieces(between: "&") where !pair.isEmpty {
            let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            pairs.append((Self.decode(pair[..<equals]), Self.decode(Substring(pair.utf8[equals...].dropFirst()))))
        }
    }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Order of UTF-8 bytes, which bis-22 section 6.2.5 requires of delivery directives.
    var isInOrder: Bool {
        zip(pairs, pairs.dropFirst()).allSatisfy { !$1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    }

    /// `+` is a space (WHATWG URL 5.1).
    static func decode(_ text: Substring) -> String {
        let isSpaced = text.utf8.contains(UInt8(ascii: "+"))
        return PercentEncoding.decode(isSpaced ? text.replacing("+", with: "%20") : text)
    }
}

/// Target of a request after this origin's own redirects.
struct OwnRedirect: Equatable {
    /// Prefix of the target, once for each redirect.
    static let once = "/origin/moved"
    static let forEver = "/origin/turning"

    let target: String
    /// An own redirect led to the request.
    let isRedirected: Bool
    /// Next target; nil for a final request.
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
