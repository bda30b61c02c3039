/// Why a viewer that was due for a break had no playable pod.
package enum BreakFailure: String, CaseIterable, Sendable {
    case podManifestFailed = "pod_manifest_failed"
    case podPlaylistFailed = "pod_playlist_failed"
    case podEmpty = "pod_empty"
    case notAPlaylist = "not_a_playlist"
    case deadlineMissed = "deadline_missed"
    case segmentFailed = "segment_failed"
    case unauthorised = "unauthorised"
    case assetListFailed = "asset_list_failed"
    case assetListMalformed = "asset_list_malformed"
    /// No asset was in the list: nothing to play.
    case assetListEmpty = "asset_list_empty"
    /// The one asset of an interstitial, or all of a list, could not be loaded.
    case assetFailed = "asset_failed"
}
