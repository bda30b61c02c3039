import AdServing
import HLS
import Profile
import Results
import Rules
package import Transport
package import Values
package import Viewer

/// Checks the answers of one loop's viewers, and parses each body once for all.
///
/// Confined to its loop; does no I/O and reads no clock.
package final class Auditor {
    package let context: AuditContext
    package let library: PlaylistLibrary
    private let checks: CheckList
    private let channel: ChannelReader
    private let breaks: BreakReader
    private let session = SessionReader()
    private let adSegments = AdSegmentLibrary()

    package init(_ context: AuditContext) {
        self.context = context
        library = PlaylistLibrary(
            announcements: AnnouncedBreaks(context.plan.breaks),
            interstitials: InterstitialReader(
                context.plan.breaks,
                runStart: context.plan.timebase.wallStart,
                playedAddress: context.plan.playedAddress
            ),
            scheduled: ScheduledAnnouncements(context.plan.breaks),
            sessions: context.sessions,
            staleAfterTargets: context.plan.playback.staleAfterTargets,
            players: context.plan.playbackFacts,
            tolerance: AnnouncementTolerance(context.plan.breaks.announcementTolerance),
            account: context.account
        )
        checks = CheckList(library: library, assets: AssetLibrary(account: context.account))
        channel = ChannelReader(checks: checks)
        breaks = BreakReader(checks: checks)
    }

    /// Whether an answer brings the version in hand: `body` must be a success without redirects; `changedAt` is the
    /// time of the playlist's last new content.
    package func repeated(
        _ body: UnsafeRawBufferPointer,
        after latest: SharedPlaylist,
        changedAt: Instant,
        asked: Instant,
        _ record: ViewerRecord
    ) -> Bool {
        guard let index = record.playlist?.index, !context.watchesRepeats,
            asked &- changedAt < latest.standstillNanoseconds
        else { return false }
        return library.recognise(body, as: latest, at: index, asked: asked)
    }

    /// `breakSerial` is 0 for none.
    ///
    /// `isOwnDelay`: the request failed because this machine stood still, so that the answer may have been there.
    package func examine(
        _ role: ViewerRole,
        index: UInt8,
        breakSerial serial: UInt16,
        _ answer: TransferResult,
        isOwnDelay: Bool,
        facts: ViewerMachine,
        _ record: ViewerRecord
    ) -> ViewerEvent {
        let mediaIDs = serial != 0 && role == .podSegment ? mediaIDs(in: answer, ofBreak: serial, record) : nil
        let viewer = AuditedViewer(facts: facts, record: record, context: context)
        let subject = serial == 0 ? nil : self.subject(ofSerial: serial, index: index, viewer)
        let examination = Examination(
            role: role,
            index: index,
            answer: answer,
            isOwnDelay: isOwnDelay,
            viewer: viewer,
            breakSlot: subject?.slot ?? .outside
        )
        if !examination.isOrdinary { examination.checkAnswer(checks) }
        examination.noteWarning()
        if context.pages != nil { examination.adviseOnPermission() }
        guard serial == 0 else {
            let content = subject.map { breaks.answer(examination, of: $0, mediaIDs) } ?? .unread
            return .breakAnswered(BreakAnswer(role, serial: serial, index: index, content))
        }
        switch role {
        case .registration: return session.registration(examination)
        case .multivariant: return channel.content(examination)
        case .playlist, .blockingPlaylist: return channel.playlist(examination)
        case .segment, .part, .key:
            return .mediaFinished(index: index, failure: answer.isSuccess ? nil : LoadFailure(answer))
        case .metadata: return session.metadata(examination)
        case .verification: return session.verification(examination)
        case .steering: return channel.steering(examination)
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment, .assetList, .assetManifest,
            .beacon, .sessionUpdate:
            return .requestFinished(role, index: index, succeeded: answer.isSuccess)
        }
    }

    private func subject(ofSerial serial: UInt16, index: UInt8, _ viewer: borrowing AuditedViewer) -> AuditSubject? {
        guard let facts = viewer.facts.subject(ofSerial: serial) else { return nil }
        return AuditSubject(
            facts: facts,
            slot: viewer.slot(of: facts.planned),
            asset: viewer.facts.asset(ofSerial: serial, index: index)
        )
    }

    private func mediaIDs(in answer: TransferResult, ofBreak serial: UInt16, _ record: ViewerRecord) -> SegmentMediaIDs?
    {
        guard let request = record.adSegment, request.breakSerial == serial else { return nil }
        record.adSegment = nil
        adSegments.answered(
            request,
            body: answer.isSuccess ? answer.body : nil,
            initialization: record.adInitialization
        )
        if adSegments.isInitialization(request.address) { record.adInitialization = request.address }
        return request.mediaIDs
    }

    /// Whether this viewer reads the segment's media ids for all.
    package func readsAdSegment(
        _ url: String,
        breakSerial: UInt16,
        facts: @autoclosure () -> ViewerMachine,
        _ record: ViewerRecord
    ) -> Bool {
        let plan = context.plan
        guard plan.readsTimedMetadata else { return false }
        let viewer = AuditedViewer(facts: facts(), record: record, context: context)
        guard viewer.facts.subject(ofSerial: breakSerial)?.isOwn == true else { return false }
        // The previous request of the viewer ends here if it was repeated.
        if let given = record.adSegment { adSegments.answered(given, body: nil, initialization: nil) }
        var request = adSegments.asked(
            plan.playedAddress.hash(of: url, own: viewer.ownIDs),
            mayRead: plan.readsTimedMetadata(viewer.number)
        )
        request.breakSerial = breakSerial
        record.adSegment = request
        return request.reads
    }

    /// `facts` is evaluated only if the URL is checked.
    package func asked(
        _ role: ViewerRole,
        url: String,
        breakSerial: UInt16,
        facts: @autoclosure () -> ViewerMachine,
        _ record: ViewerRecord,
        at now: Instant
    ) {
        guard role.comesFromTarget else { return }
        let viewer = AuditedViewer(facts: facts(), record: record, context: context)
        let slot =
            breakSerial == 0
            ? .outside : viewer.facts.subject(ofSerial: breakSerial).map { viewer.slot(of: $0.planned) } ?? .over
        viewer.checkToken(in: url, breakSlot: slot, at: now)
    }

    package func scheduled(_ planned: PlannedBreak, _ record: ViewerRecord) {
        if record.current?.planned.scheduled.key != planned.scheduled.key { record.former = record.current }
        record.current = BookedBreak(planned: planned, slot: context.slot(of: planned.scheduled, from: planned.source))
        record.pod = nil
    }

    /// `podURL` is empty before it is known; `facts` is evaluated only if the note is examined.
    package func noted(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        podURL: String,
        facts: @autoclosure () -> ViewerMachine,
        _ record: ViewerRecord,
        answer: TransferResult?,
        at now: Instant
    ) {
        switch note {
        case .finding, .deltaMismatched, .stitchedObserved, .breakFailed, .breakFilled:
            let viewer = AuditedViewer(facts: facts(), record: record, context: context)
            viewer.take(note, of: planned, podURL: podURL, answer, at: now)
        default: break
        }
    }

    package func left(_ record: ViewerRecord) {
        record.release(in: library)
        (record.metadataMemory, record.listMemory) = (nil, nil)
    }
}
