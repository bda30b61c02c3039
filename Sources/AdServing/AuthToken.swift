package import HLS

/// HMAC tokens of pod serving (Ad Manager, "Authenticate requests with HMAC tokens").
package enum AuthToken {
    /// Joins the fields, sorted by name, with `~`, and appends `~hmac=` and the signature; not percent-encoded.
    package static func sign(fields: [String: String], key: String) -> String {
        let text = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "~")
        return "\(text)~\(WireName.Token.hmac)=\(signature(of: text, key: key))"
    }

    /// The signature is not checked; nil for a token without one or with a repeated field.
    package static func fields(of token: String) -> [String: String]? {
        guard let range = token.ranges(of: "~\(WireName.Token.hmac)=").last else { return nil }
        var fields: [String: String] = [:]
        for pair in token[..<range.lowerBound].split(separator: "~") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, fields.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                return nil
            }
        }
        return fields
    }

    /// HMAC-SHA256 in lower-case hexadecimal; the key's text is used as it is, not decoded from hexadecimal.
    package static func signature(of text: String, key: String) -> String {
        Digest.hexadecimal(Digest.hmacSHA256(of: Array(text.utf8), key: Array(key.utf8)))
    }
}

/// Mistake in a token, also in a CDN's of the same form (`exp=…~hmac=…`); the token itself is never shown.
///
/// Source: Ad Manager, "Authenticate requests with HMAC tokens".
package enum AuthTokenMistake: Hashable, Sendable {
    case expired(bySeconds: Int64)
    case expiryInMilliseconds(Int64)
    case anotherBreak(token: String, address: String)
}

package enum AuthTokenCheck {
    /// Seconds since 1970 reach this in the year 5138; milliseconds did in 1973.
    private static let leastMilliseconds: Int64 = 100_000_000_000

    private static let mark = Array(WireName.Token.hmac.utf8)

    /// Each mistake once, in the order of the URL's parameters; every request asks.
    package static func mistakes(in url: String, at now: WallTime) -> [AuthTokenMistake] {
        let hasMark = String.withBytes(of: url) { UnsafeRawBufferPointer($0).place(of: mark) != nil }
        guard hasMark else { return [] }
        var mistakes: [AuthTokenMistake] = []
        for fields in URLQuery(of: url).values.compactMap({ AuthToken.fields(of: $0.value) }) {
            for mistake in self.mistakes(of: fields, url: url, now: now) where !mistakes.contains(mistake) {
                mistakes.append(mistake)
            }
        }
        return mistakes
    }

    private static func mistakes(of fields: [String: String], url: String, now: WallTime) -> [AuthTokenMistake] {
        var mistakes: [AuthTokenMistake] = []
        if let expiry = fields[WireName.Token.expiry].flatMap({ Int64($0) }) {
            let seconds = now.microseconds / 1_000_000
            if expiry >= leastMilliseconds {
                mistakes.append(.expiryInMilliseconds(expiry))
            } else if expiry < seconds {
                mistakes.append(.expired(bySeconds: seconds &- expiry))
            }
        }
        guard let named = PodIdentifier(inURL: url) else { return mistakes }
        let claimed: PodIdentifier?
        switch named {
        case .sequence: claimed = fields[WireName.Token.podID].flatMap { Int($0) }.map { .sequence($0) }
        case .adBreakID: claimed = fields[WireName.Token.adBreakID].map { .adBreakID($0) }
        }
        if let claimed, claimed != named {
            mistakes.append(.anotherBreak(token: claimed.pathComponent, address: named.pathComponent))
        }
        return mistakes
    }
}
