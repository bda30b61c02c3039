import AdServing
import HLS

/// Writes the answer to a registration: the field set of Ad Manager's pod serving.
struct RegistrationResponse: Sendable {
    private let sessionPaths: SessionPaths
    private let podPaths: PodPaths
    private let validity: Duration
    private let polling: Duration

    init(_ configuration: OriginConfiguration) {
        sessionPaths = SessionPaths(configuration)
        podPaths = PodPaths(configuration)
        validity = configuration.sessionValidity
        polling = configuration.pollingFrequency
    }

    func body(streamID: StreamID, showsStreamID: Bool, validUntil: WallTime, base: String) -> [UInt8] {
        typealias Key = WireName.Session
        var members = [
            (Key.manifestFormat, "\"hls\""),
            (Key.mediaVerificationURL, "\"\(base)\(sessionPaths.verification(streamID: streamID))\""),
            (Key.metadataURL, "\"\(base)\(sessionPaths.metadata(streamID: streamID))\""),
            (Key.sessionUpdateURL, "\"\(base)\(sessionPaths.update(streamID: streamID))\""),
            (Key.podManifestURL, "\"\(base)\(podPaths.manifests)\""),
            (Key.pollingFrequency, DecimalSeconds.shortest(polling)),
            (Key.validFor, "\"\(Self.hours(validity))\""),
            (Key.validUntil, "\"\(validUntil.iso8601)\""),
        ]
        if showsStreamID { members.insert((Key.streamID, "\"\(streamID.rawValue)\""), at: 0) }
        let text = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return Array("{\(text)}\n".utf8)
    }

    /// A duration in Go's form, `8h0m0s`, which the ad server uses.
    static func hours(_ time: Duration) -> String {
        let whole = time.components.seconds
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let seconds = "\(DecimalSeconds.shortest(time - .seconds(whole - whole % 60)))s"
        if hours > 0 { return "\(hours)h\(minutes)m\(seconds)" }
        return minutes > 0 ? "\(minutes)m\(seconds)" : seconds
    }
}
