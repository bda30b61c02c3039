import AdServing
import Audience
import HLS

/// What a request of a break was answered with, and of which break.
struct GivenContent: ~Copyable {
    enum Content {
        /// Nothing that a player takes: no success, or one that came too late.
        case nothing
        case segment
        /// The manifest of a pod, or the media playlist of one of its renditions.
        case pod(Playlist)
        /// The same pod, asked for a second time.
        case repeated
        case list(AssetList)
        /// The playlist of an asset of an interstitial.
        case asset(AssetLibrary.Content)
        case noPlaylist(PlaylistError)
        case noList(AssetListError)
    }

    let content: Content
    let subject: AuditSubject
}

/// The break that a request belongs to, as a check sees it.
struct AuditSubject {
    let planned: PlannedBreak
    let slot: Int32
    /// Whether all viewers are to get the same.
    let isSameForAll: Bool
    /// Whether it was asked for from somewhere in the middle.
    var isTrimmed = false
    /// Whether the viewer joined so late that no asset may be left to play.
    var isNearlyOver = false
    /// Whether its content is a list of assets.
    var isAssetList = false
    /// The asset that is asked for; nil where there is none, or where it is over.
    var asset: AssetSubject?

    /// Whether it is a pod of the viewer's own.
    var isOwn: Bool { planned.isOwn }

    /// Whether a manifest or an asset list listed what was asked for.
    func isPart(_ role: ViewerRole) -> Bool {
        switch role {
        case .podPlaylist, .podSegment: true
        case .assetManifest: isAssetList
        default: false
        }
    }

    /// Whether a request is the first that the break's content needs: of it bursts are made.
    func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .podManifest, .assetList: true
        case .assetManifest: !isAssetList && index == 0
        default: false
        }
    }
}
