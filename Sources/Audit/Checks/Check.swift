import Audience
import HLS
import Time

/// Looks at everything about an answer but its body, where that is out of the ordinary.
protocol AnswerCheck {
    /// Called for answers without success, with a status of 202, after redirects, and with flaws.
    func examine(_ examination: borrowing Examination)
}

/// Looks at a version of a live playlist that a viewer is given, before the viewer takes it.
protocol VersionCheck {
    /// Called for each answer that brings a version; one that the viewer has already is left out unless
    /// `AuditContext.watchesRepeats` is set or the playlist has stood still for long.
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination)
}

/// Looks at what a request of a break was answered with.
protocol BreakCheck {
    /// Called for each answer to a request that brings a pod, an interstitial or a part of either.
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination)
}

/// A version of a live playlist, as one viewer is given it.
struct GivenVersion: ~Copyable {
    let shared: SharedPlaylist
    let rendition: PlayedRendition
    /// Of the URL in the library.
    let index: PlaylistLibrary.Index
    /// The version in hand; nil before the first.
    let latest: SharedPlaylist?
    /// The version in hand, where this one follows it; nil where it is the first of its playlist.
    let previous: SharedPlaylist?

    /// Whether the viewer has another version in hand, or none.
    var isNew: Bool { latest?.version != shared.version }

    /// Whether the playlist that it follows said something else.
    var isChanged: Bool { previous?.version != shared.version }
}

/// Looks at an address that a viewer asks for, before it does.
protocol AddressCheck {
    /// Whether requests of this role are looked at; asked for each request.
    func concerns(_ role: ViewerRole) -> Bool

    /// Called for each request of such a role.
    ///
    /// `breakSlot` is of the break that the request belongs to, nil where it belongs to none.
    func examine(
        _ url: String,
        _ role: ViewerRole,
        _ viewer: borrowing AuditedViewer,
        breakSlot: Int32?,
        at now: Instant
    )
}
