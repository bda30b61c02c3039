import HLS
import Results
import Values
import Viewer

/// All checks of answers, in the order of execution; a new check is a type beside these and a line here.
///
/// Rules for a single playlist are in `Conformance`. Facts that only the viewer knows, such as whether a pod fills its break,
/// are noted by the viewer. Checks that are classes remember the answers of other viewers of the loop.
struct CheckList {
    let ofAnswers: [any AnswerCheck]
    let ofVersions: [any VersionCheck]
    let ofBreaks: [any BreakCheck]

    init(_ library: PlaylistLibrary, _ assets: AssetLibrary) {
        let breaks = KnownBreaks()
        ofAnswers = [
            FramingCheck(),
            RedirectCheck(),
            RefusalCheck(),
            PingCheck(),
            PlaylistAvailabilityCheck(library: library),
            SegmentCheck(),
            SteeringCheck(),
        ]
        ofVersions = [
            BlockingReloadCheck(),
            BodyCheck(),
            StandstillCheck(),
            CourseCheck(library: library),
            EdgeOrderCheck(breaks: breaks),
            DisagreementCheck(library, breaks),
            ForeignSessionCheck(breaks: breaks),
            AnnouncementCheck(breaks: breaks),
            EarlyReturnCheck(breaks),
        ]
        ofBreaks = [
            PodRequestCheck(),
            PodAvailabilityCheck(),
            PodAgreementCheck(),
            PodContentCheck(),
            PodRulesCheck(assets: assets),
            ForeignContentCheck(),
            AssetListCheck(),
            FillCheck(),
        ]
    }
}

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
