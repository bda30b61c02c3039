/// Spells the URLs inside pods, as paths on the host that the pod was asked from.
struct PodPaths: Sendable {
    private let networkCode: String
    private let customAssetKey: String

    init(_ configuration: OriginConfiguration) {
        networkCode = configuration.networkCode
        customAssetKey = configuration.customAssetKey
    }

    /// A media playlist, which names the decision so that a pod asked for again cannot change under a player.
    func playlist(_ decision: PodDecision, profile: ClipProfile, podMicroseconds: Int64) -> String {
        "/linear/pods/v1/hls/network/\(networkCode)/custom_asset/\(customAssetKey)/\(decision.identifier)"
            + "/\(decision.token)/\(profile.rawValue).m3u8"
            + "?stream_id=\(SessionTemplate.placeholder)&pd=\(podMicroseconds / 1_000)"
    }

    /// Where the segments of a creative lie, after the documented form of pod segments.
    func creative(_ decision: PodDecision, profile: ClipProfile, name: String) -> String {
        "/linear/pods/v1/seg/network/\(networkCode)/custom_asset/\(customAssetKey)/\(decision.identifier)"
            + "/profile/\(profile.rawValue)/\(name)"
    }
}
