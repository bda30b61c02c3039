package import HLS
import JSON

/// What an X-ASSET-LIST request answers: the assets of one interstitial, in their order (bis-22 appendix D.2).
package struct AssetList: Hashable, Sendable {
    /// The largest body that is read, in bytes.
    package static let maximumBytes = 1 << 20
    /// The most assets that are read.
    package static let maximumAssets = 1_000

    /// One playlist to play.
    package struct Asset: Hashable, Sendable {
        /// Absolute where the list keeps to the specification; see ``resolved(_:against:)``.
        package var uri: String
        package var duration: Duration
        package var signaling: CreativeSignaling?
        /// Whether its URI is absolute and its DURATION a number, as every player reads them (bis-22 appendix D.2).
        package var isSound = true
        /// Of a TRACKING section, by their times from the asset's start.
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
    /// Tracking of the whole pod.
    package var signaling: CreativeSignaling?
    /// Of a TRACKING section, those of the whole break by their times from its start.
    package var beacons: [TrackingBeacon] = []
    /// Whether a DURATION is text that goes on after its number, as `00:00:30`, of which players read the number alone.
    package var hasUnclearDuration = false

    package init(assets: [Asset], skipControl: SkipControl? = nil, signaling: CreativeSignaling? = nil) {
        self.assets = assets
        self.skipControl = skipControl
        self.signaling = signaling
    }

    /// The sum of the assets' durations.
    package var duration: Duration {
        assets.reduce(.zero) { $0 + $1.duration }
    }

    /// The URL of an asset in a list that came from `listURL`: players forgive a relative URI.
    package static func resolved(_ asset: Asset, against listURL: String) -> String {
        URLReference.resolve(asset.uri, against: listURL) ?? asset.uri
    }
}

/// Why a body cannot be read as an asset list; the interstitial is then cancelled (bis-22 appendix D.5).
///
/// Never quotes the body, whose URIs can carry session tokens.
package enum AssetListError: String, Error, Hashable, Sendable, CaseIterable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// No ASSETS, or not an array.
    case noAssets = "no_assets"
    /// An asset that is no object, or has no URI.
    case badAsset = "bad_asset"
    /// An asset without a DURATION that is a number of seconds.
    case badDuration = "bad_duration"
    case tooLarge = "too_large"
    case tooManyAssets = "too_many_assets"
    /// It nests deeper than ``JSONLimits/answer`` allows.
    case tooDeep = "too_deep"
    /// It has more values than they allow.
    case tooManyValues = "too_many_values"

    init(_ error: JSONError) {
        self =
            switch error {
            case .notJSON: .notJSON
            case .tooLarge: .tooLarge
            case .tooDeep: .tooDeep
            case .tooManyValues: .tooManyValues
            }
    }
}
