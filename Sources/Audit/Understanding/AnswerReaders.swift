import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Viewer

// Each body is parsed once for all viewers.
extension Examination {
    func channelContent() -> ViewerEvent {
        guard answer.isSuccess else {
            noteUnreached(.channelUnavailable)
            return .playlistFailed(plannedAt: answer.plannedAt, reason: LoadFailure(answer))
        }
        notePersonalSessions()
        lookForForeignSession(in: answer.body, breakSlot: playlistSlot)
        do {
            let parsed = checks.library.parsed
            switch try checks.library.content(answer.body, url: answer.url, now: answer.doneAt) {
            case .multivariant(let playlist):
                foundInBody(checks.library.violations(ofContent: answer.url))
                return .multivariant(playlist)
            case .media(let shared):
                foundInBody(shared.sight.violations)
                if checks.library.parsed != parsed { noteLiveEdge(of: shared.playlist) }
                // The content URL is the channel's only media playlist.
                let index = viewer.facts.requestIndex(of: .video)
                return .playlist(shared, plannedAt: answer.plannedAt, index: index)
            }
        } catch {
            noteUnreached(.channelUnavailable, "a body that is not a playlist")
            foundNoPlaylist(error, breakSlot: playlistSlot)
            return .playlistFailed(plannedAt: answer.plannedAt, reason: .unreadable)
        }
    }

    func playlist() -> ViewerEvent {
        guard answer.isSuccess else {
            if !viewer.facts.hasWatched { noteUnreached(.channelUnavailable) }
            return .playlistFailed(plannedAt: answer.plannedAt, reason: LoadFailure(answer), index: index)
        }
        guard let rendition = viewer.facts.rendition(ofRequest: index) else {
            // Playlist of a variant that the viewer has left: counted and not read.
            return .mediaFinished(index: index, failure: nil)
        }
        do {
            let parsed = checks.library.parsed
            let known = known(rendition)
            let shared = try checks.library.media(
                answer.body,
                of: known,
                base: answer.redirects > 0 ? answer.url : nil,
                asked: answer.sentAt,
                now: answer.doneAt
            )
            guard !shared.isDelta else { return whole(from: shared, of: rendition, of: known) }
            examine(shared, of: rendition, of: known)
            if checks.library.parsed != parsed, rendition == .video { noteLiveEdge(of: shared.playlist) }
            let age = viewer.facts.wantsAge ? UInt8(clamping: answer.ageSeconds ?? 0) : 0
            return .playlist(shared, plannedAt: answer.plannedAt, index: index, age: age)
        } catch {
            if !viewer.facts.hasWatched { noteUnreached(.channelUnavailable, "a body that is not a playlist") }
            foundNoPlaylist(error, breakSlot: playlistSlot)
            return .playlistFailed(plannedAt: answer.plannedAt, reason: .unreadable, index: index)
        }
    }

    private func whole(
        from delta: SharedPlaylist,
        of rendition: PlayedRendition,
        of known: KnownPlaylist
    ) -> ViewerEvent {
        if answer.redirects == 0, let asked = try? DeliveryDirectives(in: answer.url), asked.skip == nil {
            let problem = RoleChecks.unofferedDelta(delta.playlist) ?? RoleChecks.unaskedDelta(delta.playlist)
            found([problem], breakSlot: playlistSlot)
        }
        guard let latest = viewer.facts[rendition].latest,
            let whole = checks.library.whole(from: delta, after: latest, of: known, now: answer.doneAt)
        else { return .deltaUnusable(plannedAt: answer.plannedAt, index: index) }
        examine(whole, of: rendition, of: known)
        return .playlist(whole, plannedAt: answer.plannedAt, index: index)
    }

    private func examine(_ shared: SharedPlaylist, of rendition: PlayedRendition, of known: KnownPlaylist) {
        let loop = viewer.facts[rendition]
        let version = GivenVersion(
            shared: shared,
            rendition: rendition,
            known: known,
            latest: loop.latest,
            previous: loop.versionBefore,
            changedAt: loop.changedAt
        )
        check(version)
    }

    func steering() -> ViewerEvent {
        guard answer.isSuccess else {
            switch answer.failure == nil ? answer.status : 0 {
            case 410: return .steeringFailed(.gone)
            case 429:
                let seconds = answer.retryAfterSeconds.map { Int32(clamping: min(max($0, 0), 86_400)) }
                return .steeringFailed(.busy(retryAfter: seconds))
            default: return .steeringFailed(.failed(LoadFailure(answer)))
            }
        }
        guard let channel = viewer.facts.multivariant else { return .steeringFailed(.failed(.unreadable)) }
        let content = checks.manifests.content(answer.body, url: answer.url, of: channel)
        found(content.violations, breakSlot: playlistSlot)
        return content.steering.map { .steered($0) } ?? .steeringFailed(.failed(.unreadable))
    }

