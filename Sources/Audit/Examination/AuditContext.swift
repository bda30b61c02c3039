package import AdServing
import HLS
package import Profile
package import Results
package import Rules
package import Transport
package import Values
package import Viewer

/// Facts known before the first answer, and the receivers of findings.
package final class AuditContext {
    let plan: ViewerPlan
    /// On all loops.
    let sessions: GivenSessions
    let acceptsGzip: Bool
    private let sessionEndStatuses: [Int]
    let recorder: LoopRecorder
    let account: BodyBudget?
    let observer: (any FindingObserver)?
    /// For checks where one viewer's answer concerns others.
    package var forEachViewer: ((_ body: (ViewerRecord, () -> ViewerMachine) -> Void) -> Void)?
    /// Each is drawn and stored once.
    private var cohortNames: [String] = []
    /// Shown texts that hold no id of a viewer: findings of a channel are the same for all.
    private var redactions: [[String]: [String]] = [:]
    let recordedMediaIDs = RecordedMediaIDs()
    let waitsForRetryAfter: Bool
    package let authorisation: Authorisation
    /// Cookies that servers set and viewers do not keep; nil where they do.
    private var droppedCookies: CookieJar?
    /// nil where no viewer is in a browser.
    package internal(set) var pages: BrowserPages?
    /// Set by checks that need repeated versions, too.
    var watchesRepeats = false

    package init(
        _ plan: ViewerPlan,
        loadPlan: LoadPlan,
        sessions: GivenSessions,
        authorised: AuthorisedHosts,
        recorder: LoopRecorder,
        account: BodyBudget? = nil,
        observer: (any FindingObserver)? = nil
    ) {
        (self.plan, self.recorder, self.account, self.observer) = (plan, recorder, account, observer)
        self.sessions = sessions
        acceptsGzip = loadPlan.connection.acceptsCompression
        sessionEndStatuses = plan.templates?.sessionEnds ?? []
        waitsForRetryAfter = loadPlan.connection.waitsForRetryAfter
        authorisation = Authorisation(hosts: authorised, field: loadPlan.target.authorisedHostsField)
        pages = BrowserPages(plan.personas, loadPlan.connection, authorised)
        let sendsOwn = loadPlan.connection.headers.keys.contains { $0.lowercased() == "cookie" }
        droppedCookies = loadPlan.connection.keepsCookies || sendsOwn ? nil : CookieJar()
    }

    /// Remembers the cookies that an answer sets and that its viewer does not keep.
    package func noteCookies(of answer: borrowing TransferResult) {
        let now = seconds(answer)
        _ = droppedCookies?.take(answer, now: now)
    }

    func missedCookies(_ answer: borrowing TransferResult) -> String {
        let names = droppedCookies?.names(for: answer.url, now: seconds(answer)) ?? []
        guard let first = names.first else { return "" }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        return "; cookie \(first.prefix(64))\(others) was set before and not sent back: connection.cookies is false"
    }

    /// Since 1970.
    func seconds(_ answer: borrowing TransferResult) -> Int64 {
        plan.timebase.wall(at: answer.doneAt).microseconds / 1_000_000
    }

    /// Other causes reject a playlist request with directives in the same words (bis-22 section 6.2.5.2); the next one without
    /// them decides.
    ///
    /// A pod or asset list with status 404 may not exist yet.
    package func endsSession(_ role: ViewerRole, status: Int) -> Bool {
        guard sessionEndStatuses.contains(status) else { return false }
        switch role {
        case .playlist: return true
        case .assetList, .podManifest: return status != 404
        case .multivariant: return plan.hasSession
        default: return false
        }
    }

    private static let keptRedactions = 256
    /// Bytes of a text.
    private static let longestRedaction = 1_024

    /// Redacted once for all viewers where it can be.
    func redacted(_ texts: [String], own: StreamID?, _ redact: (StreamID?) -> [String]) -> [String] {
        let isShared = texts.allSatisfy { text in
            text.utf8.count <= Self.longestRedaction && !text.utf8.contains(UInt8(ascii: "%"))
                && !Redaction.holdsOwn(text, own)
        }
        guard isShared else { return redact(own) }
        if let known = redactions[texts] { return known }
        let shown = redact(nil)
        redactions.keep(shown, for: texts, atMost: Self.keptRedactions)
        return shown
    }

    func cohortName(of record: ViewerRecord, number: Int, persona: UInt8) -> String {
        if let cohort = record.cohort { return cohortNames[cohort] }
        let name = plan.cohort(ofViewer: number, persona: persona)
        let known = cohortNames.firstIndex(of: name)
        if known == nil { cohortNames.append(name) }
        record.cohort = known ?? cohortNames.count - 1
        return name
    }

    package func slot(of planned: PlannedBreak, _ record: ViewerRecord) -> BreakSlot {
        if let current = record.current, current.planned === planned { return current.slot }
        return slot(of: planned.scheduled, from: planned.source)
    }

    package func slot(of scheduled: ScheduledBreak, from source: BreakSource) -> BreakSlot {
        recorder.breakSlot(
            for: scheduled.key,
            start: scheduled.start.microseconds,
            durationMilliseconds: Int(clamping: scheduled.duration.nanosecondsHeld / 1_000_000),
            meeting: plan.calendar.countsFromClick && source == .schedule ? .individual : source.meeting
        )
    }

    /// Whether a status may concern an expired session instead of the requested resource.
    func mayRefuseSession(_ status: Int) -> Bool {
        !sessionEndStatuses.isEmpty && [400, 401, 403, 410].contains(status)
    }
}

