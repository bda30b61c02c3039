package import AdServing
package import Audience
import HLS
package import LoadProfile
import Rulebook
package import Viewer

/// What an audit knows of the run before the first answer, and where it says what it finds.
package final class AuditContext {
    let plan: ViewerPlan
    /// Those of the whole run, whichever loop its viewers are on.
    let sessions: GivenSessions
    /// Whether requests offer compression.
    let acceptsGzip: Bool
    /// Whether answers may say that a session is over.
    let sessionsEnd: Bool
    let sink: any AuditSink
    /// Counts the memory of what is kept of answers; nil where nobody does.
    let account: (any MemoryAccount)?
    let observer: (any FindingObserver)?
    /// The viewers of this loop.
    package weak var audience: (any AuditedAudience)?
    /// The names of the cohorts that viewers of this loop are of: each is drawn once, and kept once for all of it.
    private var cohortNames: [String] = []
    let recordedMediaIDs = RecordedMediaIDs()
    /// Set by a check that must see also answers that bring a viewer what it has.
    var watchesRepeats = false

    /// - Parameters:
    ///   - plan: What all viewers have in common.
    ///   - loadPlan: The profile, for what it says of compression.
    ///   - sessions: Where all loops note what sessions they were given.
    ///   - sink: Gets findings and observations.
    ///   - account: Counts the memory of what is kept of answers; nil where nobody does.
    ///   - observer: Is told of findings besides.
    package init(
        _ plan: ViewerPlan,
        loadPlan: LoadPlan,
        sessions: GivenSessions,
        sink: any AuditSink,
        account: (any MemoryAccount)? = nil,
        observer: (any FindingObserver)? = nil
    ) {
        self.plan = plan
        self.sink = sink
        self.account = account
        self.observer = observer
        self.sessions = sessions
        acceptsGzip = loadPlan.connection.acceptsCompression
        sessionsEnd = plan.adapter.sessionsEnd
    }

    /// Whether an answer says that the viewer's session is over.
    ///
    /// A playlist request with directives is refused in the same words for other reasons (bis-22 section 6.2.5.2); the
    /// next one without them tells.
    func endsSession(_ answer: borrowing Answer) -> Bool {
        answer.failure == nil && endsSession(answer.role, status: answer.status)
    }

    /// The same for the status of an answer that came.
    package func endsSession(_ role: ViewerRole, status: Int) -> Bool {
        guard sessionsEnd else { return false }
        switch role {
        case .playlist, .assetList, .podManifest: break
        case .multivariant where plan.adapter.hasSession: break
        default: return false
        }
        return plan.adapter.endsSession(status: status)
    }

    /// The name of the cohort that a viewer is of.
    func cohortName(of record: ViewerRecord, number: Int, persona: UInt8) -> String {
        if cohortNames.indices.contains(Int(record.cohort)) { return cohortNames[Int(record.cohort)] }
        let name = plan.matching.cohort(ofViewer: number, persona: persona)
        let known = cohortNames.firstIndex(of: name)
        if known == nil { cohortNames.append(name) }
        record.cohort = Int32(clamping: known ?? cohortNames.count - 1)
        return name
    }

    /// The measurement's number for a break of a viewer.
    package func slot(of planned: PlannedBreak, _ record: ViewerRecord) -> Int32 {
        if let current = record.current, current.planned === planned { return current.slot }
        return slot(of: planned.scheduled, from: planned.source)
    }

    /// The measurement's number for a break.
    package func slot(of scheduled: ScheduledBreak, from source: BreakSource) -> Int32 {
        sink.breakSlot(
            for: scheduled.key,
            start: scheduled.start.microseconds,
            durationMilliseconds: Int(clamping: scheduled.duration.nanosecondsHeld / 1_000_000),
            meeting: plan.calendar.countsFromClick && source == .schedule ? .individual : source.meeting
        )
    }

    /// What is refused to a session that is over says nothing of what was asked for.
    func mayRefuseSession(_ status: Int) -> Bool { sessionsEnd && [400, 401, 403, 410].contains(status) }
}

/// The viewers of a loop, where an answer to one says something of the others.
package protocol AuditedAudience: AnyObject {
    /// Calls `body` for each viewer that is there, with what makes its facts.
    func forEachViewer(_ body: (ViewerRecord, () -> ViewerFacts) -> Void)
}
