import AdServing
package import Audience
import Conformance
import HLS
import LoadProfile
import Players
package import Time
package import Viewer

/// Says what the answers of one loop's viewers come to when they are held against the rules, the other answers of the
/// viewer, and those of the others; and understands them on the way, each body once for all viewers.
///
/// Confined to its loop; it does no I/O and reads no clock. What it finds goes to the sink of its context.
package final class Auditor {
    package let context: AuditContext
    package let library: PlaylistLibrary
    private let checks: CheckList
    private let channel: ChannelReader
    private let breaks: BreakReader
    private let session = SessionReader()
    private let adSegments = AdSegmentLibrary()

    /// - Parameter context: What is known of the run, and where findings go.
    package init(_ context: AuditContext) {
        self.context = context
        let library = PlaylistLibrary(
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
        self.library = library
        let assets = AssetLibrary(account: context.account)
        checks = CheckList(library, assets)
        channel = ChannelReader(library: library, checks: checks.ofVersions)
        breaks = BreakReader(assets: assets, checks: checks.ofBreaks)
    }

    // MARK: Answers

    /// Whether an answer to a poll brings the version in the viewer's hand, and nothing is to be examined.
    ///
    /// One comparison of the body; everything else goes through `examine`.
    ///
    /// - Parameters:
    ///   - body: Of an answer with success that came without redirects.
    ///   - latest: The version in hand, which the answer follows.
    ///   - unchanged: How long the playlist brought nothing new when the request left, in nanoseconds.
    ///   - record: What the audit remembers of the viewer.
    /// - Returns: False where the answer is to be examined.
    package func repeated(
        _ body: UnsafeRawBufferPointer,
        after latest: SharedPlaylist,
        unchanged: Int64,
        _ record: ViewerRecord
    ) -> Bool {
        guard record.playlistIndex >= 0, !context.watchesRepeats, unchanged < latest.standstillNanoseconds else {
            return false
        }
        return library.recognise(body, as: latest, at: Int(record.playlistIndex))
    }

    /// Understands an answer, and holds it against the rules before the viewer takes it.
    ///
    /// - Parameters:
    ///   - answer: What came.
    ///   - facts: The viewer, as it was when the answer came.
    ///   - record: What the audit remembers of it.
    /// - Returns: What the viewer is to be told.
    package func examine(_ answer: consuming Answer, facts: ViewerFacts, _ record: ViewerRecord) -> ViewerEvent {
        guard answer.breakSerial == 0 else { return examineBreak(answer, facts: facts, record) }
        let (role, index) = (answer.role, answer.index)
        let examination = Examination(
            answer,
            of: AuditedViewer(facts: facts, record: record, context: context),
            breakSlot: nil
        )
        examineHead(examination)
        examination.noteWarning()
        switch role {
        case .registration: return session.registration(examination)
        case .multivariant: return channel.content(examination)
        case .playlist, .blockingPlaylist: return channel.playlist(examination)
        case .segment, .part:
            let isSuccess = examination.answer.isSuccess
            return .mediaFinished(index: index, failure: isSuccess ? nil : LoadFailure(examination.answer))
        case .metadata: return session.metadata(examination)
        case .verification: return session.verification(examination)
        case .steering: return channel.steering(examination)
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment, .assetList, .assetManifest,
            .beacon, .sessionUpdate:
            return .requestFinished(role, index: index, succeeded: examination.answer.isSuccess)
        }
    }

    /// The same for an answer to a request of a break; of one that is over, it is counted and not read.
    private func examineBreak(_ answer: consuming Answer, facts: ViewerFacts, _ record: ViewerRecord) -> ViewerEvent {
        let (role, index, serial) = (answer.role, answer.index, answer.breakSerial)
        let mediaIDs = role == .podSegment ? mediaIDs(in: answer, record) : nil
        let viewer = AuditedViewer(facts: facts, record: record, context: context)
        let subject = facts.subject(ofSerial: serial).map {
            AuditSubject(
                facts: $0,
                slot: viewer.slot(of: $0.planned),
                asset: facts.asset(ofSerial: serial, index: index)
            )
        }
        let examination = Examination(answer, of: viewer, breakSlot: subject?.slot)
        examineHead(examination)
        examination.noteWarning()
        let content = subject.map { breaks.answer(examination, of: $0, mediaIDs) } ?? .unread
        return .breakAnswered(BreakAnswer(role, serial: serial, index: index, content))
    }

    private func examineHead(_ examination: borrowing Examination) {
        guard !examination.answer.isOrdinary else { return }
        for check in checks.ofAnswers { check.examine(examination) }
    }

    /// What is known of the ids in a part of an ad, which is read where nobody has.
    private func mediaIDs(in answer: borrowing Answer, _ record: ViewerRecord) -> SegmentMediaIDs? {
        guard let request = record.adSegment, request.breakSerial == answer.breakSerial else { return nil }
        record.adSegment = nil
        adSegments.answered(
            request,
            body: answer.isSuccess ? answer.body : nil,
            initialization: record.adInitialization
        )
        if adSegments.isInitialization(request.address) { record.adInitialization = request.address }
        return request.mediaIDs
    }

    // MARK: Requests

    /// Whether the body of a part of an ad is to be kept, because its viewer reads for all what media ids it carries.
    ///
    /// - Parameters:
    ///   - url: Of the part.
    ///   - breakSerial: Of the break that it belongs to.
    ///   - facts: The viewer that is about to ask.
    ///   - record: What the audit remembers of it.
    /// - Returns: False where somebody has read it, or does, and where nobody is to.
    package func readsAdSegment(
        _ url: String,
        breakSerial: UInt16,
        facts: @autoclosure () -> ViewerFacts,
        _ record: ViewerRecord
    ) -> Bool {
        let plan = context.plan
        guard plan.readsTimedMetadata else { return false }
        let viewer = AuditedViewer(facts: facts(), record: record, context: context)
        guard viewer.facts.subject(ofSerial: breakSerial)?.isOwn == true else { return false }
        // The same part asked for again, by whoever reads it.
        if let given = record.adSegment { adSegments.answered(given, body: nil, initialization: nil) }
        var request = adSegments.asked(
            plan.playedAddress.hash(of: url, own: viewer.ownIDs),
            mayRead: plan.readsTimedMetadata(viewer.number)
        )
        request.breakSerial = breakSerial
        record.adSegment = request
        return request.reads
    }

    /// Looks at an address that a viewer is about to ask for.
    ///
    /// - Parameters:
    ///   - role: What the request is for.
    ///   - url: The address.
    ///   - breakSerial: Of the break that it belongs to; 0 for none.
    ///   - facts: The viewer; asked for where the address is examined.
    ///   - record: What the audit remembers of it.
    ///   - now: The moment.
    package func asked(
        _ role: ViewerRole,
        url: String,
        breakSerial: UInt16,
        facts: @autoclosure () -> ViewerFacts,
        _ record: ViewerRecord,
        at now: Instant
    ) {
        for check in checks.ofAddresses where check.concerns(role) {
            let viewer = AuditedViewer(facts: facts(), record: record, context: context)
            let slot =
                breakSerial == 0
                ? nil : viewer.facts.subject(ofSerial: breakSerial).map { viewer.slot(of: $0.planned) } ?? -1
            check.examine(url, role, viewer, breakSlot: slot, at: now)
        }
    }

    // MARK: Viewers

    /// A viewer's next break is in sight.
    package func scheduled(_ planned: PlannedBreak, _ record: ViewerRecord) {
        if record.current?.planned.scheduled.key != planned.scheduled.key { record.former = record.current }
        record.current = BookedBreak(planned: planned, slot: context.slot(of: planned.scheduled, from: planned.source))
        record.pod = nil
    }

    /// Books what a viewer noted itself, where that says something of its target.
    ///
    /// - Parameters:
    ///   - note: What happened.
    ///   - planned: The break that it happened to; nil for none.
    ///   - podURL: Of the pod request of the viewer's own break; empty before it is known.
    ///   - facts: The viewer; asked for where the note is examined.
    ///   - record: What the audit remembers of it.
    ///   - headers: Of the answer that the viewer made the note at; nil where it was no answer.
    ///   - now: The moment.
    package func noted(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        podURL: String,
        facts: @autoclosure () -> ViewerFacts,
        _ record: ViewerRecord,
        headers: (any AnswerHeaders)? = nil,
        at now: Instant
    ) {
        switch note {
        case .finding, .deltaMismatched, .stitchedObserved, .breakFailed, .breakFilled:
            let viewer = AuditedViewer(facts: facts(), record: record, context: context)
            NoteReader.take(note, of: planned, podURL: podURL, viewer, headers: headers, at: now)
        default: break
        }
    }

    /// A viewer is gone: what was kept for it is let go.
    package func left(_ record: ViewerRecord) {
        channel.release(record)
        (record.metadataMemory, record.listMemory) = (nil, nil)
    }
}
