package import HLS
import Values

/// Beginning and end of each ad of a pod: the runs of segments between discontinuities.
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
}

extension AdTimeline {
    package var nanoseconds: Int64 { durationMicroseconds.multipliedClamped(by: 1000) }
}

extension MediaPlaylist {
    /// Reference at an index of the list of initialisation sections and segments, in a player's loading order.
    ///
    /// Each segment has two entries: its map, if it differs from the one before, and itself; empty if there is nothing to load,
    /// as in a gap.
    package func part(at index: Int) -> String? {
        let number = index / 2
        guard segments.indices.contains(number) else { return nil }
        let segment = segments[number]
        guard !segment.isGap else { return "" }
        guard index % 2 == 0 else { return uri(of: segment) }
        guard let map = segment.mapURI, number == 0 || segments[number - 1].mapURI != map else { return "" }
        return string(in: map)
    }

    package func isSegment(partAt index: Int) -> Bool { index % 2 == 1 }
}

/// Media playlist of a pod or asset; `url` is the base of its references.
package final class LoadedPod: Sendable {
    package let playlist: MediaPlaylist
    package let url: String
    package let content: AdTimeline
    private let memory: KeptMemory?

    package init(_ playlist: MediaPlaylist, url: String, account: (any MemoryAccount)? = nil) {
        self.playlist = playlist
        self.url = url
        self.content = AdTimeline(playlist)
        self.memory = KeptMemory(playlist.keptBytes, account)
    }
}
