import HLS
import Results
import Values
import Viewer

/// A new check is a type beside these and a line here; `Conformance` has the rules for a single playlist.
///
/// Checks that are classes remember the answers of other viewers, confined to their loop.
struct CheckList {
    let ofAnswers: [any AnswerCheck]
    let ofVersions: [any VersionCheck]
    let ofBreaks: [any BreakCheck]

    init(_ library: PlaylistLibrary, _ assets: AssetLibrary) {
        let breaks = KnownBreaks()
        ofAnswers = [
            FramingCheck(),
            RedirectCheck(),
            CrossOriginCheck(),
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

protocol AnswerCheck {
    /// Called for answers without success, with a status of 202, after redirects, and with flaws.
    func examine(_ examination: borrowing Examination)
}

protocol VersionCheck {
    /// Not called for a known version, unless `AuditContext.watchesRepeats` is set or the playlist stands still.
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination)
}

protocol BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination)
}

struct GivenVersion: ~Copyable {
    let shared: SharedPlaylist
    let rendition: PlayedRendition
    let index: PlaylistLibrary.Index
    let latest: SharedPlaylist?
    /// Nil for the first version of its playlist.
    let previous: SharedPlaylist?

    var isNew: Bool { latest?.version != shared.version }

    var isChanged: Bool { previous?.version != shared.version }
}
