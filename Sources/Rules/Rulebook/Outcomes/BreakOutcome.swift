/// All recorded figures of a break for one viewer follow from this value alone.
package enum BreakOutcome: Sendable, Equatable {
    case finished
    /// A playout limit ended its ads.
    case cutShort
    case skipped
    /// None of it was played, and the target was not at fault.
    case leftOut(SkipReason)
    /// The viewer had only just begun to join.
    case beforePlayback
    case failed(BreakFailure)
    /// The source withdrew it before it began.
    case cancelled
    case left
    /// It was over before the viewer knew of it.
    case past

    /// Outcome of breaks whose pods were due during this one.
    ///
    /// While its ads played, such a break is left out; while its pod was awaited, the target has lost it too.
    package var ofMissed: BreakOutcome {
        switch self {
        case .failed(let failure): .failed(failure.isShutOut || failure == .ownLine ? failure : .deadlineMissed)
        case .beforePlayback: .beforePlayback
        default: .leftOut(.duringAds)
        }
    }

    /// Nil where the viewer never took part in the break.
    package var counter: ViewerCounter? {
        switch self {
        case .finished: .eventsFinished
        case .cutShort: .eventsCutShort
        case .skipped, .leftOut, .beforePlayback: .eventsSkipped
        case .failed: .eventsFailed
        case .cancelled: .eventsCancelled
        case .left: .eventsLeft
        case .past: nil
        }
    }
}

/// The reason why a viewer that was due for a break had no playable pod.
package enum BreakFailure: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case podManifestFailed = "pod_manifest_failed"
    case podPlaylistFailed = "pod_playlist_failed"
    case podEmpty = "pod_empty"
    case notAPlaylist = "not_a_playlist"
    case deadlineMissed = "deadline_missed"
    /// The deadline passed while only the viewer's own line still held answers of the target back.
    case ownLine = "own_line"
    case segmentFailed = "segment_failed"
    case unauthorised = "unauthorised"
    case assetListFailed = "asset_list_failed"
    case assetListMalformed = "asset_list_malformed"
    case assetListEmpty = "asset_list_empty"
    /// The one asset, or all of a list.
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

/// The viewer was not due; counted apart from failures.
package enum SkipReason: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case pictureInPictureLost = "picture_in_picture_lost"
    case pictureInPictureDeferred = "picture_in_picture_deferred"
    case leftBefore = "left_before"
    case joinedLate = "joined_late"
    /// The ads of the previous break were still playing.
    case duringAds = "during_ads"
    /// The viewer sought forward over it.
    case jumpedOver = "jumped_over"
}

/// Moment at which viewers without an announcement would have reached a break.
package enum BreakMeeting: String, Codable, Sendable {
    /// One instant of the wall clock: breaks that are computed or called for.
    case atInstant = "instant"
    /// The playhead's arrival: breaks of the channel.
    case atPlayhead = "playhead"
    /// The playhead's arrival, for players that play interstitials.
    case interstitial
    /// An instant of the viewer's own: one viewer's break says nothing about another's.
    case individual
}
