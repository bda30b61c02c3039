import FoundationEssentials
import Values

/// An SVTA 2053-2 ad creative signaling envelope: a list's has a pod, an asset's a slot.
///
/// The format is Shaka Player's (externs/shaka/svta_ad_creative_signaling.js and lib/ads/svta_interstitial_parser.js).
package struct CreativeSignaling: Hashable, Sendable {
    /// Key of an asset list and attribute of a date range.
    package static let key = "X-AD-CREATIVE-SIGNALING"

    package enum Kind: String, Hashable, Sendable { case slot, pod }

    package struct Tracking: Hashable, Sendable {
        package var type: String
        /// Only of a `progress` event, from the start of the ad or pod.
        package var offset: Duration?
        package var urls: [String]
    }

    /// A slot (one ad), or a pod with slots.
    package struct Item: Hashable, Sendable {
        /// From the start of the interstitial, even in the signaling of one asset; a pod's slots count from the pod's
        /// start.
        package var start: Duration = .zero
        package var duration: Duration
        package var tracking: [Tracking]
        package var identifiers: [String] = []
        /// Ads of a pod; empty in a slot.
        package var slots: [Item] = []
    }

    /// Podswarm writes 2 and, like players, accepts any.
    package var version: Int = 2
    package var kind: Kind
    package var items: [Item]

    /// Beacons of an ad or pod that is played to its end, in order of time.
    ///
    /// `total` is the length of what carries the signaling; items without a length use it.
    package func beacons(total: Duration) -> [TrackingBeacon] {
        items.flatMap { $0.beacons(from: .zero, total: total) }.inOrder
    }

    /// Beacons of one asset of a list, from the asset's own start.
    ///
    /// A slot's start is its offset in the interstitial (SVTA 2053-2); Shaka Player only stores it
    /// (lib/ads/svta_ad_manager.js).
    package func beacons(ofAsset total: Duration) -> [TrackingBeacon] {
        let earliest = items.map(\.start).min() ?? .zero
        let origin = kind == .slot ? .zero - earliest : Duration.zero
        return items.flatMap { $0.beacons(from: origin, total: total) }.inOrder
    }
}

package struct TrackingBeacon: Hashable, Sendable {
    package var event: String
    /// From the start of the list, asset or interstitial that carries the signaling.
    package var offset: Duration
    package var url: String
}

extension CreativeSignaling.Item {
    fileprivate func beacons(from origin: Duration, total: Duration) -> [TrackingBeacon] {
        let begin = origin + start
        let length = duration > .zero ? duration : max(.zero, total - begin)
        func own(areLast: Bool) -> [TrackingBeacon] {
            tracking.filter { $0.comesAfterSlots == areLast }.flatMap { $0.beacons(from: begin, length: length) }
        }
        let ofSlots = slots.flatMap { $0.beacons(from: begin, total: begin + length) }
        return own(areLast: false) + ofSlots + own(areLast: true)
    }

    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        try self.init(slot: value)
        slots = try value.object().optionalList("slots", of: Self.init(slot:)) ?? []
    }

    /// Without slots of its own, which limits the nesting to that of the format.
    private init(slot value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        self.init(
            start: try members.optional("start", \.plainSeconds) ?? .zero,
            duration: try members.optional("duration", \.plainSeconds) ?? .zero,
            tracking: try members.optionalList("tracking", of: CreativeSignaling.Tracking.init(_:)) ?? []
        )
        // Like players, ignores identifiers that cannot be parsed.
        let identifiers = try? members.optionalList("identifiers") { identifier throws(UnexpectedMember) in
            try identifier.object().text("value")
        }
        self.identifiers = (identifiers ?? nil) ?? []
    }
}

extension CreativeSignaling.Tracking {
    /// A pod's end follows the ends of its ads.
    fileprivate var comesAfterSlots: Bool { type == "complete" || type == "podEnd" }

    /// Nil for events that a viewer causes (`skip`, `pause`, `mute`, `clickTracking`, `error`).
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

    fileprivate func beacons(from begin: Duration, length: Duration) -> [TrackingBeacon] {
        guard let moment = moment(inLength: length) else { return [] }
        return urls.map { TrackingBeacon(event: type, offset: begin + moment, url: $0) }
    }

    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        self.init(
            type: try members.text("type"),
            offset: try members.optional("offset", \.plainNumber).flatMap { JSONValue.number($0).seconds },
            urls: try members.optionalTexts("urls") ?? []
        )
    }
}

extension CreativeSignaling {
    /// Accepts base64 of a JSON text, or the text itself.
    package init?(attribute text: String) {
        let data = Data(base64Encoded: text) ?? Data(text.utf8)
        guard let value = try? data.withUnsafeBytes({ try JSONValue(parsing: $0, within: .answer) }) else { return nil }
        self.init(value)
    }

    init?(_ value: JSONValue?) {
        guard let value, let signaling = try? Self(reading: value) else { return nil }
        self = signaling
    }

    private init(reading value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        guard let kind = Kind(rawValue: try members.optional("type", \.text) ?? "slot") else {
            throw UnexpectedMember()
        }
        let items = try members.optionalList("payload", of: Item.init(_:))
        guard let items, !items.isEmpty, items.count <= AssetList.maximumAssets else { throw UnexpectedMember() }
        // Older signaling has no version and no type; its payload is slots.
        self.init(version: members.wholeNumber("version") ?? 2, kind: kind, items: items)
    }
}
