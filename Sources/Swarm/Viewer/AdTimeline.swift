package import HLS

/// When each ad of a pod begins and ends: the runs of segments between discontinuities.
package struct AdTimeline: Sendable, Equatable {
    package struct Ad: Sendable, Equatable {
        /// From the start of the pod.
        package var offsetMicroseconds: Int64
        package var durationMicroseconds: Int64

        package var endMicroseconds: Int64 { self.offsetMicroseconds &+ self.durationMicroseconds }
    }

    package private(set) var ads: [Ad] = []
    package let segmentCount: Int

    package init(_ playlist: MediaPlaylist) {
        self.segmentCount = playlist.segments.count
        var offset: Int64 = 0
        for (index, segment) in playlist.segments.enumerated() {
            if index == 0 || segment.isDiscontinuity {
                self.ads.append(Ad(offsetMicroseconds: offset, durationMicroseconds: 0))
            }
            offset &+= segment.durationMicroseconds
            self.ads[self.ads.count - 1].durationMicroseconds &+= segment.durationMicroseconds
        }
    }

    package var durationMicroseconds: Int64 { self.ads.last?.endMicroseconds ?? 0 }
}
