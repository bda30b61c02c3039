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
    package func endsSession(_ role: ViewerRole, status: Int) -> Bool {
        guard sessionEndStatuses.contains(status) else { return false }
        switch role {
        case .playlist, .assetList, .podManifest: return true
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
        let name = plan.matching.cohort(ofViewer: number, persona: persona)
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
