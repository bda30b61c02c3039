package import HLS

/// Answer to an X-ASSET-LIST request (bis-22 appendix D.2).
package struct AssetList: Hashable, Sendable {
    package static let maximumBytes = 1 << 20
    package static let maximumAssets = 1_000

    package struct Asset: Hashable, Sendable {
        /// Relative in an invalid list; see ``resolved(_:against:)``.
        package var uri: String
        package var duration: Duration
        package var signaling: CreativeSignaling?
        /// Whether the DURATION is a number (bis-22 appendix D.2).
        package var hasNumber = true
        /// Whether the URI is absolute (bis-22 appendix D.2).
        package var isAbsolute = true
        /// From a TRACKING section, in order of their times from the asset's start.
        package var beacons: [TrackingBeacon] = []
    }

    package var assets: [Asset]
    /// Overrides the tag's, member by member.
    package var skipControl: SkipControl?
    package var signaling: CreativeSignaling?
    /// From a TRACKING section, in order of their times from the list's start.
    package var beacons: [TrackingBeacon] = []
    /// Whether a DURATION is text with more after its number, as `00:00:30`; players read the number alone.
    package var hasUnclearDuration = false
    package var incomplete: Incomplete?

    /// Entries without a URI or a DURATION: a player leaves them out, or refuses the list.
    package struct Incomplete: Hashable, Sendable {
        /// Counted from 0, in order; at least one.
        package fileprivate(set) var places: [Int]
        package fileprivate(set) var lacksURI: Bool
    }

    package init(assets: [Asset], skipControl: SkipControl? = nil, signaling: CreativeSignaling? = nil) {
        (self.assets, self.skipControl, self.signaling) = (assets, skipControl, signaling)
    }

    package var duration: Duration { assets.reduce(.zero) { $0 + $1.duration } }

    /// Players forgive a relative URI.
    package static func resolved(_ asset: Asset, against listURL: String) -> String {
        URLReference.resolve(asset.uri, against: listURL) ?? asset.uri
    }

    package var entryCount: Int { assets.count + (incomplete?.places.count ?? 0) }

    /// Place in ASSETS of one of `assets`, from 0.
    package func place(of index: Int) -> Int { incomplete?.places.reduce(index) { $1 <= $0 ? $0 + 1 : $0 } ?? index }

    package var doubledEvent: String? {
        let signaled = ([signaling] + assets.map(\.signaling)).lazy.compactMap { $0?.doubledEvent }.first
        return signaled ?? ([beacons] + assets.map(\.beacons)).lazy.compactMap(\.firstRepeated).first?.event
    }
}

extension CreativeSignaling {
    /// First event listed twice with one address; several addresses are several parties (VAST 4.2 section 3.14).
    package var doubledEvent: String? { items.lazy.compactMap(\.doubledEvent).first }
}

extension Sequence where Element: Hashable {
    package var firstRepeated: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}

extension CreativeSignaling.Item {
    fileprivate var doubledEvent: String? {
        struct Ping: Hashable {
            let type: String
            let offset: Duration?
            let url: String
        }
        let pings = tracking.lazy.flatMap { event in
            event.urls.map { Ping(type: event.type, offset: event.offset, url: $0) }
        }
        return pings.firstRepeated?.type ?? slots.lazy.compactMap(\.doubledEvent).first
    }
}

extension AssetList {
    /// Ignores unknown keys; fails if no entry is whole, which cancels the interstitial (bis-22 appendix D.5).
    package init(parsing body: UnsafeRawBufferPointer) throws(AdServingError) {
        guard body.count <= Self.maximumBytes else { throw .tooLarge }
        let document = try JSONValue.object(in: body)
        guard case .array(let elements)? = document["ASSETS"] else { throw .noAssets }
        var assets: [Asset] = []
        assets.reserveCapacity(min(elements.count, Self.maximumAssets))
        var incomplete = Incomplete(places: [], lacksURI: false)
        var isUnclear = false
        for (place, element) in elements.enumerated() {
            guard place < Self.maximumAssets else { throw .tooManyAssets }
            guard case .object(let members) = element else { throw .badAsset }
            let uri = members["URI"]?.text.flatMap { $0.isEmpty ? nil : $0 }
            let length = ListedDuration(members["DURATION"])
            isUnclear = isUnclear || length.isUnclear
            guard let uri, let duration = length.value else {
                incomplete.places.append(place)
                incomplete.lacksURI = incomplete.lacksURI || uri == nil
                continue
            }
            let signaling = CreativeSignaling(members[CreativeSignaling.key])
            var asset = Asset(uri: uri, duration: duration, signaling: signaling)
            asset.hasNumber = length.isNumber
            asset.isAbsolute = URLReference.isAbsolute(uri)
            assets.append(asset)
        }
        guard !assets.isEmpty || elements.isEmpty else { throw incomplete.lacksURI ? .badAsset : .badDuration }
        self.init(
            assets: assets,
            skipControl: SkipControl(document["SKIP-CONTROL"]),
            signaling: CreativeSignaling(document[CreativeSignaling.key])
        )
        hasUnclearDuration = isUnclear
        self.incomplete = incomplete.places.isEmpty ? nil : incomplete
        if let avails = try? document["TRACKING"].map(AvailTracking.list) { take(avails) }
    }

    package init(parsing body: [UInt8]) throws(AdServingError) {
        self = try body.span.bytes.withUnsafeBytes { bytes throws(AdServingError) in try AssetList(parsing: bytes) }
    }

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

extension SkipControl {
    fileprivate init?(_ value: JSONValue?) {
        guard case .object(let members)? = value else { return nil }
        func wholeSeconds(_ key: String) -> Int? { members.wholeNumber(key).flatMap { $0 >= 0 ? $0 : nil } }
        self.init(
            offsetSeconds: wholeSeconds("OFFSET"),
            durationSeconds: wholeSeconds("DURATION"),
            labelID: members["LABEL-ID"]?.text.flatMap { SkipControl.isLabelID($0) ? $0 : nil }
        )
    }
}

/// DURATION of an asset: a number, or a text that begins with one.
private struct ListedDuration {
    private static let limit = 40

