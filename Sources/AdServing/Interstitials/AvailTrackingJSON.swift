import FoundationEssentials

/// The TRACKING section of an asset list, which has the form of a tracking response.
struct TrackingSection: Decodable {
    var avails: [AvailTracking]
}

extension AvailTracking: Decodable {
    private enum Key: String, CodingKey {
        case start = "startTimeInSeconds"
        case duration = "durationInSeconds"
        case ads
        case events = "adBreakTrackingEvents"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        ads = try members.decodeIfPresent([Ad].self, forKey: .ads) ?? []
        start = members.seconds(.start) ?? ads.map(\.start).min() ?? .zero
        duration = members.seconds(.duration) ?? ads.reduce(.zero) { $0 + $1.duration }
        events = try members.decodeIfPresent([Event].self, forKey: .events) ?? []
    }
}

extension AvailTracking.Ad: Decodable {
    private enum Key: String, CodingKey {
        case start = "startTimeInSeconds"
        case duration = "durationInSeconds"
        case events = "trackingEvents"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        events = try members.decodeIfPresent([AvailTracking.Event].self, forKey: .events) ?? []
        start = members.seconds(.start) ?? events.compactMap(\.start).min() ?? .zero
        duration = members.seconds(.duration) ?? .zero
    }
}

extension AvailTracking.Event: Decodable {
    private enum Key: String, CodingKey {
        case type = "eventType"
        case start = "startTimeInSeconds"
        case urls = "beaconUrls"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        type = try members.decode(String.self, forKey: .type)
        start = members.seconds(.start)
        urls = try members.decodeIfPresent([String].self, forKey: .urls) ?? []
    }
}

extension KeyedDecodingContainer {
    /// A number of seconds; nil for anything else.
    fileprivate func seconds(_ key: Key) -> Duration? {
        (try? decodeIfPresent(Double.self, forKey: key)).flatMap { JSONValue.number($0).seconds }
    }
}
