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
    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        let ads = try members.optionalList("ads") { ad throws(UnexpectedMember) in try Ad(ad) } ?? []
        self.init(
            start: members.seconds("startTimeInSeconds") ?? ads.map(\.start).min() ?? .zero,
            duration: members.seconds("durationInSeconds") ?? ads.reduce(.zero) { $0 + $1.duration },
            ads: ads,
            events: try Event.list(members, "adBreakTrackingEvents")
        )
    }
}

extension AvailTracking.Ad {
    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        let events = try AvailTracking.Event.list(members, "trackingEvents")
        self.init(
            start: members.seconds("startTimeInSeconds") ?? events.compactMap(\.start).min() ?? .zero,
            duration: members.seconds("durationInSeconds") ?? .zero,
            events: events
        )
    }
}

extension AvailTracking.Event {
    fileprivate static func list(_ members: JSONObject, _ name: String) throws(UnexpectedMember) -> [Self] {
        try members.optionalList(name) { event throws(UnexpectedMember) in try Self(event) } ?? []
    }

    private init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        self.init(
            type: try members.text("eventType"),
            start: members.seconds("startTimeInSeconds"),
            urls: try members.optionalTexts("beaconUrls") ?? []
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
