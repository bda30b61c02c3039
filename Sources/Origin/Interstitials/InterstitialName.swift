/// Wire names of interstitials (bis-22 appendices D and F), repeated here on purpose: the origin must not share a typing
/// mistake with the client that is tested with it.
enum InterstitialName {
    static let interstitialClass = "com.apple.hls.interstitial"
    static let preloadClass = "com.apple.hls.preload"

    static let assetURI = "X-ASSET-URI"
    static let assetList = "X-ASSET-LIST"
    static let resumeOffset = "X-RESUME-OFFSET"
    static let playoutLimit = "X-PLAYOUT-LIMIT"
    static let snap = "X-SNAP"
    static let restrict = "X-RESTRICT"
    static let contentMayVary = "X-CONTENT-MAY-VARY"
    static let timelineOccupies = "X-TIMELINE-OCCUPIES"
    static let timelineStyle = "X-TIMELINE-STYLE"
    static let skipOffset = "X-SKIP-CONTROL-OFFSET"
    static let skipDuration = "X-SKIP-CONTROL-DURATION"
    static let skipLabel = "X-SKIP-CONTROL-LABEL-ID"
    /// SVTA 2053-2; base64 of its JSON, as Shaka Player reads it (lib/ads/svta_interstitial_parser.js).
    static let signalling = "X-AD-CREATIVE-SIGNALING"

    static let preloadURI = "X-URI"
    static let preloadTarget = "X-TARGET-ID"
    static let preloadTargetClass = "X-TARGET-CLASS"

    static let interstitialParameter = "_HLS_interstitial_id"
    static let primaryParameter = "_HLS_primary_id"
    /// Number of the pod, named as in tokens of pod serving.
    static let podNumberParameter = "pod_id"
    static let startOffsetParameter = "_HLS_start_offset"
}