    let value: Duration?
    let isNumber: Bool
    let isUnclear: Bool

    /// Reads a text as `parseFloat`, with which hls.js reads DURATION.
    init(_ value: JSONValue?) {
        isNumber = value?.text == nil
        guard let text = value?.text?.drop(while: \.isWhitespace) else {
            (self.value, isUnclear) = (value?.seconds, false)
            return
        }
        var number = text.prefix(Self.limit).prefix { "+-.0123456789eE".contains($0) }
        while !number.isEmpty, Double(number) == nil { number.removeLast() }
        self.value = Double(number).flatMap { JSONValue.number($0).seconds }
        isUnclear = number.isEmpty || !text[number.endIndex...].allSatisfy(\.isWhitespace)
    }
}

/// Avail of AWS Elemental MediaTailor's client-side reporting, from a stitched session's tracking URL or an asset list's section.
///
/// Sources, under docs.aws.amazon.com/mediatailor/latest/ug: sgai-ad-tracking.html (the section "uses the same JSON schema as
/// the server-side ad insertion (SSAI) tracking response", and no tracking URL is polled), ad-id-client-side-tracking-api.html
/// (that schema), ad-reporting-client-side-beaconing.html (`startTimeInSeconds` is when a beacon is due).
///
/// Podswarm's assumptions, which no page states:
/// - Times of a section are counted from the start of the first avail. In stitched playlists, MediaTailor counts the lengths of
///   all segments from the session's first playlist on (ad-reporting-client-side-ad-tracking-schema-activity-timing.html).
/// - The beacons of an ad belong to the asset that plays when the ad begins, and share its fate.
package struct AvailTracking: Sendable {
    struct Ad: Sendable {
        var start: Duration
        var duration: Duration
        var events: [CreativeSignaling.Tracking]
    }

    package let id: String
    package var start: Duration
    /// Nil where MediaTailor does not date the avail.
    package let programDate: WallTime?
    var duration: Duration
    var ads: [Ad]
    /// Offsets are times of the session, as those of an ad's events; nil for events of the break.
    var events: [CreativeSignaling.Tracking]

    /// Largest rounding difference of ad and asset times.
    fileprivate static let rounding = Duration.milliseconds(500)

    package var adCount: Int { ads.count }

    /// Nil for an answer without readable avails, or with more ads than an asset list may have.
    ///
    /// `nextToken` asks for what comes later, and is the same where nothing is new.
    package static func list(in answer: UnsafeRawBufferPointer) -> (avails: [AvailTracking], nextToken: String?)? {
        guard let document = try? JSONValue.object(in: answer), let avails = try? list(.object(document)),
            avails.reduce(0, { $0 + $1.ads.count }) <= AssetList.maximumAssets
        else { return nil }
        // The user guide spells it both ways.
        let token = (document["nextToken"] ?? document["NextToken"])?.text
        return (avails, token.flatMap { $0.utf8.count > StreamSession.longestText ? nil : $0 })
    }

    /// From the avail's start, in order; those of the break itself come with its first ads.
    package func beacons(ofAdsFrom first: Int) -> [TrackingBeacon] {
        let own = first == 0 ? breakBeacons(from: .zero) : []
        return (own + ads.dropFirst(first).flatMap { $0.beacons(from: start) }).inOrder
    }

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
            let since = event.offset.map { $0 - start }
            let known = CreativeSignaling.Tracking(type: event.type, offset: since, urls: event.urls)
            guard let moment = known.moment(inLength: duration) else { return [] }
            let offset = start + (since ?? moment) - origin
            guard offset >= .zero - AvailTracking.rounding else { return [] }
            return event.urls.map { TrackingBeacon(event: event.type, offset: max(.zero, offset), url: $0) }
        }
    }

    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        events = try members.events("trackingEvents")
        start = members["startTimeInSeconds"]?.plainSeconds ?? events.compactMap(\.offset).min() ?? .zero
        duration = members["durationInSeconds"]?.plainSeconds ?? .zero
    }
}

extension [TrackingBeacon] {
    var inOrder: Self {
        enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    }
}

extension AvailTracking {
    static func list(_ section: JSONValue) throws(UnexpectedMember) -> [AvailTracking] {
        try section.object().optionalList("avails", of: Self.init(_:)) ?? []
    }

    private init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        ads = try members.optionalList("ads", of: Ad.init(_:)) ?? []
        programDate = members["availProgramDateTime"]?.text.flatMap { WallTime(iso8601: $0) }
        start = members["startTimeInSeconds"]?.plainSeconds ?? ads.map(\.start).min() ?? .zero
        id = members["availId"]?.text ?? "\(start)"
        duration = members["durationInSeconds"]?.plainSeconds ?? ads.reduce(.zero) { $0 + $1.duration }
        events = try members.events("adBreakTrackingEvents")
    }
}

extension JSONObject {
    fileprivate func events(_ name: String) throws(UnexpectedMember) -> [CreativeSignaling.Tracking] {
        try optionalList(name) { event throws(UnexpectedMember) in
            let members = try event.object()
            return CreativeSignaling.Tracking(
                type: try members.text("eventType"),
                offset: members["startTimeInSeconds"]?.plainSeconds,
                urls: try members.optionalTexts("beaconUrls") ?? []
            )
        } ?? []
    }
}
