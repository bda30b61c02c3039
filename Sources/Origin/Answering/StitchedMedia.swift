import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Values

final class StitchedMedia: Sendable {
    let schedule: StitchedSchedule
    private let timeline: ChannelTimeline
    private let renditions: [LiveRendition]
    private let media: LiveMedia
    /// Indexed by rendition; an ad has one for each of its segments and parts.
    private let answers: [BoundedCache<LiveFile, Answer>]
    /// Media ids enlarge segments.
    private let identified = BoundedCache<StitchedRoute, Answer>(limit: 128)
    private let configuration: OriginConfiguration

    init(
        _ schedule: StitchedSchedule,
        _ configuration: OriginConfiguration,
        channel: LiveChannel,
        clips: ClipLibrary
    ) throws {
        (self.schedule, self.configuration) = (schedule, configuration)
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
        let plain = answers[route.rendition].value(file) {
            let bytes =
                switch file {
                case .part(let name): media.part(name, of: route.rendition)
                case .segment(let number): media.segment(number, of: route.rendition)
                }
            return Answer(contentType: .video, caching: .immutable, body: bytes)
        }
        guard configuration.mediaIDs == .prefixes, case .segment(let number) = file,
            let place = schedule.place(of: segment)
        else { return plain }
        return identified.value(route) {
            let start = Int(number) * timeline.segmentSeconds * 1_000
            let pod = pod(of: place.stitched)
            let messages = AdEvents.messages(
                ofAd: place.ad,
                milliseconds: Int(pod.ads[place.ad] / 1_000),
                decision: pod.decision.mediaNumber,
                in: start..<start + timeline.segmentSeconds * 1_000,
                seed: configuration.seed
            )
            return Answer(contentType: .video, caching: .immutable, body: messages + plain.body.readableBytesView)
        }
    }

    /// As metadata lists them while the live window does; empty for ads without media ids.
    func pods(at now: WallTime) -> [AskedPod] {
        guard configuration.mediaIDs == .prefixes, let newest = timeline.newestSegment(at: now) else { return [] }
        let first = timeline.window(newest: newest).lowerBound
        return schedule.breaks(from: first, startingBefore: timeline.programDate(of: newest + 1))
            .filter { $0.end > first }.map(pod)
    }

    /// Media ids are those of the common decision: each session verifies them at an address of its own.
    private func pod(of stitched: StitchedSchedule.Break) -> AskedPod {
        let identifier = "stitched/\(timeline.programDate(of: stitched.first).epochSeconds)"
        let ads = schedule.adSeconds(of: stitched).map { Int64($0) * 1_000_000 }
        return AskedPod(
            decision: PodDecision(identifier: identifier, salt: 0, seed: configuration.seed),
            podMicroseconds: ads.reduce(0, +),
            ads: ads
        )
    }
}
