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

    static let slots = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    var slot: Int { Self.slots[self] ?? 0 }
}

/// Why a viewer did not show a break; counted apart from failures.
///
/// Only a viewer without a stream id was due all the same.
package enum SkipReason: String, CaseIterable, Sendable {
    case noStreamID = "no_stream_id"
    case pictureInPictureLost = "picture_in_picture_lost"
    case pictureInPictureDeferred = "picture_in_picture_deferred"
    case leftBefore = "left_before"
    case joinedLate = "joined_late"
    /// The ads of the break before were still playing.
    case duringAds = "during_ads"
    /// The viewer sought forward over it.
    case jumpedOver = "jumped_over"

    static let slots = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    var slot: Int { Self.slots[self] ?? 0 }
}