    /// Looked up once for each variant that a viewer plays.
    private func known(_ rendition: PlayedRendition) -> KnownPlaylist {
        let (record, index) = (viewer.record, viewer.facts.requestIndex(of: rendition))
        if let kept = record[rendition] {
            guard kept.index != index else { return kept.known }
            checks.library.release(kept.known)
        }
        let imports = viewer.facts.multivariant?.exports ?? [:]
        let known = checks.library.use(viewer.facts[rendition].url, importing: imports)
        record[rendition] = RenditionPlaylist(rendition: rendition, index: index, known: known)
        return known
    }

    /// The run's own clock keeps a step of the wall clock from appearing as a stale target.
    private func noteLiveEdge(of playlist: MediaPlaylist) {
        guard !playlist.hasEndList, let edge = playlist.endProgramDate else { return }
        let age = wallTime.microseconds.subtractingReportingOverflow(edge.microseconds)
        context.recorder.liveEdge(ageMicroseconds: age.overflow ? .max : age.partialValue)
    }
}

extension LoadFailure {
    /// Must not be called for a success.
    init(_ answer: TransferResult) {
        switch answer.failure {
        // A player's own deadline would have ended them.
        case .connectTimeout, .proxyTimeout, .firstByteTimeout, .totalTimeout: self = .timeout
        // Answers that only podswarm rejects, and requests that it did not send.
        case .bodyTooLarge, .unauthorisedHost, .redirectLimit, .localResources, .abandoned: self = .other
        case .some: self = .noAnswer
        case nil:
            switch answer.status {
            case 400: self = .badRequest
            case 401..<500: self = .clientError
            case 500: self = .internalError
            case 503: self = .unavailable
            default: self = .other
            }
        }
    }
}

/// Answer to a request of a break; valid during the call.
struct BreakExamination: ~Copyable {
    let examination: Examination
    let subject: BreakSubject

    var role: ViewerRole { examination.role }
    var answer: TransferResult { examination.answer }
    var context: AuditContext { examination.context }
    var checks: CheckMemory { examination.checks }

    /// `mediaIDs` are those of an ad segment.
    func content(_ mediaIDs: SegmentMediaIDs?) -> BreakAnswer.Content {
        notePodRequest()
        checkPodAvailability()
        noteStart()
        guard answer.isSuccess else { return role.isRepeat ? .unread : .failed(failure) }
        guard role.isRepeat || !isOverdue else { return .failed(.deadline) }
        switch role {
        case .podManifest where subject.isOwn, .podPlaylist where subject.isOwn: return pod()
        case .podRepeat, .podRepeatPlaylist: return repeatedPod()
        case .podSegment: return .segment(mediaIDs)
        case .key: return .segment(nil)
        case .assetList: return assetList()
        default: return asset()
        }
    }

    private func pod() -> BreakAnswer.Content {
        do {
            let playlist = try Playlist.parse(answer.body)
            compare(playlist)
            if case .media(let media) = playlist { checkPod(media) }
            if playlist.holdsMedia, let own = examination.viewer.facts.streamID { checkPodRules(own: own) }
            switch playlist {
            case .media(let media):
                noteFill(media)
                return .media(LoadedPod(media, url: answer.url, account: context.account))
            case .multivariant(let multivariant):
                guard role == .podManifest else { return .failed(BreakLoadFailure(.notAPlaylist, nil)) }
                return .multivariant(SharedMultivariant(multivariant, url: answer.url))
            }
        } catch {
            return unreadable(error, .notAPlaylist)
        }
    }

    private func unreadable(_ error: PlaylistError, _ failure: BreakFailure) -> BreakAnswer.Content {
        if subject.isOwn { examination.lookForForeignSession(in: answer.body, isCompared: true) }
        examination.foundNoPlaylist(error, breakSlot: examination.breakSlot)
        if !subject.isOwn { examination.lookForForeignSession(in: answer.body) }
        return .failed(BreakLoadFailure(failure, nil))
    }

    /// Compared and not played.
    private func repeatedPod() -> BreakAnswer.Content {
        let playlist = try? Playlist.parse(answer.body)
        compareRepeated(playlist)
        guard role == .podRepeat, case .multivariant(let multivariant) = playlist else { return .unread }
        return .multivariant(SharedMultivariant(multivariant, url: answer.url))
    }

    private func assetList() -> BreakAnswer.Content {
        do {
            var list = try AssetList(parsing: answer.body)
            for index in list.assets.indices {
                list.assets[index].uri = AssetList.resolved(list.assets[index], against: answer.url)
            }
            examination.viewer.record.listMemory = examination.memory(ofTimesBody: 3)
            compare(list)
            examination.lookForForeignSession(in: answer.body)
            checkAssetList(list)
            nameSlate(of: list)
            return .list(list)
        } catch {
            examination.found([AssetListChecks.violation(of: error, in: answer.body)])
            return .failed(BreakLoadFailure(.assetListMalformed, nil))
        }
    }

