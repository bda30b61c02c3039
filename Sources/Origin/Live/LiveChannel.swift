import HLS
import HTTPTypes
import Profile
import Synchronization

/// All clients share the bytes of a playlist, segment or part.
final class LiveChannel: Sendable {
    private struct KeptPlaylist {
        let answer: NegotiatedAnswer
        /// For requests that waited.
        let blocked: NegotiatedAnswer
        let isShortened: Bool
    }

    /// For frozen and current playlists.
    private static let maximumEdges = 4

    let timeline: ChannelTimeline
    let playlist: LivePlaylist
    let profiles: [ClipProfile]
    let targetDuration: Duration
    private let media: LiveMedia
    let described: MultivariantPlaylist
    private let multivariantAnswer: NegotiatedAnswer
    private let playlists = Mutex<[LiveEdge: [PlaylistVersion: KeptPlaylist]]>([:])
    /// Indexed by rendition; one has room for all that are available.
    private let files: [BoundedCache<LiveFile, Answer>]

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
        let available = timeline.windowSegments * 3 * (1 + timeline.partsPerSegment) + 1
        files = playlist.renditions.map { _ in BoundedCache(limit: available) }
    }

    func multivariant(gzip: Bool) -> Answer { multivariantAnswer.answer(gzip: gzip) }

    func media(_ version: PlaylistVersion, isBlocking: Bool, gzip: Bool) -> (answer: Answer, isShortened: Bool) {
        let found = playlists.withLock { kept in
            if let known = kept[version.edge]?[version] { return known }
            let fresh = make(version)
            kept[version.edge, default: [:]][version] = fresh
            if kept.count > Self.maximumEdges, let oldest = kept.keys.filter({ $0 != version.edge }).min() {
                kept[oldest] = nil
            }
            return fresh
        }
        return ((isBlocking ? found.blocked : found.answer).answer(gzip: gzip), found.isShortened)
    }

    private func make(_ version: PlaylistVersion) -> KeptPlaylist {
        let (text, isShortened) = playlist.media(version)
        // bis-22 appendix B.1: six target durations for a blocking request's playlist, half of one for others.
        let answer = NegotiatedAnswer(
            contentType: .playlist,
            caching: .seconds(max(1, timeline.segmentSeconds / 2)),
            body: text
        )
        let blocked = answer.kept(.seconds(6 * timeline.segmentSeconds))
        return KeptPlaylist(answer: answer, blocked: blocked, isShortened: isShortened)
    }

    /// 404 before it is complete and once expired.
    func answer(_ file: LiveFile, of rendition: Int, at now: WallTime) -> Answer {
        let isText = playlist.renditions[rendition].isText
        let edge = timeline.edge(at: now)
        var caching = Caching.immutable
        let isThere: Bool
        switch file {
        case .initialization: isThere = !isText
        case .segment(let number): isThere = edge.map { timeline.isAvailable(number, at: $0) } ?? false
        case .part(let name):
            caching = .seconds(6 * timeline.segmentSeconds)
            let isPart = isPart(name, of: rendition) && !name.isGone
            isThere = isPart && edge.map { timeline.isAvailable(name.segment, part: name.part, at: $0) } ?? false
        }
        // Caches may keep the error of a part (bis-22 appendix B.1).
        guard isThere else {
            return .empty(.notFound, caching: file.part == nil ? .none : .seconds(timeline.segmentSeconds))
        }
        return files[rendition].value(file) {
            Answer(contentType: isText ? .subtitles : .video, caching: caching, body: media.bytes(of: file, rendition))
        }
    }

    func isPart(_ name: PartName, of rendition: Int) -> Bool {
        !playlist.renditions[rendition].isText && name.part < timeline.partsPerSegment
    }
}
