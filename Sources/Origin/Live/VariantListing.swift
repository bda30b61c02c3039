import HLS

/// Describes the variants of the channel and of pods, and writes pods' multivariant playlists.
struct VariantListing: Sendable {
    let profiles: [ClipProfile]
    /// Without URIs.
    let variants: [MultivariantPlaylist.Variant]

    init(variantCount: Int, segmentSeconds: Int, clip: (ClipProfile) -> ClipFile) {
        profiles = Array(ClipProfile.allCases.prefix(variantCount))
        variants = profiles.map { profile in
            let file = clip(profile)
            let weights = file.weights(ofRuns: segmentSeconds)
            return MultivariantPlaylist.Variant(
                uri: "",
                // The largest segment's rate (RFC 8216 4.3.4.2).
                bandwidth: weights.largest * 8 / segmentSeconds,
                averageBandwidth: weights.total * 8 / ClipFile.secondsPerLoop,
                codecs: file.codecs,
                width: profile.width,
                height: profile.height,
                frameRate: Double(ClipProfile.frameRate)
            )
        }
    }

    /// A pod without variants has only its head.
    func text(isEmpty: Bool = false, uri: (ClipProfile) -> String) -> [UInt8] {
        let listed = zip(profiles, variants).map { profile, variant in
            var variant = variant
            variant.uri = uri(profile)
            return variant
        }
        let playlist = MultivariantPlaylist(version: 7, independentSegments: true, variants: isEmpty ? [] : listed)
        return playlist.render()
    }
}
