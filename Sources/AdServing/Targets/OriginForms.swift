/// Form of the origin's signed addresses; it serves them whatever the signature is.
package enum AddressSigning: String, Codable, Sendable, CaseIterable {
    /// `hdnea=exp=…~acl=…~hmac=…` (Akamai, "Auth Token 2.0 Verification").
    case akamai
    /// `Expires`, `Signature` and `Key-Pair-Id` (CloudFront, "Use signed URLs").
    case cloudFront = "cloudfront"
}

/// Form of the media ids in a session's metadata.
package enum MediaIDForm: String, Codable, Sendable, CaseIterable {
    /// Whole ids; pods contain none.
    case whole
    /// Prefixes of ids; whole ids are in the pods' segments, and only those can be verified.
    case prefixes
}
