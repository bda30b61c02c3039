package import AdServing
package import HLS
import Values

/// Ads of a pod: the runs of segments between discontinuities.
package struct AdTimeline: Sendable, Equatable {
    package struct Ad: Sendable, Equatable {
        /// From the start of the pod.
        package var offsetMicroseconds: Int64
        package var durationMicroseconds: Int64

        package var endMicroseconds: Int64 { offsetMicroseconds &+ durationMicroseconds }
    }

    package private(set) var ads: [Ad] = []
    package let segmentCount: Int

    package init(_ playlist: MediaPlaylist) {
        segmentCount = playlist.segments.count
        var offset: Int64 = 0
        for (index, segment) in playlist.segments.enumerated() {
            if index == 0 || segment.isDiscontinuity {
                ads.append(Ad(offsetMicroseconds: offset, durationMicroseconds: 0))
            }
            offset &+= segment.durationMicroseconds
            ads[ads.count - 1].durationMicroseconds &+= segment.durationMicroseconds
        }
    }

    package var durationMicroseconds: Int64 { ads.last?.endMicroseconds ?? 0 }

    package var nanoseconds: Int64 { durationMicroseconds.multipliedClamped(by: 1000) }
}

extension MediaPlaylist {
    /// In a player's loading order: each segment's key, its map where it differs, then the segment; empty if there is nothing to
    /// load.
    func part(at index: Int) -> String? {
        let number = Self.segment(ofPart: index)
        guard segments.indices.contains(number) else { return nil }
        let segment = segments[number]
        guard !segment.isGap else { return "" }
        if Self.isKey(partAt: index) { return keyURI(at: number) ?? "" }
        guard !Self.isSegment(partAt: index) else { return uri(of: segment) }
        guard let map = segment.mapURI, number == 0 || segments[number - 1].mapURI != map else { return "" }
        return string(in: map)
    }

    static func segment(ofPart index: Int) -> Int { index / 3 }
    static func isKey(partAt index: Int) -> Bool { index % 3 == 0 }
    static func isSegment(partAt index: Int) -> Bool { index % 3 == 2 }
}

/// `url` is the base of its references.
package final class LoadedPod: Sendable {
    package let playlist: MediaPlaylist
    package let url: String
    package let content: AdTimeline
    private let memory: KeptMemory?

    package init(_ playlist: MediaPlaylist, url: String, account: (any MemoryAccount)? = nil) {
        (self.playlist, self.url) = (playlist, url)
        self.content = AdTimeline(playlist)
        self.memory = KeptMemory(playlist.keptBytes, account)
    }
}

/// `offset`: nanoseconds of its ad or break (SVTA 2053-2).
package struct DueBeacon: Sendable, Equatable {
    package var offset: Int64
    package var url: String

    private init(_ beacon: TrackingBeacon) {
        offset = beacon.offset.nanosecondsHeld
        url = beacon.url
    }

    /// Sorted by offset; empty if the length is unknown.
    package static func all(_ signaling: CreativeSignaling?, total: Duration?) -> [DueBeacon] {
        guard let signaling, let total else { return [] }
        return signaling.beacons(total: total).map(DueBeacon.init)
    }

    package static func ofAsset(_ asset: AssetList.Asset) -> [DueBeacon] {
        let signaled = asset.signaling?.beacons(ofAsset: asset.duration) ?? []
        return merged(signaled.map(DueBeacon.init), asset.beacons.map(DueBeacon.init))
    }

    /// Without those of single assets; `total` includes what a list omits for a viewer that joined inside.
    package static func ofList(_ list: AssetList, total: Duration) -> [DueBeacon] {
        merged(all(list.signaling, total: total), list.beacons.map(DueBeacon.init))
    }

    package static func merged(_ first: [DueBeacon], _ second: [DueBeacon]) -> [DueBeacon] {
        guard !first.isEmpty, !second.isEmpty else { return first + second }
        return (first + second).sorted { $0.offset < $1.offset }
    }
}
