package import HLS
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

    /// A session about which nothing is known, not even its stream id.
    package init() {}

    /// Reads the JSON answer; keys it does not know are passed over, values of the wrong type count as missing.
    package init(json: UnsafeRawBufferPointer) throws(AdServingError) {
        let members = try JSONValue.object(in: json)
        func text(_ key: String) -> String? {
            guard let text = members[key]?.text, !text.isEmpty else {
                return nil
            }
            return text
        }
        streamID = text(WireName.Session.streamID).map { StreamID($0) }
        manifestFormat = text(WireName.Session.manifestFormat)
        mediaVerificationURL = text(WireName.Session.mediaVerificationURL)
        metadataURL = text(WireName.Session.metadataURL)
        sessionUpdateURL = text(WireName.Session.sessionUpdateURL)
        podManifestURL = text(WireName.Session.podManifestURL)
        pollingFrequency = members[WireName.Session.pollingFrequency]?.seconds
        validUntil = text(WireName.Session.validUntil).flatMap { WallTime(iso8601: $0) }
        validFor = text(WireName.Session.validFor).flatMap { Duration(text: $0) }
    }

    /// The earlier of the two ends the answer states, for a session registered at `registration`.
    package func expiry(registeredAt registration: WallTime) -> WallTime? {
        let ends = [validUntil, validFor.map { registration + $0 }]
        return ends.compactMap { $0 }.min()
    }
}