    private func asset() -> BreakAnswer.Content {
        do {
            let content = try checks.assets.content(answer.body, url: answer.url)
            if case .media(let pod) = content { checkAsset(pod) }
            checkPodRules(own: StreamID(examination.viewer.facts.primaryID))
            examination.lookForForeignSession(in: answer.body)
            // Players refuse a live asset (bis-22 appendix D.1).
            if case .media(let pod) = content, pod.playlist.hasEndList { noteFill(pod.playlist) }
            return content
        } catch {
            return unreadable(error, .assetFailed)
        }
    }

    private var rule: RequestRule? {
        context.plan.personas[Int(examination.viewer.facts.personaIndex)].persona.requests.rule(for: role)
    }

    private var isOverdue: Bool {
        guard answer.firstByteAt != .zero, answer.sentAt != .zero, let limit = rule?.firstByte else { return false }
        return answer.firstByteAt &- answer.sentAt > limit.nanosecondsHeld
    }

    /// Distinguishes passed deadlines of the player from errors.
    private var failure: BreakLoadFailure {
        let limit: Duration?
        switch answer.failure {
        case .unauthorisedHost: return BreakLoadFailure(.unauthorised, nil)
        case .connectTimeout, .proxyTimeout: limit = rule?.connect
        case .firstByteTimeout: limit = rule?.firstByte
        case .totalTimeout: limit = rule?.total
        default: limit = nil
        }
        let ordinary = role.ordinaryFailure(isOwn: subject.isOwn)
        return BreakLoadFailure(limit == nil ? ordinary : .deadlineMissed, LoadFailure(answer))
    }
}

extension ViewerRole {
    fileprivate var isRepeat: Bool { self == .podRepeat || self == .podRepeatPlaylist }

    fileprivate func ordinaryFailure(isOwn: Bool) -> BreakFailure {
        switch self {
        case .podManifest: .podManifestFailed
        case .assetList: .assetListFailed
        case .podPlaylist where isOwn: .podPlaylistFailed
        case .podSegment where isOwn, .key where isOwn: .segmentFailed
        default: .assetFailed
        }
    }
}

extension Examination {
    func registration() -> ViewerEvent {
        guard answer.isSuccess else {
            noteUnreached(.registrationFailed)
            // A redirect that was not followed is followed no more often at the next attempt.
            let isAnswered = answer.failure == nil || answer.refused?.redirect != nil
            let wait = context.waitsForRetryAfter ? retryAfter : nil
            return .registrationFailed(
                status: isAnswered ? answer.status : nil,
                retryAfter: wait.map { Int32(clamping: $0) }
            )
        }
        do {
            let session =
                if let templates = context.plan.templates {
                    try templates.session(json: answer.body, from: answer.url)
                } else {
                    try StreamSession(json: answer.body)
                }
            noteSession(session.streamID)
            // Another viewer's session is found here, and belongs to this viewer from now on.
            lookForForeignSession(in: answer.body, breakSlot: viewer.currentSlot)
            return .registered(session)
        } catch {
            // A success without a document counts as one without a stream id.
            return .registered(StreamSession(unreadable: error))
        }
    }

    func metadata() -> ViewerEvent {
        guard answer.isSuccess, viewer.facts.wantsMetadata else { return .metadata(nil) }
        let slot = viewer.currentSlot
        lookForForeignSession(in: answer.body, breakSlot: slot)
        if context.plan.tracksAvails {
            return AvailTracking.list(in: answer.body).map { .avails($0.avails, nextToken: $0.nextToken) }
                ?? .metadata(nil)
        }
        let metadata = try? SessionMetadata(json: answer.body)
        viewer.record.metadataMemory = memory(ofTimesBody: 2)
        if let metadata, let planned = viewer.record.current?.planned {
            let slate = metadata.slate(of: planned.identifier)
            namedSlate(slot, ads: slate.ads, duration: slate.duration)
        }
        return .metadata(metadata)
    }

    func verification() -> ViewerEvent {
        let counter: ViewerCounter =
            switch MediaVerification.meaning(status: answer.failure == nil ? answer.status : 0) {
            case .recorded: .pingsRecorded
            case .accepted: .pingsAccepted
            case .unknown: .pingsUnknown
            case .sentByOthers: .pingsSentByOthers
            case .failed: .pingsFailed
            }
        context.recorder.count(counter, by: 1)
        if counter == .pingsRecorded, pingsWhatMayBePrefix { context.recordedMediaIDs.add(answer.url) }
        return .pingAnswered
    }
}
