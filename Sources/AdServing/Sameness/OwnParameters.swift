import Values

/// Parameters of a session, a signature or a moment; short names are ambiguous: `ad.mp4?sid=7` names an ad.
enum OwnParameters {
    /// Any one of them is enough.
    private struct Condition {
        /// In the same query, in lower case.
        var beside: Set<String> = []
        /// A value of so many digits is a time or a random number, not the number of an ad.
        var isLongNumber = false
        var isID = false
    }

    // MARK: Names that say enough by themselves, in lower case

    private static let names: Set<String> = Set(
        google + cloudCDN + cloudFront + akamai + bunny + fastly + azure + hls + usual
    )

    /// MediaTailor ("Enabling session initialization"), S3 and Cloud Storage ("Signature Version 4", "Signed URLs"), CTA-5004.
    private static let prefixes = ["aws.", "x-amz-", "x-goog-", "cmcd"]

    private static let google = ["stream_id", "auth-token", "cust_params", "correlator", "ppid"]
    /// Media CDN and Cloud CDN, "Signed URLs", "Signed cookies".
    private static let cloudCDN = [
        "expires", "keyname", "signature", "edge-cache-token", "cloud-cdn-cookie", "urlprefix",
    ]
    /// CloudFront, "Use signed URLs".
    private static let cloudFront = ["key-pair-id"]
    /// Akamai, "Auth Token 2.0 Verification".
    private static let akamai = ["hdnea", "hdnts", "hdntl", "__token__", "__gda__"]
    /// bunny.net, "Token authentication"; the first is written into paths.
    private static let bunny = ["bcdn_token", "token_path"]
    /// Fastly, "Enabling URL token validation".
    private static let fastly = ["token"]
    /// Azure, "Create a service SAS".
    private static let azure = ["sig"]
    /// bis-22 appendix D.4.
    private static let hls = ["_hls_primary_id", "_hls_start_offset"]
    /// Podswarm's assumption, which `pods.ignore` extends.
    private static let usual = [
        "session", "session_id", "sessionid", "jsessionid", "auth_token", "access_token", "jwt", "hmac", "expiry",
        "nonce", "traceparent",
    ]

    // MARK: Names that do not

    private static let signatures: Set = ["sig", "signature", "sign", "hmac", "token", "hdnea", "hdnts"]
    private static let rows: [(names: [String], condition: Condition)] = [
        // "Use signed URLs": a custom policy replaces the expiry.
        (["policy", "hash-algorithm"], Condition(beside: ["key-pair-id", "signature"])),
        // "Create a service SAS", "Create an account SAS", "Create a user delegation SAS".
        (
            [
                "sv", "sr", "se", "sp", "sip", "spr", "si", "ss", "srt", "sdd", "skoid", "sktid", "skt", "ske", "sks",
                "skv", "saoid", "suoid", "scid",
            ], Condition(beside: ["sig"])
        ),
        // `ngx_http_secure_link_module`: its example is `secure_link $arg_md5,$arg_expires`. Copies of that example, and common
        // names: podswarm's assumption, which `pods.ignore` extends.
        (["md5"], Condition(beside: ["expires", "e"])), (["e"], Condition(beside: ["st", "md5"])),
        (["st"], Condition(beside: ["sig", "e"])), (["exp", "ts"], Condition(beside: signatures, isLongNumber: true)),
        (["cb"], Condition(isLongNumber: true)), (["sid", "sign"], Condition(isID: true)),
    ]
    private static let conditions = rows.reduce(into: [String: Condition]()) { conditions, row in
        for name in row.names { conditions[name] = row.condition }
    }

    fileprivate static let longNumberDigits = 8

    static func contain(_ name: Substring) -> Bool { contain(folded: name.lowercased()) }

    /// `more` are further names in lower case; false for a short name that may be an ad's.
    static func contain(_ pair: Substring, of query: Substring, or more: Set<String> = []) -> Bool {
        let name = name(of: pair).lowercased()
        if contain(folded: name) || !more.isEmpty && more.contains(name) { return true }
        guard let condition = conditions[name] else { return false }
        let value = pair.dropFirst(name.count + 1)
        if condition.isLongNumber, value.isLongNumber { return true }
        if condition.isID, value.hasShapeOfID { return true }
        guard !condition.beside.isEmpty else { return false }
        return query.pieces(between: "&").contains { condition.beside.contains(Self.name(of: $0).lowercased()) }
    }

    private static func contain(folded name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }

    static func name(of pair: Substring) -> Substring { Substring(pair.utf8.prefix { $0 != UInt8(ascii: "=") }) }
}

extension StringProtocol {
    /// Random ids are long, with digits and letters.
    var hasShapeOfID: Bool {
        utf8.count >= 16 && utf8.contains(where: \.isDigit) && utf8.contains(where: \.isLetter) && !contains(".")
    }

    fileprivate var isLongNumber: Bool { utf8.count >= OwnParameters.longNumberDigits && utf8.allSatisfy(\.isDigit) }
}
