import HLS
import HTTPTypes
import Synchronization

/// Serves the live channel; each playlist and segment is made once and its bytes then shared by all who ask.
final class LiveChannel: Sendable {
    private struct Kept {
        /// Per variant, by newest media sequence; a few, so that frozen and current playlists are both at hand.
        var playlists: [[UInt64: NegotiatedAnswer]]
        /// Per variant, by media sequence.
        var segments: [[UInt64: Answer]]
    }

    /// Playlists kept per variant.
    private static let maximumPlaylists = 4

    let timeline: ChannelTimeline
    let profiles: [ClipProfile]
    let targetDuration: Duration
    private let playlist: LivePlaylist
    private let clips: [ClipFile]
    private let multivariantAnswer: NegotiatedAnswer
    private let initializations: [Answer]
    private let kept: Mutex<Kept>

    init(_ configuration: OriginConfiguration, clips library: ClipLibrary) {
        playlist = LivePlaylist(configuration)
        timeline = playlist.timeline
        targetDuration = configuration.segmentDuration
        let listing = VariantListing(
            variantCount: configuration.variantCount,
            segmentSeconds: timeline.segmentSeconds,
            clip: library.live
        )
        profiles = listing.profiles
        clips = profiles.map(library.live)
        multivariantAnswer = NegotiatedAnswer(
            contentType: .playlist,
            caching: .seconds(60),
            body: listing.text { "\($0.rawValue)/media.m3u8" }
        )
        initializations = clips.map { Answer(contentType: .video, caching: .immutable, body: $0.initialization) }
        let none = Kept(
            playlists: Array(repeating: [:], count: profiles.count),
            segments: Array(repeating: [:], count: profiles.count)
        )
        kept = Mutex(none)
    }

    func multivariant(gzip: Bool) -> Answer { multivariantAnswer.answer(gzip: gzip) }

    /// The media playlist at an instant; 404 before the channel's first segment.
    func media(variant: Int, at now: WallTime, gzip: Bool) -> Answer {
        guard let newest = timeline.newestSegment(at: now), clips.indices.contains(variant) else {
            return .empty(.notFound)
        }
        return kept.withLock { kept in
            if let known = kept.playlists[variant][newest] { return known.answer(gzip: gzip) }
            let fresh = NegotiatedAnswer(
                contentType: .playlist,
                // Half a target duration, as the low-latency profile advises for playlists that were not blocked.
                caching: .seconds(max(1, timeline.segmentSeconds / 2)),
                body: playlist.media(newest: newest)
            )
            kept.playlists[variant][newest] = fresh
            if kept.playlists[variant].count > Self.maximumPlaylists, let oldest = kept.playlists[variant].keys.min() {
                kept.playlists[variant][oldest] = nil
            }
            return fresh.answer(gzip: gzip)
        }
    }

    /// The initialization section of a variant.
    func initialization(variant: Int) -> Answer {
        clips.indices.contains(variant) ? initializations[variant] : .empty(.notFound)
    }

    /// A media segment; 404 for one that is not complete yet or gone again.
    func segment(_ segment: UInt64, variant: Int, at now: WallTime) -> Answer {
        guard let newest = timeline.newestSegment(at: now), clips.indices.contains(variant),
            timeline.isAvailable(segment, newest: newest)
        else { return .empty(.notFound) }
        return kept.withLock { kept in
            if let known = kept.segments[variant][segment] { return known }
            var bytes: [UInt8] = []
            for second in timeline.seconds(of: segment) { clips[variant].append(second: second, to: &bytes) }
            let fresh = Answer(contentType: .video, caching: .immutable, body: bytes)
            kept.segments[variant] = kept.segments[variant].filter { timeline.isAvailable($0.key, newest: newest) }
            kept.segments[variant][segment] = fresh
            return fresh
        }
    }
}
