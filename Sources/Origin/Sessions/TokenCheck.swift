import AdServing
import HLS
import Values

/// Verifies auth tokens, independently of the code that signs them for clients.
///
/// A token is `name=value` pairs sorted by name and joined with `~`, then `~hmac=` and the HMAC-SHA256 of the text before it in
/// lower-case hexadecimal, keyed with the key's characters.
struct TokenCheck: Sendable {
    private let key: [UInt8]

    init(key: String) {
        self.key = Array(key.utf8)
    }

    /// Whether a token has a valid signature, is not expired, and has exactly these values in the required fields.
    func accepts(_ token: String?, required: [String: String], at now: WallTime) -> Bool {
        guard let token, let mark = token.ranges(of: "~\(WireName.Token.hmac)=").last else { return false }
        let text = token[..<mark.lowerBound]
        guard let signature = Self.bytes(hexadecimal: token[mark.upperBound...]),
            Digest.areEqual(signature, Digest.hmacSHA256(of: Array(text.utf8), key: key))
        else { return false }
        var fields: [Substring: Substring] = [:]
        for pair in text.split(separator: "~") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        // The documents count `exp` in seconds; a token in milliseconds is accepted for ages, as it would be there.
        guard let expiry = fields[WireName.Token.expiry[...]].flatMap({ Int64($0) }), expiry >= now.epochSeconds else {
            return false
        }
        return required.allSatisfy { fields[$0.key[...]] == $0.value[...] }
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
