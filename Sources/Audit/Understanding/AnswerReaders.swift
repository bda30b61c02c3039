import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Viewer

/// Parses each body once for all viewers.
struct ChannelReader {
    let checks: CheckList
    let manifests = SteeringLibrary()

    func content(_ examination: borrowing Examination) -> ViewerEvent {
        let plannedAt = examination.answer.plannedAt
        guard examination.answer.isSuccess else {
            examination.noteUnreached(.channelUnavailable)
            return .playlistFailed(plannedAt: plannedAt, reason: LoadFailure(examination.answer))
        }
        examination.notePersonalSessions()
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: examination.playlistSlot)
        let url = examination.answer.url
        do {
            let parsed = checks.library.parsed
            switch try checks.library.content(examination.answer.body, url: url, now: examination.answer.doneAt) {
            case .multivariant(let playlist):
                examination.foundInBody(checks.library.violations(ofContent: url))
                return .multivariant(playlist)
            case .media(let shared):
                examination.foundInBody(shared.sight.violations)
                if checks.library.parsed != parsed { Self.noteLiveEdge(of: shared.playlist, examination) }
                // The content URL is the channel's only media playlist.
                let index = examination.viewer.facts.requestIndex(of: .video)
                return .playlist(shared, plannedAt: plannedAt, index: index)
            }
        } catch {
            examination.noteUnreached(.channelUnavailable, "a body that is not a playlist")
            examination.foundNoPlaylist(error, breakSlot: examination.playlistSlot)
            return .playlistFailed(plannedAt: plannedAt, reason: .unreadable)
        }
    }

    func playlist(_ examination: borrowing Examination) -> ViewerEvent {
        let plannedAt = examination.answer.plannedAt
        let request = examination.index
        guard examination.answer.isSuccess else {
            if !examination.viewer.facts.hasWatched { examination.noteUnreached(.channelUnavailable) }
            return .playlistFailed(plannedAt: plannedAt, reason: LoadFailure(examination.answer), index: request)
        }
        guard let rendition = examination.viewer.facts.rendition(ofRequest: request) else {
            // Playlist of a variant that the viewer has left: counted and not read.
            return .mediaFinished(index: request, failure: nil)
        }
        do {
            let parsed = checks.library.parsed
            let index = index(of: rendition, examination.viewer)
            let shared = try checks.library.media(
                examination.answer.body,
                at: index,
                base: examination.answer.redirects > 0 ? examination.answer.url : nil,
                asked: examination.answer.sentAt,
                now: examination.answer.doneAt
            )
            guard !shared.isDelta else { return whole(from: shared, of: rendition, at: index, examination) }
            examine(shared, of: rendition, at: index, examination)
            if checks.library.parsed != parsed, rendition == .video {
                Self.noteLiveEdge(of: shared.playlist, examination)
            }
            let age = examination.viewer.facts.wantsAge ? UInt8(clamping: examination.answer.ageSeconds ?? 0) : 0
            return .playlist(shared, plannedAt: plannedAt, index: request, age: age)
        } catch {
            if !examination.viewer.facts.hasWatched {
                examination.noteUnreached(.channelUnavailable, "a body that is not a playlist")
            }
            examination.foundNoPlaylist(error, breakSlot: examination.playlistSlot)
            return .playlistFailed(plannedAt: plannedAt, reason: .unreadable, index: request)
        }
    }

    private func whole(
        from delta: SharedPlaylist,
        of rendition: PlayedRendition,
        at index: PlaylistLibrary.Index,
        _ examination: borrowing Examination
    ) -> ViewerEvent {
        let plannedAt = examination.answer.plannedAt
        let request = examination.index
        if examination.answer.redirects == 0, let asked = try? DeliveryDirectives(in: examination.answer.url),
            asked.skip == nil
        {
            let problem = RoleChecks.unofferedDelta(delta.playlist) ?? RoleChecks.unaskedDelta(delta.playlist)
            examination.found([problem], breakSlot: examination.playlistSlot)
        }
        guard let latest = examination.viewer.facts.latest(of: rendition),
            let whole = checks.library.whole(from: delta, after: latest, at: index, now: examination.answer.doneAt)
        else { return .deltaUnusable(plannedAt: plannedAt, index: request) }
        examine(whole, of: rendition, at: index, examination)
        return .playlist(whole, plannedAt: plannedAt, index: request)
    }

    private func examine(
        _ shared: SharedPlaylist,
        of rendition: PlayedRendition,
        at index: PlaylistLibrary.Index,
        _ examination: borrowing Examination
    ) {
        let version = GivenVersion(
            shared: shared,
            rendition: rendition,
            index: index,
            latest: examination.viewer.facts.latest(of: rendition),
            previous: examination.viewer.facts.version(before: rendition)
        )
        examination.check(version, checks)
    }

    func steering(_ examination: borrowing Examination) -> ViewerEvent {
        guard examination.answer.isSuccess else {
            switch examination.answer.failure == nil ? examination.answer.status : 0 {
            case 410: return .steeringFailed(.gone)
            case 429:
                let seconds = examination.answer.retryAfterSeconds.map { Int32(clamping: min(max($0, 0), 86_400)) }
                return .steeringFailed(.busy(retryAfter: seconds))
            default: return .steeringFailed(.failed(LoadFailure(examination.answer)))
            }
        }
        guard let channel = examination.viewer.facts.multivariant else { return .steeringFailed(.failed(.unreadable)) }
        let content = manifests.content(examination.answer.body, url: examination.answer.url, of: channel)
        examination.found(content.violations, breakSlot: examination.playlistSlot)
        return content.steering.map { .steered($0) } ?? .steeringFailed(.failed(.unreadable))
    }

    /// Looked up once for each variant that a viewer plays.
    private func index(of rendition: PlayedRendition, _ viewer: borrowing AuditedViewer) -> PlaylistLibrary.Index {
        let (record, generation) = (viewer.record, viewer.facts.generation(of: rendition))
        if let kept = record[rendition] {
            guard kept.generation != generation else { return kept.index }
            checks.library.release(kept.index)
        }
        let imports = viewer.facts.multivariant?.exports ?? [:]
        let index = checks.library.use(viewer.facts.url(of: rendition), importing: imports)
        record[rendition] = RenditionIndex(rendition: rendition, generation: generation, index: index)
        return index
    }

    /// The run's own clock keeps a step of the wall clock from appearing as a stale target.
    private static func noteLiveEdge(of playlist: MediaPlaylist, _ examination: borrowing Examination) {
        guard !playlist.hasEndList, let edge = playlist.endProgramDate else { return }
        let age = examination.wallTime.microseconds.subtractingReportingOverflow(edge.microseconds)
        examination.context.recorder.liveEdge(ageMicroseconds: age.overflow ? .max : age.partialValue)
    }
}

