/// Names of what is a session's, a signature's or a moment's own in an address, and says nothing of what is played.
enum OwnParameters {
    /// In lower case.
    static let names: Set<String> = Set(
        google + cloudCDN + cloudFront + akamai + nginx + azure + hls + usual
    )

    /// What names of parameters begin with, in lower case.
    ///
    /// `aws.sessionId` is MediaTailor's ("Enabling session initialization"), `X-Amz-` and `X-Goog-` those of signed
    /// addresses of S3 and of Cloud Storage ("Signature Version 4", "Signed URLs"), CMCD is CTA-5004.
    static let prefixes = ["aws.", "x-amz-", "x-goog-", "cmcd"]

    /// Google's pod serving (`stream_id`, `auth-token`) and what its tags are asked with.
    private static let google = ["stream_id", "auth-token", "cust_params", "correlator", "ppid"]
    /// Media CDN and Cloud CDN, "Signed URLs", "Signed cookies".
    private static let cloudCDN = [
        "expires", "keyname", "signature", "edge-cache-token", "cloud-cdn-cookie", "urlprefix",
    ]
    /// "Use signed URLs".
    private static let cloudFront = ["policy", "key-pair-id", "hash-algorithm"]
    /// "Auth Token 2.0 Verification".
    private static let akamai = ["hdnea", "hdnts", "hdntl", "__token__", "__gda__"]
    /// `ngx_http_secure_link_module`; `st` and `e` are what its example has been copied with.
    private static let nginx = ["md5", "st", "e"]
    /// "Service shared access signature".
    private static let azure = ["sig", "se", "sp", "sv", "sr", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv"]
    /// Directives of a viewer's own (bis-22 appendix D.4).
    private static let hls = ["_hls_primary_id", "_hls_start_offset"]
    /// What servers like to call these things: podswarm's assumption; `pods.ignore` adds to it.
    private static let usual = [
        "session", "session_id", "sessionid", "sid", "jsessionid", "token", "auth_token", "access_token", "jwt", "hmac",
        "sign", "exp", "expiry", "nonce", "ts", "cb", "traceparent",
    ]

    /// Whether a parameter's name is one of these.
    static func contain(_ name: Substring) -> Bool {
        let folded = name.lowercased()
        return names.contains(folded) || prefixes.contains { folded.hasPrefix($0) }
    }
}
