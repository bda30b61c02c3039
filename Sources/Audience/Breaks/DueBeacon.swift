package import AdServing
import Time

/// A beacon and when it is due, in nanoseconds of its ad or break (SVTA 2053-2, ad creative signaling; a TRACKING section).
package struct DueBeacon: Sendable, Equatable {
    package var offset: Int64
    package var url: String

    private init(_ beacon: TrackingBeacon) {
        offset = beacon.offset.nanosecondsHeld
        url = beacon.url
    }
}

extension DueBeacon {
    /// The beacons of an ad or pod by their time from its start; none where its length is not known.
    package static func all(_ signaling: CreativeSignaling?, total: Duration?) -> [DueBeacon] {
        guard let signaling, let total else { return [] }
        return signaling.beacons(total: total).map(DueBeacon.init)
    }

    /// The beacons of one asset of a list by their time from its start.
    package static func ofAsset(_ asset: AssetList.Asset) -> [DueBeacon] {
        let signaled = asset.signaling?.beacons(ofAsset: asset.duration) ?? []
        return merged(signaled.map(DueBeacon.init), asset.beacons.map(DueBeacon.init))
    }

    /// The beacons of a list as a whole by their time from the break's start.
    ///
    /// - Parameters:
    ///   - list: What it names.
    ///   - total: The break's length, with what a list leaves out for a viewer that joined inside.
    /// - Returns: What is not any single asset's.
    package static func ofList(_ list: AssetList, total: Duration) -> [DueBeacon] {
        merged(all(list.signaling, total: total), list.beacons.map(DueBeacon.init))
    }

    /// Both in the order of their times.
    package static func merged(_ first: [DueBeacon], _ second: [DueBeacon]) -> [DueBeacon] {
        guard !first.isEmpty, !second.isEmpty else { return first + second }
        return (first + second).sorted { $0.offset < $1.offset }
    }
}

/// What is said where creative signalling lists an event of one ad twice.
package enum DoubledPing {
    package static let expected = "each address once for an event of an ad or pod"
    package static func observed(_ event: String) -> String { "the same address twice for its \(event)" }
}
