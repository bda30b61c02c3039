package import HLS

package struct StreamSession: Hashable, Sendable {
    /// Nil: the viewer must skip every break of its session.
    package var streamID: StreamID?
    /// Base to which the media id is appended.
    package var mediaVerificationURL: String?
    package var metadataURL: String?
    package var pollingFrequency: Duration?
    package var validUntil: WallTime?
    package var validFor: Duration?
    package var sessionUpdateURL: String?
    /// The session's own multivariant playlist, if the target provides one.
    package var contentURL: String?
    package var unreadable: AdServingError?

    /// Bytes, by podswarm's assumption: nginx by default accepts no longer request line
    /// (nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers: 8 KB).
    package static let longestText = 8_192

    package init() {}

    package init(unreadable error: AdServingError) { unreadable = error }

    /// Values of the wrong type count as missing.
    package init(json: UnsafeRawBufferPointer) throws(AdServingError) { try self.init(JSONValue.object(in: json)) }

    init(_ members: JSONObject) throws(AdServingError) {
        func text(_ key: String) throws(AdServingError) -> String? {
            guard let text = members[key]?.text, !text.isEmpty else { return nil }
            try Self.checkText(text)
            return text
        }
        streamID = try text(WireName.Session.streamID).map { StreamID($0) }
        mediaVerificationURL = try text(WireName.Session.mediaVerificationURL)
        metadataURL = try text(WireName.Session.metadataURL)
        sessionUpdateURL = try text(WireName.Session.sessionUpdateURL)
        pollingFrequency = members[WireName.Session.pollingFrequency]?.seconds
        validUntil = try text(WireName.Session.validUntil).flatMap { WallTime(iso8601: $0) }
        validFor = try text(WireName.Session.validFor).flatMap { Duration(text: $0) }
    }

    /// Each request and each viewer's state would repeat a text of megabytes.
    static func checkText(_ text: String?) throws(AdServingError) {
        guard text?.utf8.count ?? 0 <= longestText else { throw .textTooLong }
    }

    /// The earlier of the answer's two ends.
    package func expiry(registeredAt registration: WallTime) -> WallTime? {
        let ends = [validUntil, validFor.map { registration + $0 }]
        return ends.compactMap { $0 }.min()
    }
}

/// Opaque, never rewritten, and secret.
package struct StreamID: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A few characters and a short hash: enough to distinguish sessions, too little to use one.
    package var redacted: String {
        var hash = FNV1a()
        hash.add(rawValue.utf8)
        let folded = (hash.value ^ hash.value >> 32) & 0xFFFF_FFFF
        return rawValue.prefix(min(4, rawValue.count / 4)) + "…" + folded.hexadecimal(digits: 8)
    }

    /// The colon of a Google stream id becomes `%3A`.
    package var percentEncoded: String { PercentEncoding.encode(rawValue) }

    /// Redacted, so that interpolation cannot leak a session.
    package var description: String { redacted }

    package var debugDescription: String { redacted }
}
