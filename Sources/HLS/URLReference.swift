/// RFC 3986 section 5, for http and https, without Foundation.
package enum URLReference {
    /// Bytes that a URL must not have are percent-encoded, as players do with sloppy playlists.
    package static func resolve(_ reference: String, against base: String) -> String? {
        let base = Components(Array(base.utf8)[...])
        guard let scheme = base.scheme, isWeb(scheme), let authority = base.authority, !authority.isEmpty else {
            return nil
        }
        var target = Components(Array(reference.utf8)[...])
        if target.scheme == nil {
            target.scheme = base.scheme
            if target.authority == nil {
                target.authority = authority
                guard let first = target.path.first else {
                    (target.path, target.query) = (base.path, target.query ?? base.query)
                    return target.text
                }
                // RFC 3986 section 5.2.3.
                if first != UInt8(ascii: "/") {
                    let folder = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] }
                    target.path = (folder ?? [UInt8(ascii: "/")]) + target.path
                }
            }
        }
        target.path = removingDotSegments(target.path)
        return target.text
    }

    package static func isAbsolute(_ reference: String) -> Bool { Components(Array(reference.utf8)[...]).scheme != nil }

    /// Replaces the port if `host` names one.
    static func replacingHost(of url: String, with host: String) -> String {
        var components = Components(Array(url.utf8)[...])
        guard let authority = components.authority, !authority.isEmpty else { return url }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let user = at.map { authority[...$0] } ?? []
        let place = at.map { authority[($0 + 1)...] } ?? authority
        var replacement = Array(host.utf8)
        let hasPort = replacement.split(separator: UInt8(ascii: "]")).last?.contains(UInt8(ascii: ":")) ?? false
        if !hasPort, let colon = place.lastIndex(of: UInt8(ascii: ":")), !place[colon...].contains(UInt8(ascii: "]")) {
            replacement += place[colon...]
        }
        components.authority = ArraySlice(user + replacement)
        return components.text
    }

    private static func isWeb(_ scheme: ArraySlice<UInt8>) -> Bool {
        let lowercase = scheme.map { $0 | 0x20 }
        return lowercase == Array("http".utf8) || lowercase == Array("https".utf8)
    }

    /// RFC 3986 section 5.2.4.
    private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        guard path.contains(dot) else { return path }
        let isRooted = path.first == slash
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: slash, omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual([dot]) {
                if isLast { kept.append([]) }
            } else if segment.elementsEqual([dot, dot]) {
                if kept.count > (isRooted ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append([]) }
            } else {
                kept.append(segment)
            }
        }
        return ArraySlice(kept.joined(separator: [slash]))
    }

    /// RFC 3986 section 3; an absent component is nil.
    private struct Components {
        var scheme: ArraySlice<UInt8>?
        var authority: ArraySlice<UInt8>?
        var path: ArraySlice<UInt8>
        var query: ArraySlice<UInt8>?
        var fragment: ArraySlice<UInt8>?

        init(_ text: ArraySlice<UInt8>) {
            var rest = text
            if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
                fragment = rest[(hash + 1)...]
                rest = rest[..<hash]
            }
            if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[(mark + 1)...]
                rest = rest[..<mark]
            }
            if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
                scheme = rest[..<colon]
                rest = rest[(colon + 1)...]
            }
            if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
                let start = rest.startIndex + 2
                let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = rest[start..<end]
                rest = rest[end...]
            }
            path = rest
        }

        private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
            guard let first = text.first, first.isLetter else { return false }
            return text.allSatisfy { byte in
                byte.isAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            }
        }

        /// RFC 3986 section 5.3.
        var text: String {
            var bytes: [UInt8] = []
            if let scheme {
                bytes += scheme
                bytes.append(UInt8(ascii: ":"))
            }
            if let authority {
                bytes += "//".utf8
                bytes += authority
            }
            bytes += path
            if let query {
                bytes.append(UInt8(ascii: "?"))
                bytes += query
            }
            if let fragment {
                bytes.append(UInt8(ascii: "#"))
                bytes += fragment
            }
            return PercentEncoding.encode(bytes) { $0 > 0x20 && $0 < 0x7F }
        }
    }
}

/// Unchanged parameters keep their spelling; a fragment stays last.
package struct URLQuery: Hashable, Sendable {
    private struct Parameter: Hashable {
        /// As the URL spells it, encoded.
        var text: Substring
        /// Decoded.
        var name: String
        var value: String { PercentEncoding.decode(text.drop { $0 != "=" }.dropFirst()) }
    }

    private var address: Substring
    private var parameters: [Parameter]
    private var fragment: Substring

    package init(of url: String) {
        let hash = url.firstIndex(of: "#") ?? url.endIndex
        fragment = url[hash...]
        let beforeFragment = url[..<hash]
        let mark = beforeFragment.firstIndex(of: "?") ?? hash
        address = beforeFragment[..<mark]
        parameters = beforeFragment[mark...].dropFirst()
            .split(separator: "&")
            .map { Parameter(text: $0, name: PercentEncoding.decode($0.prefix { $0 != "=" })) }
    }

    package var url: String {
        guard !parameters.isEmpty else { return "\(address)\(fragment)" }
        return "\(address)?\(parameters.map(\.text).joined(separator: "&"))\(fragment)"
    }

    /// Decoded; empty for a parameter without a value.
    package func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Decoded, in order; the value of a parameter without one is empty.
    package var values: [(name: String, value: String)] { parameters.map { ($0.name, $0.value) } }

    package mutating func set(_ name: String, to value: String) {
        let parameter = Parameter(
            text: Substring("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"),
            name: name
        )
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index] = parameter
        } else {
            parameters.append(parameter)
        }
    }

    package mutating func remove(_ name: String) { parameters.removeAll { $0.name == name } }

    /// Requests with delivery directives require it (bis-22 section 6.2.5).
    package mutating func sort() { parameters.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) } }
}
