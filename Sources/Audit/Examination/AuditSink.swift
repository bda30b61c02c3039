package import Recording
package import Rulebook

/// Takes what an audit finds and observes; a loop's recorder keeps it.
///
/// Breaks are named by the small numbers under which the sink keeps them, -1 for none. Texts are redacted already. Those
/// that are asked for late are built only where they are kept, and must not use the sink.
package protocol AuditSink: AnyObject {
    /// The number under which a break is kept.
    func breakSlot(for key: String, start: Int64, durationMilliseconds: Int, meeting: BreakMeeting) -> Int32

    /// A viewer found something wrong.
    func finding(
        _ code: FindingCode,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    /// A viewer was given one of several variants of what should be one; whom that affects shows at the end.
    func given(
        _ code: FindingCode,
        subject: String,
        fingerprint: UInt64,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    /// A viewer asked for a pod that it called after a break with this start; nil where its name was given to it.
    func podRequested(
        _ slot: Int32,
        identifier: String,
        viewer: Int?,
        breakStart: Int64?,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String
    )

    /// A viewer got something of a break that is comparable with what other viewers got.
    func podObserved(
        _ slot: Int32,
        _ content: ComparedContent,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    )

    /// A viewer was told of a break in its playlist.
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

    /// A viewer of a cohort asked for the ads of a break that is so long.
    func breakAsked(_ slot: Int32, cohort: String?, milliseconds: UInt64)

    /// A viewer of a cohort was given ads, or slate, for a break.
    func breakFilled(_ slot: Int32, cohort: String?, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64)

    /// So much of the ads that were counted for a viewer of a cohort is slate.
    func breakSlateNamed(_ slot: Int32, cohort: String?, ads: UInt64, milliseconds: UInt64)

    /// How far the live edge was behind the wall clock when a new playlist came.
    func liveEdge(ageMicroseconds microseconds: Int64)

    /// A viewer was given an answer with what may be sessions of another process's viewers, as digests.
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

    /// An ad server warned a viewer of something in the head of an answer.
    func serverWarned(_ kind: RequestKind, _ text: String)

    /// Counts something that viewers do.
    func count(_ counter: ViewerCounter, by amount: UInt64)
}

extension LoopRecorder: AuditSink {}

/// Is told of findings as they are made: what `check` explains to a person.
package protocol FindingObserver: AnyObject {
    /// Something about an answer is wrong; the texts are redacted.
    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String)

    /// The ad server warned of something in an answer; the text is redacted.
    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String)
}
