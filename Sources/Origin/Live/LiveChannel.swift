import HLS
import HTTPTypes
import Profile
import Synchronization

/// All clients share the bytes of a playlist, segment or part.
final class LiveChannel: Sendable {
    private struct Form: Hashable {
        let rendition: Int
        let view: UInt64
        let delta: PlaylistVersion.Delta?
    }

    private struct KeptPlaylist {
        let answer: NegotiatedAnswer
        /// For requests that waited.
        let blocked: NegotiatedAnswer
        let isShortened: Bool
    }

    private struct Kept {
        /// For frozen and current playlists.
        var playlists: [LiveEdge: [Form: KeptPlaylist]] = [:]
        /// Indexed by rendition.
        var files: [[LiveFile: Answer]]
    }

    private static let maximumEdges = 4
    /// Per edge; exceeded only if each viewer has its own playlists.
    private static let maximumForms = 1_024

    let timeline: ChannelTimeline
    let playlist: LivePlaylist
    let profiles: [ClipProfile]
    let targetDuration: Duration
    private let media: LiveMedia
    let described: MultivariantPlaylist
    private let multivariantAnswer: NegotiatedAnswer
    private let initializations: [Answer]
    private let kept: Mutex<Kept>

    init(
        _ configuration: OriginConfiguration,
        plan: ChannelPlan = .usual,
        address: OriginAddress? = nil,
        clips library: ClipLibrary
    ) throws {
        playlist = LivePlaylist(configuration, plan: plan, address: address)
        timeline = playlist.timeline
        targetDuration = configuration.segmentDuration
        profiles = Array(ClipProfile.allCases.prefix(configuration.variantCount))
        media = try LiveMedia(playlist.renditions, timeline: timeline, library)
        let listing = MultivariantListing(configuration, plan: plan, playlist: playlist, clips: library)
        described = listing.described
        multivariantAnswer = NegotiatedAnswer(contentType: .playlist, caching: .seconds(60), body: listing.text)
        initializations = media.initializations.map { body in
            body.map { Answer(contentType: .video, caching: .immutable, body: $0) } ?? .empty(.notFound)
        }
        kept = Mutex(Kept(files: Array(repeating: [:], count: playlist.renditions.count)))
    }

    func multivariant(gzip: Bool) -> Answer { multivariantAnswer.answer(gzip: gzip) }

    /// 404 before the first segment.
    func media(
        _ rendition: Int,
        at now: WallTime,
        asked: PlaylistDirectives = .none,
        gzip: Bool
    ) -> (answer: Answer, isShortened: Bool) {
        guard let edge = timeline.edge(at: now), playlist.renditions.indices.contains(rendition) else {
            return (.empty(.notFound), false)
        }
        let form = Form(rendition: rendition, view: asked.view, delta: asked.delta)
        let found = kept.withLock { kept in kept.playlists[edge]?[form] ?? make(form, edge, &kept) }
        let answer = asked.blocks ? found.blocked : found.answer
        return (answer.answer(gzip: gzip), found.isShortened)
    }

    private func make(_ form: Form, _ edge: LiveEdge, _ kept: inout Kept) -> KeptPlaylist {
        let (text, isShortened) = playlist.media(
            PlaylistVersion(
                edge: edge,
                rendition: playlist.renditions[form.rendition],
                view: form.view,
                delta: form.delta
            )
        )
        // bis-22 appendix B.1: six target durations for a blocking request's playlist, half of one for others.
        let answer = NegotiatedAnswer(
            contentType: .playlist,
            caching: .seconds(max(1, timeline.segmentSeconds / 2)),
            body: text
        )
        let fresh = KeptPlaylist(
            answer: answer,
            blocked: answer.kept(.seconds(6 * timeline.segmentSeconds)),
            isShortened: isShortened
        )
        if kept.playlists[edge, default: [:]].count < Self.maximumForms {
            kept.playlists[edge, default: [:]][form] = fresh
        }
        if kept.playlists.count > Self.maximumEdges, let oldest = kept.playlists.keys.filter({ $0 != edge }).min() {
            kept.playlists[oldest] = nil
        }
        return fresh
    }

    func initialization(_ rendition: Int) -> Answer {
        initializations.indices.contains(rendition) ? initializations[rendition] : .empty(.notFound)
    }

    /// 404 before it is complete and once expired.
    func segment(_ segment: UInt64, of rendition: Int, at now: WallTime) -> Answer {
        guard let newest = timeline.newestSegment(at: now), playlist.renditions.indices.contains(rendition),
            timeline.isAvailable(segment, newest: newest)
        else { return .empty(.notFound) }
        return answer(.segment(segment), of: rendition, newest: newest) {
            Answer(
                contentType: playlist.renditions[rendition].isText ? .subtitles : .video,
                caching: .immutable,
                body: media.segment(segment, of: rendition)
            )
        }
    }

    /// 404 before it is complete and once expired.
    func part(_ name: PartName, of rendition: Int, at now: WallTime) -> Answer {
        guard let edge = timeline.edge(at: now), playlist.renditions.indices.contains(rendition),
            isPart(name, of: rendition), !name.isGone,
            name.segment > edge.newest
                ? edge.includes(segment: name.segment, part: name.part)
                : timeline.isAvailable(name.segment, newest: edge.newest)
            // Caches may keep the error (bis-22 appendix B.1).
        else { return .empty(.notFound, caching: .seconds(timeline.segmentSeconds)) }
        return answer(.part(name), of: rendition, newest: edge.newest) {
            Answer(
                contentType: .video,
                caching: .seconds(6 * timeline.segmentSeconds),
                body: media.part(name, of: rendition)
            )
        }
    }

    private func answer(_ file: LiveFile, of rendition: Int, newest: UInt64, make: () -> Answer) -> Answer {
        kept.withLock { kept in
            if let known = kept.files[rendition][file] { return known }
            let fresh = make()
            kept.files[rendition] = kept.files[rendition].filter {
                $0.key.number > newest || timeline.isAvailable($0.key.number, newest: newest)
            }
            kept.files[rendition][file] = fresh
            return fresh
        }
    }

    func isPart(_ name: PartName, of rendition: Int) -> Bool {
        playlist.renditions.indices.contains(rendition) && !playlist.renditions[rendition].isText
            && name.part < timeline.partsPerSegment
    }
}