extension LoadFailure {
    /// Must not be called for a success.
    init(_ answer: TransferResult) {
        switch answer.failure {
        case .some(let cause): self = cause.isTimeoutForPlayers ? .timeout : cause.leavesNoStatus ? .noAnswer : .other
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

extension TransportFailure {
    /// Whether a player's own deadline would have ended it.
    fileprivate var isTimeoutForPlayers: Bool { self == .connectTimeout || self == .proxyTimeout || isTimeout }

    /// False for answers that only podswarm rejects.
    var leavesNoStatus: Bool {
        switch self {
        case .dns, .connectRefused, .connectFailed, .tls, .reset, .truncated, .protocolError, .other, .corsRefused,
            .proxyUnresolved, .proxyUnreachable, .proxyUnauthorised, .proxyRefused, .proxyBroken:
            true
        case .connectTimeout, .firstByteTimeout, .totalTimeout, .proxyTimeout: false
        case .bodyTooLarge, .unauthorisedHost, .redirectLimit, .localResources, .abandoned: false
        }
    }
}

struct BreakReader {
    let checks: CheckList

    /// `mediaIDs` are those of an ad segment.
    func answer(
        _ examination: borrowing Examination,
        of subject: BreakSubject,
        _ mediaIDs: SegmentMediaIDs?
    ) -> BreakAnswer.Content {
        let role = examination.role
        guard examination.answer.isSuccess else {
            examination.check(.nothing, of: subject, checks)
            return role.isRepeat ? .unread : .failed(Self.failure(examination, of: subject))
        }
        guard role.isRepeat || !Self.isOverdue(examination) else {
            examination.check(.nothing, of: subject, checks)
            return .failed(.deadline)
        }
        switch role {
        case .podManifest where subject.isOwn, .podPlaylist where subject.isOwn:
            return pod(examination, subject)
        case .podRepeat, .podRepeatPlaylist: return repeated(examination, subject)
        case .podSegment:
            examination.check(.segment, of: subject, checks)
            return .segment(mediaIDs)
        case .key: return .segment(nil)
        case .assetList: return list(examination, subject)
        default: return asset(examination, subject)
        }
    }

    private func pod(_ examination: borrowing Examination, _ subject: BreakSubject) -> BreakAnswer.Content {
        let url = examination.answer.url
        do {
            let playlist = try Playlist.parse(examination.answer.body)
            examination.check(.pod(playlist), of: subject, checks)
            switch playlist {
            case .media(let media): return .media(LoadedPod(media, url: url, account: examination.context.account))
            case .multivariant(let multivariant):
                guard examination.role == .podManifest else { break }
                return .multivariant(SharedMultivariant(multivariant, url: url))
            }
        } catch {
            examination.check(.noPlaylist(error), of: subject, checks)
        }
        return .failed(BreakLoadFailure(.notAPlaylist, nil))
    }

    /// Compared and not played.
    private func repeated(_ examination: borrowing Examination, _ subject: BreakSubject) -> BreakAnswer.Content {
        let playlist = try? Playlist.parse(examination.answer.body)
        examination.check(.repeated(playlist), of: subject, checks)
        guard examination.role == .podRepeat, case .multivariant(let multivariant) = playlist else { return .unread }
        return .multivariant(SharedMultivariant(multivariant, url: examination.answer.url))
    }

    private func list(_ examination: borrowing Examination, _ subject: BreakSubject) -> BreakAnswer.Content {
        do {
            var list = try AssetList(parsing: examination.answer.body)
            for index in list.assets.indices {
                list.assets[index].uri = AssetList.resolved(list.assets[index], against: examination.answer.url)
            }
            examination.viewer.record.listMemory = examination.memory(ofTimesBody: 3)
            examination.check(.list(list), of: subject, checks)
            return .list(list)
        } catch {
            examination.check(.noList(error), of: subject, checks)
            return .failed(BreakLoadFailure(.assetListMalformed, nil))
        }
    }

    private func asset(_ examination: borrowing Examination, _ subject: BreakSubject) -> BreakAnswer.Content {
        do {
            let content = try checks.assets.content(examination.answer.body, url: examination.answer.url)
            examination.check(.asset(content), of: subject, checks)
            switch content {
            case .multivariant(let playlist): return .multivariant(playlist)
            case .media(let pod): return .media(pod)
            }
        } catch {
            examination.check(.noPlaylist(error), of: subject, checks)
            return .failed(BreakLoadFailure(.assetFailed, nil))
        }
    }

    private static func rule(_ examination: borrowing Examination) -> RequestRule? {
        let personas = examination.context.plan.personas
        return personas[Int(examination.viewer.facts.personaIndex)].persona.requests.rule(for: examination.role)
    }

    private static func isOverdue(_ examination: borrowing Examination) -> Bool {
        let (firstByteAt, sentAt) = (examination.answer.firstByteAt, examination.answer.sentAt)
        guard firstByteAt != .zero, sentAt != .zero, let limit = rule(examination)?.firstByte else { return false }
        return firstByteAt &- sentAt > limit.nanosecondsHeld
    }

    /// Distinguishes passed deadlines of the player from errors.
    private static func failure(_ examination: borrowing Examination, of subject: BreakSubject) -> BreakLoadFailure {
        let ordinary = reason(of: examination.role, isOwn: subject.isOwn)
        let rule = rule(examination)
        let limit: Duration?
        switch examination.answer.failure {
        case .unauthorisedHost: return BreakLoadFailure(.unauthorised, nil)
        case .connectTimeout, .proxyTimeout: limit = rule?.connect
        case .firstByteTimeout: limit = rule?.firstByte
        case .totalTimeout: limit = rule?.total
        default: limit = nil
        }
        return BreakLoadFailure(limit == nil ? ordinary : .deadlineMissed, LoadFailure(examination.answer))
    }

    private static func reason(of role: ViewerRole, isOwn: Bool) -> BreakFailure {
        switch role {
        case .podManifest: .podManifestFailed
        case .assetList: .assetListFailed
        case .podPlaylist where isOwn: .podPlaylistFailed
        case .podSegment where isOwn, .key where isOwn: .segmentFailed
        default: .assetFailed
        }
    }
}

extension ViewerRole {
    fileprivate var isRepeat: Bool { self == .podRepeat || self == .podRepeatPlaylist }
}

struct SessionReader {
    func registration(_ examination: borrowing Examination) -> ViewerEvent {
        guard examination.answer.isSuccess else {
            examination.noteUnreached(.registrationFailed)
            // A redirect that was not followed is followed no more often at the next attempt.
            let isAnswered = examination.answer.failure == nil || examination.answer.refused?.redirect != nil
            let wait = examination.context.waitsForRetryAfter ? examination.retryAfter : nil
            let status = isAnswered ? examination.answer.status : nil
            return .registrationFailed(status: status, retryAfter: wait.map { Int32(clamping: $0) })
        }
        do {
            let adapter = examination.context.plan.adapter
            let session = try adapter.session(json: examination.answer.body, from: examination.answer.url)
            examination.noteSession(session.streamID)
            // Another viewer's session is found here, and belongs to this viewer from now on.
            examination.lookForForeignSession(in: examination.answer.body, breakSlot: examination.viewer.currentSlot)
            return .registered(session)
        } catch {
            // A success without a document counts as one without a stream id.
            return .registered(StreamSession(unreadable: error))
        }
    }

    func metadata(_ examination: borrowing Examination) -> ViewerEvent {
        guard examination.answer.isSuccess, examination.viewer.facts.wantsMetadata else { return .metadata(nil) }
        let slot = examination.viewer.currentSlot
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: slot)
        if examination.context.plan.adapter.tracksAvails {
            return AvailTracking.list(in: examination.answer.body).map { .avails($0) } ?? .metadata(nil)
        }
        let metadata = try? SessionMetadata(json: examination.answer.body)
        examination.viewer.record.metadataMemory = examination.memory(ofTimesBody: 2)
        if let metadata, let planned = examination.viewer.record.current?.planned {
            let slate = metadata.slate(of: planned.identifier)
            examination.namedSlate(slot, ads: slate.ads, duration: slate.duration)
        }
        return .metadata(metadata)
    }

    func verification(_ examination: borrowing Examination) -> ViewerEvent {
        let status = examination.answer.failure == nil ? examination.answer.status : 0
        let counter: ViewerCounter =
            switch MediaVerification.meaning(status: status) {
            case .recorded: .pingsRecorded
            case .accepted: .pingsAccepted
            case .unknown: .pingsUnknown
            case .sentByOthers: .pingsSentByOthers
            case .failed: .pingsFailed
            }
        examination.context.recorder.count(counter, by: 1)
        if counter == .pingsRecorded, examination.pingsWhatMayBePrefix {
            examination.context.recordedMediaIDs.add(examination.answer.url)
        }
        return .pingAnswered
    }
}
