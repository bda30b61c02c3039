/// Writes multivariant playlists: the channel's and, with other URIs, those of pods.
struct VariantListing: Sendable {
    let profiles: [ClipProfile]
    private let attributes: [String]

    /// Describes the clips that `clip` gives, cut into segments of `segmentSeconds`.
    init(variantCount: Int, segmentSeconds: Int, clip: (ClipProfile) -> ClipFile) {
        profiles = Array(ClipProfile.allCases.prefix(variantCount))
        attributes = profiles.map { profile in
            let file = clip(profile)
            let weights = file.weights(ofRuns: segmentSeconds)
            // BANDWIDTH is the largest segment's rate, AVERAGE-BANDWIDTH that of the whole (RFC 8216 4.3.4.2).
            return "BANDWIDTH=\(weights.largest * 8 / segmentSeconds),"
                + "AVERAGE-BANDWIDTH=\(weights.total * 8 / ClipFile.secondsPerLoop),CODECS=\"\(file.codecs)\","
                + "RESOLUTION=\(profile.width)x\(profile.height),FRAME-RATE=\(ClipProfile.frameRate).000"
        }
    }

    /// The playlist; a pod without any variant has only its head.
    func text(isEmpty: Bool = false, uri: (ClipProfile) -> String) -> [UInt8] {
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for (profile, attributes) in zip(profiles, attributes) where !isEmpty {
            text += "#EXT-X-STREAM-INF:\(attributes)\n\(uri(profile))\n"
        }
        return Array(text.utf8)
    }
}
