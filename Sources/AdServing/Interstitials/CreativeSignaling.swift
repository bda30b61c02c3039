/// Tracking of an ad or of a pod: an SVTA 2053-2 ad creative signaling envelope.
///
/// An asset list carries it as objects: one for the list (a pod) and one for each asset (a slot). A date range carries
/// it as JSON in base64. Format as Shaka Player reads it (externs/shaka/svta_ad_creative_signaling.js and
/// lib/ads/svta_interstitial_parser.js).
package struct CreativeSignaling: Hashable, Sendable {
    /// The asset list's key and the date range's attribute.
    package static let key = "X-AD-CREATIVE-SIGNALING"

    package enum Kind: String, Hashable, Sendable {
        case slot
        case pod
    }

    /// What is to be pinged, and when.
    package struct Tracking: Hashable, Sendable {
        /// The event's name, such as `impression`, `start`, `firstQuartile`, `midpoint`, `thirdQuartile`, `complete`.
        package var type: String
        /// Of a `progress` event, from the start of the ad or pod.
        package var offset: Duration?
        package var urls: [String]

        package init(type: String, offset: Duration? = nil, urls: [String]) {
            self.type = type
            self.offset = offset
            self.urls = urls
        }
    }

    /// A slot, one ad; or a pod with slots in it.
    package struct Item: Hashable, Sendable {
        /// From the start of the interstitial, even where one asset of a list carries the signaling.
        ///
        /// For a slot of a pod, from the pod's start.
        package var start: Duration
        package var duration: Duration
        package var tracking: [Tracking]
        /// What the creative is called, in any registry.
        package var identifiers: [String] = []
        /// A pod's ads; empty in a slot.
        package var slots: [Item]

        package init(
            start: Duration = .zero,
            duration: Duration,
            tracking: [Tracking],
            identifiers: [String] = [],
            slots: [Item] = []
        ) {
            self.identifiers = identifiers
            self.start = start
            self.duration = duration
            self.tracking = tracking
            self.slots = slots
        }
    }

    /// 2 in what podswarm writes; read and not judged, as players do.
    package var version: Int
    package var kind: Kind
    package var items: [Item]

    package init(version: Int = 2, kind: Kind, items: [Item]) {
        self.version = version
        self.kind = kind
        self.items = items
    }
}

/// A request to be sent at a moment of an ad.
package struct TrackingBeacon: Hashable, Sendable {
    /// The event's name, as the signaling spells it.
    package var event: String
    /// Counted from the start of the list, asset or interstitial that carries the signaling.
    package var offset: Duration
    package var url: String

    package init(event: String, offset: Duration, url: String) {
        self.event = event
        self.offset = offset
        self.url = url
    }
}

extension CreativeSignaling {
    /// Every beacon of an ad or pod that is played to its end, in order of time.
    ///
    /// `total` is the length of the list, asset or interstitial that carries the signaling; items that state no length
    /// take it. Events that a viewer causes (`skip`, `pause`, `mute`, `clickTracking`, `error`) are left out.
    package func beacons(total: Duration) -> [TrackingBeacon] {
        beacons(total: total, from: .zero)
    }

    /// Every beacon of one asset of a list, from that asset's own start.
    ///
    /// A slot says where in the whole interstitial it begins (SVTA 2053-2), which an asset's moments do not count from;
    /// Shaka Player keeps it as an offset in the pod and no more (lib/ads/svta_ad_manager.js).
    package func beacons(ofAsset total: Duration) -> [TrackingBeacon] {
        let earliest = items.map(\.start).min() ?? .zero
        return beacons(total: total, from: kind == .slot ? .zero - earliest : .zero)
    }

    private func beacons(total: Duration, from origin: Duration) -> [TrackingBeacon] {
        var beacons: [TrackingBeacon] = []
        for item in items {
            item.collect(into: &beacons, from: origin, total: total, isPod: kind == .pod)
        }
        return beacons.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }
}

extension CreativeSignaling.Item {
    fileprivate func collect(
        into beacons: inout [TrackingBeacon],
        from origin: Duration,
        total: Duration,
        isPod: Bool
    ) {
        let begin = origin + start
        let length = duration > .zero ? duration : max(.zero, total - begin)
        let (opening, closing) = tracking.partitioned { !$0.comesAfterSlots }
        for event in opening {
            event.collect(into: &beacons, from: begin, length: length)
        }
        for slot in slots {
            slot.collect(into: &beacons, from: begin, total: begin + length, isPod: false)
        }
        for event in closing {
            event.collect(into: &beacons, from: begin, length: length)
        }
    }
}

extension CreativeSignaling.Tracking {
    /// A pod's end follows the ends of its ads.
    fileprivate var comesAfterSlots: Bool {
        type == "complete" || type == "podEnd"
    }

    /// Where in an ad of this length the event falls; nil for events of a viewer's own acts.
    package func moment(inLength length: Duration) -> Duration? {
        switch type {
        case "impression", "loaded", "start", "creativeView", "podStart": .zero
        case "firstQuartile": length / 4
        case "midpoint": length / 2
        case "thirdQuartile": length * 3 / 4
        case "complete", "podEnd": length
        case "progress": offset.flatMap { $0 <= length ? $0 : nil }
        default: nil
        }
    }

    fileprivate func collect(into beacons: inout [TrackingBeacon], from begin: Duration, length: Duration) {
        guard let moment = moment(inLength: length) else {
            return
        }
        for url in urls {
            beacons.append(TrackingBeacon(event: type, offset: begin + moment, url: url))
        }
    }
}

extension Array {
    /// The elements that satisfy `predicate`, and the others, both in their order.
    fileprivate func partitioned(_ predicate: (Element) -> Bool) -> (Self, Self) {
        (filter(predicate), filter { !predicate($0) })
    }
}
