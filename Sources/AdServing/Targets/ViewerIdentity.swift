import Values

package struct SessionRequest: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable, CaseIterable { case get, post }

    package var method: Method
    package var url: String
    package var body: String?
    package var contentType: String?

    package init(_ method: Method, url: String, body: String? = nil, contentType: String? = nil) {
        (self.method, self.url, self.body, self.contentType) = (method, url, body, contentType)
    }
}

/// Data about one viewer that a target may receive.
package struct ViewerIdentity: Hashable, Sendable {
    package var number: Int
    /// The primary playback session, a UUID (bis-22 appendix D.4).
    package var primaryID: String
    package var traits: [String: String]
    package var streamID: StreamID?

    package init(number: Int, primaryID: String, traits: [String: String] = [:]) {
        (self.number, self.primaryID, self.traits) = (number, primaryID, traits)
    }

    /// Equal for a number in every run with one seed.
    package init(number: Int, seed: UInt64, traits: [String: String] = [:]) {
        self.init(number: number, primaryID: Self.primaryID(number: number, seed: seed), traits: traits)
    }

    /// Replaces placeholders and names of traits; `more` are values that belong to a request.
    ///
    /// A placeholder without a value becomes empty; other text in braces stays.
    package func filled(
        _ text: String,
        _ more: [String: String?] = [:],
        encode: (String) -> String = { $0 }
    ) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return Placeholders.filled(text) { name, _ in
            let value: String? =
                switch name {
                case "viewer": String(number)
                case "primary_id": primaryID
                case Placeholders.streamID: more[name] ?? streamID?.rawValue
                default: more[name] ?? traits[name]
                }
            return value.map(encode) ?? (Placeholders.ofPod.contains(name) ? "" : nil)
        }
    }

    /// Percent-encodes the values.
    package func filled(url text: String, _ more: [String: String?] = [:]) -> String {
        filled(text, more, encode: PercentEncoding.encode)
    }

    /// Form of a random UUID (RFC 9562 section 5.4), in lower case like that of browsers.
    package static func primaryID(number: Int, seed: UInt64) -> String {
        var hash = RunHash()
        withUnsafeBytes(of: (seed, UInt64(truncatingIfNeeded: number))) { hash.add($0) }
        let high = hash.value
        withUnsafeBytes(of: high) { hash.add($0) }
        let low = hash.value
        return String(uuid: high, low)
    }
}

/// Form of the origin's signed addresses; it serves them whatever the signature is.
package enum AddressSigning: String, Codable, Sendable, CaseIterable {
    /// `hdnea=exp=…~acl=…~hmac=…` (Akamai, "Auth Token 2.0 Verification").
    case akamai
    /// `Expires`, `Signature` and `Key-Pair-Id` (CloudFront, "Use signed URLs").
    case cloudFront = "cloudfront"
}

/// Form of the media ids in a session's metadata.
package enum MediaIDForm: String, Codable, Sendable, CaseIterable {
    /// Pods contain no ids.
    case whole
    /// Whole ids are in the pods' segments; only those can be verified.
    case prefixes
}
