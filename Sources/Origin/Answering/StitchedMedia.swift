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
    private let identified = BoundedCache<LiveRoute, Answer>(limit: 128)
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

    /// The segment of the channel in whose place a file is; nil for none.
    private func segment(of route: LiveRoute) -> UInt64? {
        let number: UInt64
        switch route.file {
        case .initialization: return nil
        case .segment(let segment): number = segment
        case .part(let name): number = name.segment
        }
        guard let ad = route.ad, number < 3_600, let first = timeline.segment(beginningAt: ad.start) else { return nil }
        let segment = first + UInt64(ad.number) * schedule.segmentsPerAd + number
        guard let place = schedule.place(of: segment), place.stitched.first == first, place.ad == ad.number else {
            return nil
        }
        return UInt64(place.numberInAd) == number ? segment : nil
    }

    func part(of route: LiveRoute) -> PartName? {
        guard let name = route.file.part, !name.isGone, let segment = segment(of: route) else { return nil }
        return PartName(segment: segment, part: name.part)
    }

    /// 404 before completion, once expired, and outside of breaks.
    func answer(_ route: LiveRoute, at now: WallTime) -> Answer {
        guard !renditions[route.rendition].isText, isThere(route, at: now) else { return .empty(.notFound) }
        let plain = answers[route.rendition].value(route.file) {
            Answer(contentType: .video, caching: .immutable, body: media.bytes(of: route.file, route.rendition))
        }
        guard configuration.mediaIDs == .prefixes, case .segment(let number) = route.file,
            let place = segment(of: route).flatMap(schedule.place)
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

    private func isThere(_ route: LiveRoute, at now: WallTime) -> Bool {
        if case .initialization = route.file { return true }
        guard let edge = timeline.edge(at: now), let segment = segment(of: route) else { return false }
        guard route.file.part != nil else { return timeline.isAvailable(segment, at: edge) }
        guard let part = part(of: route)?.part, part < timeline.partsPerSegment else { return false }
        return timeline.isAvailable(segment, part: part, at: edge)
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
