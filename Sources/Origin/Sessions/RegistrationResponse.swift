import HLS

/// Writes what a registration is answered with: the field set of Ad Manager's pod serving.
struct RegistrationResponse: Sendable {
    private let networkCode: String
    private let customAssetKey: String
    private let eventKey: String
    private let validitySeconds: Int64
    private let pollingSeconds: Int64

    init(_ configuration: OriginConfiguration) {
        networkCode = configuration.networkCode
        customAssetKey = configuration.customAssetKey
        eventKey = Self.eventKey(configuration)
        validitySeconds = configuration.sessionValidity.components.seconds
        pollingSeconds = configuration.pollingFrequency.components.seconds
    }

    /// The ad server's own key of the event, which is not the custom asset key (as with Ad Manager).
    static func eventKey(_ configuration: OriginConfiguration) -> String {
        var hash = SeededHash(seed: configuration.seed)
        hash.combine(configuration.networkCode)
        hash.combine(configuration.customAssetKey)
        return String(hash.value, radix: 36)
    }

    /// The body for a session, whose URLs begin with `base`, for instance `https://127.0.0.1:8443`.
    func body(streamID: String, showsStreamID: Bool, validUntil: WallTime, base: String) -> [UInt8] {
        let encoded = FormFields.encode(streamID)
        let verification =
            "\(base)/view/p/service/linear/stream/\(encoded)/loc/TUL/network/\(networkCode)/event/\(eventKey)/media/"
        let metadata = "\(base)/linear/pods/hls/pa/event/\(eventKey)/stream/\(encoded)/metadata"
        let update = "\(base)/linear/pods/v1/pa/event/\(eventKey)/stream/\(encoded)/session"
        let pods = "\(base)/linear/pods/v1/hls/network/\(networkCode)/custom_asset/\(customAssetKey)/"
        var text = "{"
        if showsStreamID { text += "\"stream_id\":\"\(streamID)\"," }
        text += "\"manifest_format\":\"hls\",\"media_verification_url\":\"\(verification)\","
        text +=
            "\"metadata_url\":\"\(metadata)\",\"session_update_url\":\"\(update)\",\"pod_manifest_url\":\"\(pods)\","
        text += "\"polling_frequency\":\(pollingSeconds),\"valid_for\":\"\(Self.hours(validitySeconds))\","
        text += "\"valid_until\":\"\(validUntil.iso8601)\"}\n"
        return Array(text.utf8)
    }

    /// A length of time as Go prints it, `8h0m0s`, which is the form the ad server uses.
    static func hours(_ seconds: Int64) -> String {
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        if hours > 0 { return "\(hours)h\(minutes)m\(seconds % 60)s" }
        return minutes > 0 ? "\(minutes)m\(seconds % 60)s" : "\(seconds)s"
    }
}
