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

/// The TRACKING section of an asset list: MediaTailor's tracking response with this origin's beacons.
///
/// Guide: "Ad tracking with SGAI" and "Client-side tracking API". The zero of times in a guided session is not published; here
/// it is the interstitial's start.
struct AvailTrackingBody: Encodable, Sendable {
    struct Avail: Encodable, Sendable {
        let availId: String
        let adBreakTrackingEvents: [Event]
        let ads: [Ad]
        let startTimeInSeconds: Double
        let durationInSeconds: Double
    }

    struct Ad: Encodable, Sendable {
        let adId: String
        let creativeId: String
        let startTimeInSeconds: Double
        let durationInSeconds: Double
        let trackingEvents: [Event]
    }

    struct Event: Encodable, Sendable {
        let eventId: String
        let eventType: String
        /// Nil for events of a break.
        let startTimeInSeconds: Double?
        let durationInSeconds: Double?
        let beaconUrls: [String]
    }

    let avails: [Avail]
}

extension SignallingBody {
    /// Beacons of one ad, in times of the whole interstitial.
    func ad(place: Int, creative: String) -> AvailTrackingBody.Ad {
        let length = Self.seconds(script.assets[place])
        let start = Self.seconds(script.assets.prefix(place).reduce(.zero, +))
        let quarters = ["firstQuartile": 1.0, "midpoint": 2, "thirdQuartile": 3, "complete": 4]
        let events = Self.slotEvents.map { event in
            AvailTrackingBody.Event(
                eventId: "\(place + 1)",
                eventType: event,
                startTimeInSeconds: start + length / 4 * (quarters[event] ?? 0),
                durationInSeconds: event == "impression" ? length : 0,
                beaconUrls: [ping(place, event)]
            )
        }
        return AvailTrackingBody.Ad(
            adId: "\(place + 1)",
            creativeId: creative,
            startTimeInSeconds: start,
            durationInSeconds: length,
            trackingEvents: events
        )
    }

    /// Section for a list that begins `start` seconds into the interstitial.
    func tracking(of ads: [AvailTrackingBody.Ad], from start: Double) -> AvailTrackingBody {
        let avail = AvailTrackingBody.Avail(
            availId: identifier,
            adBreakTrackingEvents: [],
            ads: ads,
            startTimeInSeconds: start,
            durationInSeconds: max(0, Self.seconds(script.length) - start)
        )
        return AvailTrackingBody(avails: [avail])
    }
}

/// Reporter of ads in a guided session of MediaTailor's form: the server, unless the session chose the client.
///
/// MediaTailor does not publish how it stores that; here the session's addresses repeat it.
struct TailorReporting: Hashable, Sendable {
    private static let parameter = "aws.reportingMode"

    let isByClient: Bool

    init(_ query: FormFields, body: [String: String]? = nil) {
        let mode = body?["reportingMode"] ?? query[Self.parameter]
        isByClient = mode?.lowercased() == "client"
    }

    var parameters: [String] { isByClient ? ["\(Self.parameter)=CLIENT"] : [] }
}
