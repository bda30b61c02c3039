import Values

/// Tracking section of an asset list, in the form of AWS Elemental MediaTailor's sessions with client-side reporting.
///
/// Sources, under docs.aws.amazon.com/mediatailor/latest/ug: sgai-ad-tracking.html (the section "uses the same JSON schema as
/// the server-side ad insertion (SSAI) tracking response", and no tracking URL is polled), ad-id-client-side-tracking-api.html
/// (that schema), ad-reporting-client-side-beaconing.html (`startTimeInSeconds` is when a beacon is due).
///
/// Podswarm's assumptions, which no page states:
/// - Times are counted from the start of the first avail. In stitched playlists, MediaTailor counts them from the beginning of
///   the session (ad-reporting-client-side-ad-tracking-schema-activity-timing.html).
/// - The beacons of an ad belong to the asset that plays when the ad begins, and share its fate.
package struct AvailTracking: Hashable, Sendable {
    package struct Event: Hashable, Sendable {
        package var type: String
        /// Nil for events without a time, such as those of a break.
        package var start: Duration?
        package var urls: [String]
    }

    package struct Ad: Hashable, Sendable {
        package var start: Duration
        package var duration: Duration
        package var events: [Event]
    }

    package var start: Duration = .zero
    package var duration: Duration
    package var ads: [Ad]
    package var events: [Event] = []

    /// Largest rounding difference of ad and asset times.
    fileprivate static let rounding = Duration.milliseconds(500)
}

extension AssetList {
    /// Assigns each asset the beacons of the ads that begin in it; ignores a section with more ads than `maximumAssets`.
    mutating func take(_ avails: [AvailTracking]) {
        guard let origin = avails.map(\.start).min(), !assets.isEmpty,
            avails.reduce(0, { $0 + $1.ads.count }) <= Self.maximumAssets
        else { return }
        var starts: [Duration] = []
        var end = Duration.zero
        for asset in assets {
            starts.append(end)
            end += asset.duration
        }
        for avail in avails {
            let begin = avail.start - origin
            beacons += avail.breakBeacons(from: begin)
            for ad in avail.ads {
                let start = ad.start - origin
                let place = starts.lastIndex { $0 <= start + AvailTracking.rounding } ?? 0
                assets[place].beacons += ad.beacons(from: origin + starts[place])
            }
        }
        beacons = beacons.inOrder
        for place in assets.indices { assets[place].beacons = assets[place].beacons.inOrder }
    }
}

extension AvailTracking {
    fileprivate func breakBeacons(from begin: Duration) -> [TrackingBeacon] {
        events.flatMap { event -> [TrackingBeacon] in
            let moment: Duration
            switch event.type {
            case "breakStart": moment = .zero
            case "breakEnd": moment = duration
            default: return []
            }
            return event.urls.map { TrackingBeacon(event: event.type, offset: begin + moment, url: $0) }
        }
    }
}

extension AvailTracking.Ad {
    /// Ignores events that a viewer causes: they are listed with the ad's own start.
    fileprivate func beacons(from origin: Duration) -> [TrackingBeacon] {
        events.flatMap { event -> [TrackingBeacon] in
            let since = event.start.map { $0 - start }
            let known = CreativeSignaling.Tracking(type: event.type, offset: since, urls: event.urls)
            guard let moment = known.moment(inLength: duration) else { return [] }
            let offset = start + (since ?? moment) - origin
            guard offset >= .zero - AvailTracking.rounding else { return [] }
            return event.urls.map { TrackingBeacon(event: event.type, offset: max(.zero, offset), url: $0) }
        }
    }
}

extension [TrackingBeacon] {
    var inOrder: Self {
        enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    }
}

extension AvailTracking {
    static func list(_ section: JSONValue) throws(UnexpectedMember) -> [AvailTracking] {
        try section.object().optionalList("avails") { avail throws(UnexpectedMember) in try Self(avail) } ?? []
    }

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
    fileprivate func seconds(_ name: String) -> Duration? {
        guard case .number? = self[name] else { return nil }
        return self[name]?.seconds
    }
}
