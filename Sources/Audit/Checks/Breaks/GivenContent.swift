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
        /// The same when it was asked for once more; nil where that is no playlist.
        case repeated(Playlist?)
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
    let facts: BreakSubject
    let slot: Int32
    /// The asset that is asked for; nil where there is none, or where it is over.
    var asset: AssetSubject?

    /// Whether a manifest or an asset list listed what was asked for.
    func isPart(_ role: ViewerRole) -> Bool {
        switch role {
        case .podPlaylist, .podRepeatPlaylist, .podSegment: true
        case .assetManifest: facts.isAssetList
        default: false
        }
    }
}
