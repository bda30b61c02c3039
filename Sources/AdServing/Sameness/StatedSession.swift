import Values

/// Session ids in answers of targets that make sessions without a registration.
package enum StatedSession {
    /// Ids that a text gives for parameters that a vendor's own page assigns to sessions: MediaTailor's `aws.sessionId`, in the
    /// addresses of an implicit session's playlists (docs.aws.amazon.com/mediatailor/latest/ug,
    /// manifest-query-parameters-session-initialization.html).
    ///
    /// Each once, in order; a playlist has one.
    package static func ids(in text: UnsafeRawBufferPointer) -> [String] {
        let parameter = WireName.MediaTailor.sessionIDParameter + "="
        // Most playlists contain none: only the rest from the first match is copied.
        guard let first = place(of: Array(parameter.utf8), in: text) else { return [] }
        var ids: [String] = []
        var rest = Substring(String(decoding: text[first...], as: UTF8.self))
        while ids.count < mostIDs, let found = rest.firstRange(of: parameter) {
            rest = rest[found.upperBound...]
            let value = rest.prefix { $0.isASCII && !$0.utf8.contains(where: SessionWords.marks) }
            rest = rest[value.endIndex...]
            let id = PercentEncoding.decode(String(value))
            if !id.isEmpty, !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// Value of a session's cookie from a `Set-Cookie` field (RFC 6265 section 4.1.1); nil for another cookie.
    ///
    /// `names` ignore case; without them, a cookie with `session` in its name counts. That such a cookie is one viewer's is
    /// podswarm's assumption: load balancers share cookies among viewers under other names.
    package static func id(inCookie field: UnsafeRawBufferPointer, named names: [String]? = nil) -> String? {
        let pair = field.prefix { $0 != UInt8(ascii: ";") }
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: pair[..<sign], as: UTF8.self).lowercased()
        let isSession = names.map { $0.contains { $0.lowercased() == name } } ?? name.contains("session")
        let value = String(decoding: pair[pair.index(after: sign)...], as: UTF8.self)
        return isSession && !value.isEmpty ? PercentEncoding.decode(value) : nil
    }

    private static func place(of bytes: [UInt8], in text: UnsafeRawBufferPointer) -> Int? {
        guard text.count >= bytes.count else { return nil }
        return (0...text.count - bytes.count).first { start in
            text[start] == bytes[0] && text[start..<start + bytes.count].elementsEqual(bytes)
        }
    }

    private static let mostIDs = 4
}
