import AdServing
import HLS
import Viewer

struct GivenContent: ~Copyable {
    enum Content {
        /// No usable answer: no success, or too late.
        case nothing
        case segment
        /// A pod's manifest, or the media playlist of one of its renditions.
        case pod(Playlist)
        /// A repeated pod; nil if it is not a playlist.
        case repeated(Playlist?)
        case list(AssetList)
        case asset(AssetLibrary.Content)
        case noPlaylist(PlaylistError)
        case noList(AssetListError)
    }

    let content: Content
    let subject: AuditSubject
}

struct AuditSubject {
    let facts: BreakSubject
    let slot: Int32
    /// Requested asset, unless it is over.
    var asset: AssetSubject?

    /// Whether a manifest or an asset list listed the requested URL.
    func isPart(_ role: ViewerRole) -> Bool {
        switch role {
        case .podPlaylist, .podRepeatPlaylist, .podSegment: true
        case .assetManifest: facts.isAssetList
        default: false
        }
    }
}
