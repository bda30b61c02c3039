package import AdServing
import Values

/// A beacon with its offset in nanoseconds of its ad or break (SVTA 2053-2, ad creative signaling; a TRACKING section).
package struct DueBeacon: Sendable, Equatable {
    package var offset: Int64
    package var url: String

    private init(_ beacon: TrackingBeacon) {
        offset = beacon.offset.nanosecondsHeld
        url = beacon.url
    }
}

extension DueBeacon {
    /// Beacons of an ad or pod, sorted by offset; empty if its length is unknown.
    package static func all(_ signaling: CreativeSignaling?, total: Duration?) -> [DueBeacon] {
        guard let signaling, let total else { return [] }
        return signaling.beacons(total: total).map(DueBeacon.init)
    }

    package static func ofAsset(_ asset: AssetList.Asset) -> [DueBeacon] {
        let signaled = asset.signaling?.beacons(ofAsset: asset.duration) ?? []
        return merged(signaled.map(DueBeacon.init), asset.beacons.map(DueBeacon.init))
    }

    /// Beacons of a list as a whole, without those of single assets, sorted by offset from the break's start.
    ///
    /// `total` is the break's length, including what a list omits for a viewer that joined inside.
    package static func ofList(_ list: AssetList, total: Duration) -> [DueBeacon] {
        merged(all(list.signaling, total: total), list.beacons.map(DueBeacon.init))
    }

    /// Both sorted by offset.
    package static func merged(_ first: [DueBeacon], _ second: [DueBeacon]) -> [DueBeacon] {
        guard !first.isEmpty, !second.isEmpty else { return first + second }
        return (first + second).sorted { $0.offset < $1.offset }
    }
}

/// Texts of the finding for creative signalling that lists an event of one ad twice.
package enum DoubledPing {
    package static let expected = "each address once for an event of an ad or pod"
    package static func observed(_ event: String) -> String { "the same address twice for its \(event)" }
}
