package import HLS

/// What a pod's media playlist holds, in sum.
package struct PodContent: Hashable, Sendable {
    package var durationMicroseconds: Int64
    package var segmentCount: Int
    /// Runs of segments between discontinuities: each ad begins with one.
    package var adCount: Int

    package init(_ playlist: MediaPlaylist) {
        durationMicroseconds = playlist.durationMicroseconds
        segmentCount = playlist.segments.count
        let boundaries = playlist.segments.dropFirst().count { $0.isDiscontinuity }
        adCount = playlist.segments.isEmpty ? 0 : boundaries + 1
    }

    /// Whether the pod has nothing to play.
    package var isEmpty: Bool { segmentCount == 0 || durationMicroseconds == 0 }

    /// How much longer the pod is than what was asked for; negative when it is shorter.
    package func excess(over requested: Duration) -> Duration {
        .microseconds(durationMicroseconds) - requested
    }
}
