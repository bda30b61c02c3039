import HLS

/// The JSON of an asset list (bis-22 appendix D.2).
struct AssetListBody: Encodable, Sendable {
    struct Asset: Encodable, Sendable {
        let uri: String
        /// Seconds.
        var duration: Double?
        let signalling: SignallingBody.Envelope<SignallingBody.Slot>?

        enum CodingKeys: String, CodingKey {
            case uri = "URI"
            case duration = "DURATION"
            case signalling = "X-AD-CREATIVE-SIGNALING"
        }
    }

    struct SkipControl: Encodable, Sendable {
        let offset: Int
        let duration: Int?
        let label: String?

        enum CodingKeys: String, CodingKey {
            case offset = "OFFSET"
            case duration = "DURATION"
            case label = "LABEL-ID"
        }
    }

    var assets: [Asset]
    var skipControl: SkipControl?
    var signalling: SignallingBody.Envelope<SignallingBody.Pod>?
    var tracking: AvailTrackingBody?

    enum CodingKeys: String, CodingKey {
        case assets = "ASSETS"
        case skipControl = "SKIP-CONTROL"
        case signalling = "X-AD-CREATIVE-SIGNALING"
        case tracking = "TRACKING"
    }

    var json: [UInt8] { SignallingBody.json(self) }
}
