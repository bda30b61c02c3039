import AdServing

/// A URL less what is a viewer's own, so that the requests of all viewers for one thing have one name.
enum SharedName {
    /// Parameters that tell viewers apart: sessions, tokens, and where in an interstitial a viewer begins.
    private static let ownParameters: Set<Substring> = [
        "stream_id", "auth-token", "_HLS_primary_id", "_HLS_start_offset", "session", "sessionId", "aws.sessionId",
        "sid", "token", "cust_params",
    ]

    static func hash(of url: String, own: StreamID?) -> UInt64 {
        let whole = url.prefix { $0 != "#" }
        var text: String
        if let question = whole.firstIndex(of: "?") {
            text = String(whole[..<question])
            for pair in whole[whole.index(after: question)...].split(separator: "&")
            where !ownParameters.contains(pair.prefix { $0 != "=" }) {
                text += "&" + pair
            }
        } else {
            text = String(whole)
        }
        return text.withUTF8 { MaskedBody.fingerprint(UnsafeRawBufferPointer($0), own: own ?? StreamID("")).hash }
    }

    /// The last two pieces of a playlist's path: what stands before them may be an edge's or a session's own.
    static func playlist(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").suffix(2).joined(separator: "/")
    }
}

extension UInt64 {
    /// The first eight hexadecimal digits: enough to tell two fingerprints apart in a report.
    var shortHex: String {
        let text = String(self, radix: 16)
        return String((String(repeating: "0", count: 16 - text.count) + text).prefix(8))
    }
}
