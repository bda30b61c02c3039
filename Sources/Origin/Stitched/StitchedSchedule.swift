import AdServing
import HLS
import HTTPTypes

/// A pure function of plan and clock, in segments.
struct StitchedSchedule: Sendable {
    struct Break: Sendable, Hashable {
        /// Media sequence.
        let first: UInt64
        let count: UInt64
        let ordinal: Int

        /// First content segment after it.
        var end: UInt64 { first &+ count }
    }

    struct Place: Sendable, Hashable {
        let stitched: Break
        let index: UInt64
        /// From 0.
        let ad: Int
        let numberInAd: Int

        var beginsAd: Bool { numberInAd == 0 }
    }

    let plan: StitchedPlan
    let timeline: ChannelTimeline
    private let count: UInt64
    /// All ads but the last.
    let segmentsPerAd: UInt64

    init(_ plan: StitchedPlan, timeline: ChannelTimeline) {
        (self.plan, self.timeline) = (plan, timeline)
        let segment = Int64(timeline.segmentSeconds) * 1_000_000
        count = Self.segments(plan.duration, each: segment)
        segmentsPerAd = Self.segments(plan.adDuration, each: segment)
    }

    /// Nil for content.
    func place(of segment: UInt64) -> Place? {
        guard let stitched = latest(startingBy: segment), segment < stitched.end else { return nil }
        let index = segment - stitched.first
        let (ad, number) = index.quotientAndRemainder(dividingBy: segmentsPerAd)
        return Place(stitched: stitched, index: index, ad: Int(ad), numberInAd: Int(number))
    }

    func breakEnding(before segment: UInt64) -> Break? {
        guard let stitched = latest(startingBy: segment), stitched.end == segment else { return nil }
        return stitched
    }

    /// 1 for the first break that is scheduled after `started`.
    func number(ofBreakAt epochSeconds: Int64, since started: WallTime) -> Int? {
        guard let first = timeline.segment(beginningAt: epochSeconds), let stitched = place(of: first)?.stitched,
            stitched.first == first
        else { return nil }
        return stitched.ordinal - (plan.schedule.next(after: started)?.ordinal ?? stitched.ordinal) + 1
    }

    /// EXT-X-DISCONTINUITY-SEQUENCE of a playlist that begins with a segment.
    func discontinuities(before segment: UInt64) -> UInt64 {
        guard segment > 0, let last = latest(startingBy: segment - 1) else { return 0 }
        let whole = (count + segmentsPerAd - 1) / segmentsPerAd + 1
        let inLast: UInt64
        if segment > last.end {
            inLast = whole
        } else {
            inLast = (segment - last.first + segmentsPerAd - 1) / segmentsPerAd
        }
        return (breaks(upTo: last) - 1) * whole + inLast
    }

    /// Overlapping breaks, and those starting before `end`.
    func breaks(from segment: UInt64, startingBefore end: WallTime) -> [Break] {
        let from = timeline.programDate(of: segment) - plan.duration - .seconds(timeline.segmentSeconds)
        return plan.schedule.breaks(in: from..<max(from, end)).compactMap(located)
    }

    private func latest(startingBy segment: UInt64) -> Break? {
        plan.schedule.latest(startingBy: timeline.programDate(of: segment)).flatMap(located)
    }

    /// Nil before the channel begins.
    private func located(_ scheduled: ScheduledBreak) -> Break? {
        let elapsed = scheduled.start.microseconds - ChannelTimeline.zeroSeconds * 1_000_000
        guard elapsed >= 0 else { return nil }
        let segment = Int64(timeline.segmentSeconds) * 1_000_000
        return Break(first: UInt64((elapsed + segment - 1) / segment), count: count, ordinal: scheduled.ordinal)
    }

    private func breaks(upTo last: Break) -> UInt64 {
        let first = plan.schedule.next(after: WallTime(microseconds: ChannelTimeline.zeroSeconds * 1_000_000 - 1))
        return UInt64(max(1, last.ordinal - (first?.ordinal ?? 1) + 1))
    }

    private static func segments(_ duration: Duration, each: Int64) -> UInt64 {
        UInt64(max(1, (duration.wholeMicroseconds + each - 1) / each))
    }
}

final class StitchedMedia: Sendable {
    private struct Key: Hashable {
        let rendition: Int
        let number: UInt64
        /// Nil for the whole segment.
        let part: Int?
    }

    let schedule: StitchedSchedule
    private let timeline: ChannelTimeline
    private let renditions: [LiveRendition]
    private let media: LiveMedia
    /// An ad has one for each of its segments and parts.
    private let answers = BoundedCache<Key, Answer>(limit: 4_096)

    init(_ plan: StitchedPlan, channel: LiveChannel, clips: ClipLibrary) throws {
        timeline = channel.timeline
        renditions = channel.playlist.renditions
        schedule = StitchedSchedule(plan, timeline: timeline)
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
        return answers.value(Key(rendition: route.rendition, number: file.number, part: part)) {
            let bytes =
                part.map { media.part(PartName(segment: file.number, part: $0), of: route.rendition) }
                ?? media.segment(file.number, of: route.rendition)
            return Answer(contentType: .video, caching: .immutable, body: bytes)
        }
    }
}
