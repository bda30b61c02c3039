import Audit
import Recording
import Rulebook

/// Takes what an audit finds in a dry run, where it says nothing of anybody.
final class SilentSink: AuditSink {
    func breakSlot(for key: String, start: Int64, durationMilliseconds: Int, meeting: BreakMeeting) -> Int32 { -1 }

    func finding(
        _ code: FindingCode,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {}

    func given(
        _ code: FindingCode,
        subject: String,
        fingerprint: UInt64,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {}

    func stray(
        _ words: [UInt64],
        reach: UInt64,
        kind: RequestKind,
        isCompared: Bool,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {}

    func podRequested(
        _ slot: Int32,
        identifier: String,
        viewer: Int?,
        breakStart: Int64?,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String
    ) {}

    func podObserved(
        _ slot: Int32,
        _ content: ComparedContent,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {}

    func breakAnnounced(
        _ slot: Int32,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    ) {}

    func breakLacked(_ slot: Int32, viewer: Int, wallMicroseconds: Int64, evidence: @autoclosure () -> Evidence) {}

    func breakAsked(_ slot: Int32, cohort: String?, milliseconds: UInt64) {}

    func breakFilled(_ slot: Int32, cohort: String?, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64) {}

    func breakSlateNamed(_ slot: Int32, cohort: String?, ads: UInt64, milliseconds: UInt64) {}

    func liveEdge(ageMicroseconds microseconds: Int64) {}

    func serverWarned(_ kind: RequestKind, _ text: String) {}

    func count(_ counter: ViewerCounter, by amount: UInt64) {}
}
