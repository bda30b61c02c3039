enum InterstitialPaths {
    static let prefix = "/interstitials/"
    static let mediaFolder = "media"
    static let slateFolder = "slate"
    static let beaconFolder = "beacon"
    /// Milliseconds skipped at the start of a list's first asset.
    static let startParameter = "start"

    /// The packager adds the ID (bis-22 D.4).
    static func list(_ identifier: String) -> String {
        "\(prefix)\(identifier)/assets.json?\(InterstitialName.interstitialParameter)=\(identifier)"
    }

    /// For X-ASSET-URI.
    static func asset(_ identifier: String) -> String {
        "\(prefix)\(identifier)/asset.m3u8?\(InterstitialName.interstitialParameter)=\(identifier)"
    }

    /// The decision keeps the asset unchanged during playback.
    static func asset(_ identifier: String, place: Int, token: String, skippedMilliseconds: Int64) -> String {
        "\(prefix)\(identifier)/\(place)/\(token)/asset.m3u8\(start(skippedMilliseconds))"
    }

    static func playlist(_ asset: DecidedAsset, token: String, profile: ClipProfile) -> String {
        let folder = "\(prefix)\(asset.identifier)/\(asset.place)/\(token)/"
        return "\(folder)\(profile.rawValue).m3u8\(start(asset.skippedMilliseconds))"
    }

    static func creative(_ name: String, profile: ClipProfile) -> String {
        "\(prefix)\(mediaFolder)/\(profile.rawValue)/\(name)"
    }

    static func isCreative(_ address: String) -> Bool { address.hasPrefix("\(prefix)\(mediaFolder)/") }

    /// -1 stands for the whole interstitial.
    static func beacon(_ identifier: String, place: Int, event: String) -> String {
        "\(prefix)\(identifier)/\(beaconFolder)/\(place < 0 ? "all" : String(place))/\(event)"
    }

    private static func start(_ milliseconds: Int64) -> String {
        milliseconds > 0 ? "?\(startParameter)=\(milliseconds)" : ""
    }
}

struct DecidedAsset: Sendable, Hashable {
    let identifier: String
    let place: Int
    let decision: PodDecision
    let microseconds: Int64
    /// Part that a list for a later start skips.
    let skippedMilliseconds: Int64
}
