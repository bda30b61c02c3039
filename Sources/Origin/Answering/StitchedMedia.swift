import HLS
import HTTPTypes

final class StitchedMedia: Sendable {
    let schedule: StitchedSchedule
    private let timeline: ChannelTimeline
    private let renditions: [LiveRendition]
    private let media: LiveMedia
    /// Indexed by rendition; an ad has one for each of its segments and parts.
    private let answers: [BoundedCache<LiveFile, Answer>]

    init(_ schedule: StitchedSchedule, channel: LiveChannel, clips: ClipLibrary) throws {
        self.schedule = schedule
        timeline = channel.timeline
        renditions = channel.playlist.renditions
        answers = renditions.map { _ in BoundedCache(limit: 1_024) }
        media = try LiveMedia(renditions, timeline: timeline, clips.exchanged)
    }

    func segment(of route: StitchedRoute) -> UInt64? {
        guard let file = route.file, file.number < 3_600, let first = timeline.segment(beginningAt: route.start) else {
            return nil
        }
        let segment = first + UInt64(route.ad) * schedule.segmentsPerAd + file.number
        guard let place = schedule.place(of: segment), place.stitched.first == first, place.ad == route.ad else {
            return nil
        }
        return UInt64(place.numberInAd) == file.number ? segment : nil
    }

    func part(of route: StitchedRoute) -> PartName? {
        guard case .part(let name) = route.file, !name.isGone, let segment = segment(of: route) else { return nil }
        return PartName(segment: segment, part: name.part)
    }

    /// 404 before completion, once expired, and outside of breaks.
    func answer(_ route: StitchedRoute, at now: WallTime) -> Answer {
        guard renditions.indices.contains(route.rendition), !renditions[route.rendition].isText else {
            return .empty(.notFound)
        }
        guard let file = route.file else {
            let body = media.initializations[route.rendition]
            return body.map { Answer(contentType: .video, caching: .immutable, body: $0) } ?? .empty(.notFound)
        }
        guard let edge = timeline.edge(at: now), let segment = segment(of: route) else { return .empty(.notFound) }
        let part = part(of: route)?.part
        if case .part = file { guard let part, part < timeline.partsPerSegment else { return .empty(.notFound) } }
        let isThere =
            segment > edge.newest
            ? part != nil && edge.includes(segment: segment, part: part)
            : timeline.isAvailable(segment, newest: edge.newest)
        guard isThere else { return .empty(.notFound) }
        return answers[route.rendition].value(file) {
            let bytes =
                switch file {
                case .part(let name): media.part(name, of: route.rendition)
                case .segment(let number): media.segment(number, of: route.rendition)
                }
            return Answer(contentType: .video, caching: .immutable, body: bytes)
        }
    }
}
