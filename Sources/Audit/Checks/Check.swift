import HLS
import Values
import Viewer

/// Checks an unusual answer, except for its body.
protocol AnswerCheck {
    /// Called for answers without success, with a status of 202, after redirects, and with flaws.
    func examine(_ examination: borrowing Examination)
}

/// Checks a version of a live playlist before the viewer handles it.
protocol VersionCheck {
    /// Called for each answer with a version.
    ///
    /// A version that the viewer has already is omitted, unless `AuditContext.watchesRepeats` is set or the playlist stands
    /// still.
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination)
}

/// Checks an answer to a request of a break.
protocol BreakCheck {
    /// Called for each answer to a request for a pod, an interstitial or a part of either.
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination)
}

struct GivenVersion: ~Copyable {
    let shared: SharedPlaylist
    let rendition: PlayedRendition
    let index: PlaylistLibrary.Index
    /// The version in hand; nil before the first.
    let latest: SharedPlaylist?
    /// The version in hand if this one follows it; nil for the first of its playlist.
    let previous: SharedPlaylist?

    var isNew: Bool { latest?.version != shared.version }

    var isChanged: Bool { previous?.version != shared.version }
}

/// Checks a URL before a viewer requests it.
protocol AddressCheck {
    func concerns(_ role: ViewerRole) -> Bool

    /// `breakSlot` is nil for requests outside of breaks.
    func examine(
        _ url: String,
        _ role: ViewerRole,
        _ viewer: borrowing AuditedViewer,
        breakSlot: Int32?,
        at now: Instant
    )
}
