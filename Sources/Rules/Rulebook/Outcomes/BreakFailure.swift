/// The reason why a viewer that was due for a break had no playable pod.
package enum BreakFailure: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case podManifestFailed = "pod_manifest_failed"
    case podPlaylistFailed = "pod_playlist_failed"
    case podEmpty = "pod_empty"
    case notAPlaylist = "not_a_playlist"
    case deadlineMissed = "deadline_missed"
    case segmentFailed = "segment_failed"
    case unauthorised = "unauthorised"
    case assetListFailed = "asset_list_failed"
    case assetListMalformed = "asset_list_malformed"
    case assetListEmpty = "asset_list_empty"
    /// The one asset of an interstitial, or all of a list, could not be loaded.
    case assetFailed = "asset_failed"
    /// The registration was refused, failed or is unanswered.
    case noSession = "no_session"
    /// No playlist came yet, or polls failed until the break had begun.
    case noPlaylist = "no_playlist"
    /// The player gave up, or the viewer closed it, because nothing was shown.
    case playerGaveUp = "player_gave_up"
    /// The playlist listed the break after the playhead had passed its start.
    case announcedTooLate = "announced_too_late"
    /// No playlist of the viewer listed the break, which other viewers' playlists announced.
    case notListed = "not_listed"

    /// Whether the viewer could not ask for the break at all.
    package var isShutOut: Bool {
        switch self {
        case .noSession, .noPlaylist, .playerGaveUp: true
        default: false
        }
    }
}
