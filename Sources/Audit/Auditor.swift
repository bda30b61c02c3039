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
    let checks: CheckMemory
    private let adSegments = AdSegmentLibrary()

    package init(_ context: AuditContext) {
        self.context = context
        let plan = context.plan
        let (start, address) = (plan.timebase.wallStart, plan.playedAddress)
        let rules = VersionRules(
            players: plan.playbackFacts,
            tolerance: plan.breaks.announcementTolerance,
            staleAfterTargets: plan.playback.staleAfterTargets
        )
        let maker = VersionMaker(
            announcements: AnnouncedBreaks(plan.breaks),
            interstitials: InterstitialReader(plan.breaks, runStart: start, playedAddress: address),
            scheduled: ScheduledAnnouncements(plan.breaks),
            sessions: context.sessions,
            rules: rules,
            account: context.account
        )
        library = PlaylistLibrary(maker)
        checks = CheckMemory(library: library, assets: AssetLibrary(account: context.account))
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
        guard let known = record.playlist?.known, !context.watchesRepeats,
            asked &- changedAt < latest.standstillNanoseconds
        else { return false }
        return library.recognise(body, as: latest, of: known, asked: asked)
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
        let mediaIDs =
            role == .podSegment || role == .segment
            ? mediaIDs(in: answer, index: index, of: serial, record) : nil
        let viewer = AuditedViewer(facts: facts, record: record, context: context)
        let subject = serial == 0 ? nil : viewer.facts.subject(ofSerial: serial, index: index)
        let examination = Examination(
            role: role,
            index: index,
            answer: answer,
            isOwnDelay: isOwnDelay,
            viewer: viewer,
            checks: checks,
            breakSlot: subject.map { context.slot(of: $0.planned, record) } ?? .outside
        )
        if !examination.isOrdinary { examination.checkAnswer() }
        examination.noteWarning()
        if context.pages != nil { examination.adviseOnPermission() }
        guard serial == 0 else {
            guard let subject else { return .breakAnswered(BreakAnswer(role, serial: serial, index: index, .unread)) }
            let content = BreakExamination(examination: examination, subject: subject).content(mediaIDs)
            return .breakAnswered(BreakAnswer(role, serial: serial, index: index, content))
        }
        switch role {
        case .registration: return examination.registration()
        case .multivariant: return examination.channelContent()
        case .playlist, .blockingPlaylist: return examination.playlist()
        case .segment, .part, .key:
            let failure = answer.isSuccess ? nil : LoadFailure(answer)
            return .mediaFinished(index: index, failure: failure, mediaIDs: mediaIDs)
        case .metadata: return examination.metadata()
        case .verification: return examination.verification()
        case .steering: return examination.steering()
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment, .assetList, .assetManifest,
            .beacon, .sessionUpdate, .preflight:
            return .requestFinished(role, index: index, succeeded: answer.isSuccess)
        }
    }

    private func mediaIDs(
        in answer: TransferResult,
        index: UInt8,
        of serial: UInt16,
        _ record: ViewerRecord
    ) -> SegmentMediaIDs? {
        guard let request = record.adSegment, request.breakSerial == serial, request.index == index else { return nil }
        record.adSegment = nil
        let body = answer.isSuccess ? answer.body : nil
        adSegments.answered(request, body: body, initialization: record.adInitialization)
        if adSegments.isInitialization(request.address) { record.adInitialization = request.address }
        return request.mediaIDs
    }

    /// Whether this viewer reads the media ids of a segment for all; without a break, of the programme's video.
    package func readsAdSegment(
        _ role: ViewerRole,
        url: String,
        at place: (index: UInt8, breakSerial: UInt16),
        facts: @autoclosure () -> ViewerMachine,
        _ record: ViewerRecord
    ) -> Bool {
        let plan = context.plan
        let isAsked =
            switch role {
            case .podSegment: plan.readsTimedMetadata
            case .segment: plan.verifiesProgramme
            default: false
            }
        guard isAsked else { return false }
        let viewer = AuditedViewer(facts: facts(), record: record, context: context)
        let isRead =
            role == .podSegment
            ? viewer.facts.planned(ofSerial: place.breakSerial)?.isOwn == true
            : viewer.facts.verifies && place.index == viewer.facts.requestIndex(of: .video)
        guard isRead else { return false }
        // The previous request of the viewer ends here if it was repeated.
        if let given = record.adSegment { adSegments.answered(given, body: nil, initialization: nil) }
        var request = adSegments.asked(
            plan.playedAddress.hash(of: url, own: viewer.ownIDs),
            mayRead: plan.readsTimedMetadata(viewer.number)
        )
        (request.breakSerial, request.index) = (place.breakSerial, place.index)
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
        guard role.traits.contains(.comesFromTarget) else { return }
        let viewer = AuditedViewer(facts: facts(), record: record, context: context)
        let slot =
            breakSerial == 0
            ? .outside : viewer.facts.planned(ofSerial: breakSerial).map { viewer.slot(of: $0) } ?? .over
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

extension FindingCode {
    fileprivate var isOfJoining: Bool { self == .registrationFailed || self == .channelUnavailable }
}

extension AuditedViewer {
    func take(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        podURL: String,
        _ answer: TransferResult?,
        at now: Instant
    ) {
        let slot = planned.map { self.slot(of: $0) } ?? .outside
        switch note {
        case .finding(let code, let expected, let observed):
            let isSilent = code.isOfJoining && observed.isEmpty
            let last = isSilent ? record.unreached[code] : nil
            // Answers are remembered only if the target is to blame.
            guard !isSilent || last != nil else { return }
            let answered = code.isOfJoining ? nil : answer
            let evidence = Evidence(
                url: redacted(last?.url ?? url(of: code, planned, podURL: podURL)),
                expected: expected,
                observed: last?.problem ?? observed,
                served: last?.served ?? answered?.servedBy(own: facts.streamID) ?? .unknown
            )
            found(code, evidence, breakSlot: slot, at: now)
        case .deltaMismatched(let mismatch, let url, let now):
            found([mismatch.violation], url: url, breakSlot: playlistSlot(at: now), at: now)
        case .breakFilled(let asked, let filled):
            guard slot != .outside else { return }
            self.filled(slot, askedMilliseconds: asked / 1_000_000, filledMilliseconds: filled / 1_000_000)
        case .breakFailed:
            guard slot != .outside else { return }
            breakLost(slot, at: now)
        case .stitchedObserved(let fingerprint, let segments):
            let match = context.plan.pods.matchStitched ?? context.plan.pods.match
            guard slot != .outside, let ads = compared(.stitchedAds(rendition: playedRendition), by: match)
            else { return }
            context.recorder.podObserved(
                slot,
                ads,
                fingerprint: fingerprint,
                at: moment(now),
                evidence: Evidence(
                    url: redacted(facts[.video].url),
                    observed: BodySummary.text(ofSegments: segments.map { Redaction.name(of: $0, own: facts.streamID) })
                )
            )
        default: break
        }
    }

    private func url(of code: FindingCode, _ planned: PlannedBreak?, podURL: String) -> String {
        switch code {
        case .registrationWithoutStreamID, .registrationFailed:
            context.plan.adServers.first ?? context.plan.sessionURL(of: number, server: 0) ?? ""
        case .channelUnavailable: [facts[.video].url, context.plan.contentURL].first { !$0.isEmpty } ?? ""
        case .breakAnnouncedLate: facts[.video].url
        case _ where planned.map({ !$0.isOwn }) ?? false: facts[.video].url
        case .adPodInfoDiffers, .mediaIDUnlisted, .metadataLag, .pingDoubled: facts.metadataURL
        default: podURL
        }
    }
}
