package import HLS
import JSON
import Time

/// The answer to a registration.
package struct StreamSession: Hashable, Sendable {
    /// Nil: the viewer must skip every break of its session.
    package var streamID: StreamID?
    package var manifestFormat: String?
    /// The media id is appended to it.
    package var mediaVerificationURL: String?
    package var metadataURL: String?
    package var pollingFrequency: Duration?
    package var validUntil: WallTime?
    package var validFor: Duration?
    package var sessionUpdateURL: String?
    package var podManifestURL: String?
    /// The session's own multivariant playlist, where the target gives it one.
    package var contentURL: String?
    /// Why nothing is known of the session, where the answer could not be read.
    package var unreadable: AdServingError?

    /// The longest stream id and the longest address that a session is taken with, in bytes.
    ///
    /// podswarm's assumption. A longer one makes no request line that nginx takes as it is shipped
    /// (nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers: 8 KB).
    package static let longestText = 8_192

    /// A session about which nothing is known, not even its stream id.
    package init() {}

    /// The session of an answer that cannot be read.
    package init(unreadable error: AdServingError) {
        unreadable = error
    }

    /// Reads the JSON answer; keys it does not know are passed over, values of the wrong type count as missing.
    package init(json: UnsafeRawBufferPointer) throws(AdServingError) {
        let members = try JSONValue.object(in: json)
        func text(_ key: String) throws(AdServingError) -> String? {
            guard let text = members[key]?.text, !text.isEmpty else {
                return nil
            }
            try Self.checkText(text)
            return text
        }
        streamID = try text(WireName.Session.streamID).map { StreamID($0) }
        manifestFormat = try text(WireName.Session.manifestFormat)
        mediaVerificationURL = try text(WireName.Session.mediaVerificationURL)
        metadataURL = try text(WireName.Session.metadataURL)
        sessionUpdateURL = try text(WireName.Session.sessionUpdateURL)
        podManifestURL = try text(WireName.Session.podManifestURL)
        pollingFrequency = members[WireName.Session.pollingFrequency]?.seconds
        validUntil = try text(WireName.Session.validUntil).flatMap { WallTime(iso8601: $0) }
        validFor = try text(WireName.Session.validFor).flatMap { Duration(text: $0) }
    }

    /// A text of megabytes would be as much in each request of the session, and in what is kept of each viewer.
    static func checkText(_ text: String?) throws(AdServingError) {
        guard text?.utf8.count ?? 0 <= longestText else { throw .textTooLong }
    }

    /// The earlier of the two ends the answer states, for a session registered at `registration`.
    package func expiry(registeredAt registration: WallTime) -> WallTime? {
        let ends = [validUntil, validFor.map { registration + $0 }]
        return ends.compactMap { $0 }.min()
    }
}
