import HLS
import Viewer

/// Memory of the checks of one loop, to which it is confined.
///
/// A check is a method of `Examination` and a line below; `Conformance` has the rules for a single playlist.
struct CheckList {
    let library: PlaylistLibrary
    let assets: AssetLibrary
    let breaks = KnownBreaks()
    let earlyReturns = EarlyReturnCheck()
    let disagreement = DisagreementCheck()
    let availability = PodAvailabilityCheck()
    let agreement = PodAgreementCheck()
}

extension Examination {
    /// Called for answers without success, with a status of 202, after redirects, and with flaws.
    func checkAnswer(_ checks: CheckList) {
        checkFraming()
        checkRedirects()
        checkPermission()
        checkRefusal()
        checkPing()
        checkPlaylistAvailability(checks.library)
        checkSegment()
        checkSteering()
    }

    /// Not called for a known version, unless `AuditContext.watchesRepeats` is set or the playlist stands still.
    func check(_ version: borrowing GivenVersion, _ checks: CheckList) {
        checkBlockingReload(version)
        checkBody(version)
        checkStandstill(version)
        checkCourse(version, checks.library)
        checkEdgeOrder(version, checks.breaks)
        checks.disagreement.examine(version, checks, self)
        checkForeignSession(version, checks.breaks)
        checkAnnouncements(version, checks.breaks)
        checks.earlyReturns.examine(version, checks.breaks, self)
    }

    func check(_ content: GivenContent, of subject: BreakSubject, _ checks: CheckList) {
        notePodRequest(of: subject)
        checks.availability.examine(subject, self)
        checks.agreement.examine(content, of: subject, self)
        checkPodContent(content, of: subject)
        checkPodRules(content, checks.assets)
        checkForeignContent(content, of: subject)
        checkAssetList(content, of: subject)
        noteFill(content)
    }
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
