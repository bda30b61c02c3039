import AdServing
import HLS
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
