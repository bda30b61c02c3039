package import HLS
import Values

/// Answer to an X-ASSET-LIST request: the assets of one interstitial, in order (bis-22 appendix D.2).
package struct AssetList: Hashable, Sendable {
    package static let maximumBytes = 1 << 20
    package static let maximumAssets = 1_000

    package struct Asset: Hashable, Sendable {
        /// Absolute if the list is valid; see ``resolved(_:against:)``.
        package var uri: String
        package var duration: Duration
        package var signaling: CreativeSignaling?
        /// Whether the URI is absolute and the DURATION a number, as every player reads them (bis-22 appendix D.2).
        package var isSound = true
        /// From a TRACKING section, in order of their times from the asset's start.
        package var beacons: [TrackingBeacon] = []

        package init(uri: String, duration: Duration, signaling: CreativeSignaling? = nil) {
            self.uri = uri
            self.duration = duration
            self.signaling = signaling
        }
    }

    package var assets: [Asset]
    /// Overrides the tag's, member by member.
    package var skipControl: SkipControl?
    package var signaling: CreativeSignaling?
    /// Break beacons of a TRACKING section, in order of their times from its start.
    package var beacons: [TrackingBeacon] = []
    /// Whether a DURATION is text with more after its number, as `00:00:30`; players read the number alone.
    package var hasUnclearDuration = false

    package init(assets: [Asset], skipControl: SkipControl? = nil, signaling: CreativeSignaling? = nil) {
        self.assets = assets
        self.skipControl = skipControl
        self.signaling = signaling
    }

    package var duration: Duration {
        assets.reduce(.zero) { $0 + $1.duration }
    }

    /// Resolves an asset's URI against its list's URL: players forgive a relative URI.
    package static func resolved(_ asset: Asset, against listURL: String) -> String {
        URLReference.resolve(asset.uri, against: listURL) ?? asset.uri
    }
}

/// Reason why a body is not an asset list; the interstitial is then cancelled (bis-22 appendix D.5).
///
/// Never quotes the body, whose URIs can carry session tokens.
package enum AssetListError: String, Error, Hashable, Sendable, CaseIterable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    case noAssets = "no_assets"
    /// An asset is not an object, or has no URI.
    case badAsset = "bad_asset"
    /// An asset has no DURATION that is a number of seconds.
    case badDuration = "bad_duration"
    case tooLarge = "too_large"
    case tooManyAssets = "too_many_assets"
    /// Limits are those of ``JSONLimits/answer``.
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
}
