import AdServing
import HLS

/// Writes what a registration is answered with: the field set of Ad Manager's pod serving.
struct RegistrationResponse: Sendable {
    private let sessionPaths: SessionPaths
    private let podPaths: PodPaths
    private let validitySeconds: Int64
    private let pollingSeconds: Int64

    init(_ configuration: OriginConfiguration) {
        sessionPaths = SessionPaths(configuration)
        podPaths = PodPaths(configuration)
        validitySeconds = configuration.sessionValidity.components.seconds
        pollingSeconds = configuration.pollingFrequency.components.seconds
    }

    /// The body for a session, whose URLs begin with `base`, for instance `https://127.0.0.1:8443`.
    func body(streamID: StreamID, showsStreamID: Bool, validUntil: WallTime, base: String) -> [UInt8] {
        typealias Key = WireName.Session
        var members = [
            (Key.manifestFormat, "\"hls\""),
            (Key.mediaVerificationURL, "\"\(base)\(sessionPaths.verification(streamID: streamID))\""),
            (Key.metadataURL, "\"\(base)\(sessionPaths.metadata(streamID: streamID))\""),
            (Key.sessionUpdateURL, "\"\(base)\(sessionPaths.update(streamID: streamID))\""),
            (Key.podManifestURL, "\"\(base)\(podPaths.manifests)\""),
            (Key.pollingFrequency, String(pollingSeconds)),
            (Key.validFor, "\"\(Self.hours(validitySeconds))\""),
            (Key.validUntil, "\"\(validUntil.iso8601)\""),
        ]
        if showsStreamID { members.insert((Key.streamID, "\"\(streamID.rawValue)\""), at: 0) }
        let text = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return Array("{\(text)}\n".utf8)
    }

    /// A length of time as Go prints it, `8h0m0s`, which is the form the ad server uses.
    static func hours(_ seconds: Int64) -> String {
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        if hours > 0 { return "\(hours)h\(minutes)m\(seconds % 60)s" }
        return minutes > 0 ? "\(minutes)m\(seconds % 60)s" : "\(seconds)s"
    }
}
