package import Recording
package import Rules

/// Receives findings and observations of an audit; a loop's recorder stores them.
///
/// Breaks are identified by the sink's slots, -1 for none. Texts are redacted already. Autoclosures are evaluated only if the
/// text is stored, and must not use the sink.
package protocol AuditSink: AnyObject {
    func breakSlot(for key: String, start: Int64, durationMilliseconds: Int, meeting: BreakMeeting) -> Int32

    func finding(
        _ code: FindingCode,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    /// A viewer was given one of several variants of what should be equal; the end of the run shows which viewers are affected.
    func given(
        _ code: FindingCode,
        subject: String,
        fingerprint: UInt64,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    /// A viewer requested a pod.
    ///
    /// `breakStart` is nil if the pod's name came from the target.
    func podRequested(
        _ slot: Int32,
        identifier: String,
        viewer: Int?,
        breakStart: Int64?,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String
    )

    /// A viewer got content of a break that is comparable with that of other viewers.
    func podObserved(
        _ slot: Int32,
        _ content: ComparedContent,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    func breakAnnounced(
        _ slot: Int32,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    )

    /// A viewer was given a playlist that covers a break and does not announce it.
    func breakLacked(_ slot: Int32, viewer: Int, wallMicroseconds: Int64, evidence: @autoclosure () -> Evidence)

    /// Duration of ads that a viewer of a cohort requested for a break.
    func breakAsked(_ slot: Int32, cohort: String?, milliseconds: UInt64)

    /// Ads and slate that a viewer of a cohort was given for a break.
    func breakFilled(_ slot: Int32, cohort: String?, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64)

    /// Part of a break's counted ads that turned out to be slate.
    func breakSlateNamed(_ slot: Int32, cohort: String?, ads: UInt64, milliseconds: UInt64)

    func liveEdge(ageMicroseconds microseconds: Int64)

    /// Digests of words in an answer that may be sessions of another process's viewers.
    func stray(
        _ words: [UInt64],
        reach: UInt64,
        kind: RequestKind,
        isCompared: Bool,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    func serverWarned(_ kind: RequestKind, _ text: String)

    func count(_ counter: ViewerCounter, by amount: UInt64)
}

extension LoopRecorder: AuditSink {}

/// Gets findings as they are made, with redacted texts, for the explanations of `check`.
package protocol FindingObserver: AnyObject {
    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String)

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String)
}