/// Gets findings as they are made, with redacted texts.
package protocol FindingObserver: AnyObject {
    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence)

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String)
}

/// Memory of the checks of one loop, to which it is confined; a full store is cleared, so that a finding may be missed but none
/// made up.
///
/// A check is a method of `Examination`; `Conformance` has the rules for a single playlist.
final class CheckMemory {
    let library: PlaylistLibrary
    let assets: AssetLibrary
    let manifests = SteeringLibrary()
    let breaks = KnownBreaks()
    var earlyReturns: [EarlyReturn] = []
    /// Keyed by the pod identifier of the first request.
    var starts: [String: WallTime] = [:]
    /// Keyed by the fingerprint of the body without the viewer's own id.
    var pods: [UInt64: GivenPod] = [:]
    /// Time of the first success, by a name that is equal for all viewers.
    var foundAt: [UInt64: Instant] = [:]
    var missing: Set<UInt64> = []

    init(library: PlaylistLibrary, assets: AssetLibrary) { (self.library, self.assets) = (library, assets) }
}

struct GivenVersion: ~Copyable {
    let shared: SharedPlaylist
    let rendition: PlayedRendition
    let known: KnownPlaylist
    let latest: SharedPlaylist?
    /// Nil for the first version of its playlist.
    let previous: SharedPlaylist?
    let changedAt: Instant

    var isNew: Bool { latest?.version != shared.version }

    var isChanged: Bool { previous?.version != shared.version }
}

/// Break that ends earlier than it was announced, as some viewers know.
struct EarlyReturn {
    let key: String
    let slot: BreakSlot
    let end: WallTime
    /// When the first viewer knew.
    let firstAt: Instant
    var missed: Set<Int> = []
}

/// Bounded: the oldest breaks are forgotten.
final class KnownBreaks {
    private struct Known {
        let key: String
        let slot: BreakSlot
        let start: WallTime
        let end: WallTime
        var earliestEnd: WallTime
    }

    private static let keptBreaks = 32
    private static let keptVersions = 8

    private var known: [Known] = []
    /// Rises when the result for a version may change.
    private var revision = 0
    private var lacking: [Int: (revision: Int, slots: [BreakSlot])] = [:]

    /// Nil for a break that had begun before this loop knew of it.
    func announced(_ notice: BreakNotice, now: WallTime, slot: @autoclosure () -> BreakSlot) -> BreakSlot? {
        if let index = index(of: notice.scheduled.key) {
            if notice.end < known[index].earliestEnd {
                known[index].earliestEnd = notice.end
                revision += 1
            }
            return known[index].slot
        }
        guard notice.scheduled.start > now else { return nil }
        let slot = slot()
        let (key, start, end) = (notice.scheduled.key, notice.scheduled.start, notice.scheduled.end)
        let new = Known(key: key, slot: slot, start: start, end: end, earliestEnd: notice.end)
        known.append(new, atMost: Self.keptBreaks)
        revision += 1
        return slot
    }

    private func index(of key: String) -> Int? { known.firstIndex { $0.key == key } }

    func slot(ofKey key: String) -> BreakSlot? { index(of: key).map { known[$0].slot } }

    /// Slots of breaks that other versions announce and this one lacks.
    ///
    /// A playlist may drop a break whose start it does not cover, but must do so for all viewers.
    func lacking(_ shared: SharedPlaylist, of playlist: KnownPlaylist) -> [BreakSlot] {
        if let kept = lacking[shared.version], kept.revision == revision { return kept.slots }
        let facts = shared.audience
        guard let covered = facts.covered else { return [] }
        let slack = Duration.nanoseconds(shared.targetNanoseconds)
        var slots: [BreakSlot] = []
        for index in known.indices {
            let start = known[index].start
            guard start + slack * 3 / 2 <= covered.upperBound else { continue }
            let coversStart = covered.lowerBound <= start
            let last = playlist[confirmed: known[index].key]
            if facts.notices.contains(where: { $0.scheduled.key == known[index].key }) {
                guard last.map({ $0 < covered.lowerBound }) ?? coversStart else { continue }
                playlist[confirmed: known[index].key] = covered.lowerBound
                revision += 1
            } else if let last, !Self.announces(facts, near: start, within: slack) {
                let isOwed = last > covered.lowerBound && covered.lowerBound + slack * 3 / 2 <= known[index].earliestEnd
                if coversStart || isOwed { slots.append(known[index].slot) }
            }
        }
        lacking.keep((revision, slots), for: shared.version, atMost: Self.keptVersions)
        return slots
    }

    /// Whether a break near `start` is announced: another name of the break is then the real problem.
    private static func announces(_ facts: AudienceFacts, near start: WallTime, within slack: Duration) -> Bool {
        facts.notices.contains { $0.scheduled.start > start - slack && $0.scheduled.start < start + slack }
    }

    /// The viewer's own break within three target durations, else an announced one.
    func slot(near date: WallTime, of shared: SharedPlaylist, for viewer: borrowing AuditedViewer) -> BreakSlot {
        let slack = Duration.nanoseconds(shared.targetNanoseconds) * 3
        if let current = viewer.record.current, current.planned.scheduled.isNear(date, within: slack) {
            return current.slot
        }
        return known.last { date >= $0.start - slack && date <= $0.end + slack }?.slot ?? .outside
    }
}
