import Values

/// TRACKING section of an asset list, in the form of a tracking response.
struct TrackingSection {
    let avails: [AvailTracking]

    init(_ value: JSONValue) throws(UnexpectedMember) {
        let avails = try value.object().optionalList("avails") { avail throws(UnexpectedMember) in
            try AvailTracking(avail)
        }
        guard let avails else { throw UnexpectedMember() }
        self.avails = avails
    }
}

extension AvailTracking {
    private enum Key {
        static let start = "startTimeInSeconds"
        static let duration = "durationInSeconds"
        static let ads = "ads"
        static let events = "adBreakTrackingEvents"
    }

    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        let ads = try members.optionalList(Key.ads) { ad throws(UnexpectedMember) in try Ad(ad) } ?? []
        self.init(
            start: members.seconds(Key.start) ?? ads.map(\.start).min() ?? .zero,
            duration: members.seconds(Key.duration) ?? ads.reduce(.zero) { $0 + $1.duration },
            ads: ads,
            events: try Event.list(members, Key.events)
        )
    }
}

extension AvailTracking.Ad {
    private enum Key {
        static let start = "startTimeInSeconds"
        static let duration = "durationInSeconds"
        static let events = "trackingEvents"
    }

    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        let events = try AvailTracking.Event.list(members, Key.events)
        self.init(
            start: members.seconds(Key.start) ?? events.compactMap(\.start).min() ?? .zero,
            duration: members.seconds(Key.duration) ?? .zero,
            events: events
        )
    }
}

extension AvailTracking.Event {
    private enum Key {
        static let type = "eventType"
        static let start = "startTimeInSeconds"
        static let urls = "beaconUrls"
    }

    fileprivate static func list(_ members: JSONObject, _ name: String) throws(UnexpectedMember) -> [Self] {
        try members.optionalList(name) { event throws(UnexpectedMember) in try Self(event) } ?? []
    }

    private init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        self.init(
            type: try members.text(Key.type),
            start: members.seconds(Key.start),
            urls: try members.optionalTexts(Key.urls) ?? []
        )
    }
}

extension JSONObject {
    /// Nil for anything but a number of seconds.
    fileprivate func seconds(_ name: String) -> Duration? {
        guard case .number? = self[name] else { return nil }
        return self[name]?.seconds
    }
}
