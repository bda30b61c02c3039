/// Where answers name the session that a target made without being asked for one by a registration.
package enum StatedSession {
    /// What a text says for parameters that are a session's by a vendor's own page: MediaTailor's `aws.sessionId`, in the
    /// addresses of an implicit session's playlists (docs.aws.amazon.com/mediatailor/latest/ug,
    /// manifest-query-parameters-session-initialization.html).
    ///
    /// - Returns: Each once, in order; a playlist names one.
    package static func ids(in text: UnsafeRawBufferPointer) -> [String] {
        let parameter = WireName.MediaTailor.sessionIDParameter + "="
        // Most playlists name none: only what does is copied.
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

    /// The value of a cookie that is a session's by its name, of a `Set-Cookie` field (RFC 6265 section 4.1.1).
    ///
    /// That one with `session` in its name is one viewer's is podswarm's assumption: cookies of load balancers are many
    /// viewers', and are called otherwise.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - names: Of the cookies that are a session's, whatever the case; nil: those with `session` in their names.
    /// - Returns: Nil where it is another cookie.
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
