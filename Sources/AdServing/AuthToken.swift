import Values

/// HMAC tokens of pod serving (Ad Manager, "Authenticate requests with HMAC tokens").
package enum AuthToken {
    /// Joins the fields as `name=value`, sorted by name, with `~`, and appends `~hmac=` and the signature; not percent-encoded.
    package static func sign(fields: [String: String], key: String) -> String {
        let text = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "~")
        return "\(text)~\(WireName.Token.hmac)=\(signature(of: text, key: key))"
    }

    /// Claimed fields without the signature, which is not checked; nil for a token without a signature or with a repeated
    /// field.
    package static func fields(of token: String) -> [String: String]? {
        guard let range = token.ranges(of: "~\(WireName.Token.hmac)=").last else {
            return nil
        }
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
