import AdServing
import HLS

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

    /// Lengths of the ads of a break; of one as planned where none is named.
    func adSeconds(of stitched: Break? = nil) -> [Int] {
        let count = stitched?.count ?? count
        return stride(from: 0, to: count, by: Int(segmentsPerAd)).map {
            Int(min(segmentsPerAd, count - $0)) * timeline.segmentSeconds
        }
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

/// Results are pure functions of the request: a version is made once and shared, and no later one contradicts it.
struct StitchedMarkup: Sendable {
    /// For ads that vary by session; 0 is the common one.
    static let decisions: UInt8 = 16
    /// For a planned fault only.
    static let mismatch: UInt8 = 17

    let schedule: StitchedSchedule
    private let seed: UInt64
    private let creatives: [String]
    private let lead: Duration

    init(_ schedule: StitchedSchedule, seed: UInt64, lead: Duration) {
        (self.schedule, self.seed, self.lead) = (schedule, seed, lead)
        creatives = PodDecision.creatives(seed: seed)
    }

    /// Nil leaves the channel's own; text has no ads but keeps the discontinuities, equal in all renditions (bis-22 6.2.4).
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment? {
        if let place = schedule.place(of: number) {
            var added = AddedSegment(
                isDiscontinuity: place.beginsAd,
                otherTags: tags(of: place.stitched, at: place.index)
            )
            guard !rendition.isText else { return added }
            let folder = folder(place, salt: UInt8(truncatingIfNeeded: view))
            added.stem = "\(folder)/\(place.numberInAd)"
            added.map = "\(folder)/init.mp4"
            return added
        }
        return schedule.breakEnding(before: number).map {
            AddedSegment(isDiscontinuity: true, otherTags: tags(of: $0, at: nil))
        }
    }

    /// Key of a viewer's version; 0 is the common one.
    func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64 {
        if let salt = effects?.stitchedSalt, salt != 0 { return UInt64(salt) }
        return switch schedule.plan.varies {
        case .none: 0
        case .session: viewer % UInt64(Self.decisions)
        case .aim: UInt64(aim().number) % UInt64(Self.decisions)
        }
    }

    /// Only for that dialect.
    func dateRanges(in version: ListedWindow) -> [DateRange] {
        guard schedule.plan.dialects.contains(.dateRange) else { return [] }
        let first = version.segments.lowerBound
        return schedule.breaks(from: first, startingBefore: version.edge + lead).flatMap { stitched -> [DateRange] in
            guard stitched.end > first else { return [] }
            let identifier = "stitched-\(start(stitched).epochSeconds)"
            let duration = length(stitched)
            var out = DateRange(id: identifier)
            (out.startDate, out.plannedDuration) = (start(stitched), duration)
            out.scte35Out = splice(stitched, isOut: true).hexadecimal
            guard version.edge > start(stitched) + duration else { return [out] }
            // Both tags have the same ID (bis-22 4.4.5.1.4).
            var back = DateRange(id: identifier)
            (back.duration, back.scte35In) = (duration, splice(stitched, isOut: false).hexadecimal)
            return [out, back]
        }
    }

    /// Names the break, so that no URI occurs twice.
    private func folder(_ place: StitchedSchedule.Place, salt: UInt8) -> String {
        let start = start(place.stitched).epochSeconds
        let decision = PodDecision(identifier: "stitched/\(start)", salt: salt, seed: seed)
        return "stitched/\(start)/\(place.ad)-\(creatives[decision.creative(at: place.ad)])"
    }

    private func start(_ stitched: StitchedSchedule.Break) -> WallTime {
        schedule.timeline.programDate(of: stitched.first)
    }

    private func length(_ stitched: StitchedSchedule.Break) -> Duration {
        .seconds(Int64(stitched.count) * Int64(schedule.timeline.segmentSeconds))
    }

    private func splice(_ stitched: StitchedSchedule.Break, isOut: Bool) -> SpliceInsert {
        let length = length(stitched)
        let instant = isOut ? start(stitched) : start(stitched) + length
        return SpliceInsert(ofBreak: stitched.ordinal, at: instant, lasting: length, isOut: isOut)
    }

    /// Tags before a segment of a break, counted from 0, or before the first segment after it for a nil index.
    private func tags(of stitched: StitchedSchedule.Break, at index: UInt64?) -> [String] {
        let dialects = schedule.plan.dialects
        let each = Int64(schedule.timeline.segmentSeconds)
        let (elapsed, seconds) = (Int64(index ?? 0) * each, Int64(stitched.count) * each)
        func spliceText() -> String { splice(stitched, isOut: index != nil).base64 }
        var tags: [String] = []
        if index == 0, dialects.contains(.oatcls) { tags.append("#EXT-OATCLS-SCTE35:\(spliceText())") }
        if elapsed == 0, dialects.contains(.splicepoint) { tags.append("#EXT-X-SPLICEPOINT-SCTE35:\(spliceText())") }
        if dialects.contains(.scte35) {
            let place =
                elapsed > 0 ? "ELAPSED=\(elapsed),CUE-OUT=CONT" : index == nil ? "CUE-IN=YES" : "TIME=0,CUE-OUT=YES"
            tags.append("#EXT-X-SCTE35:CUE=\"\(spliceText())\",ID=\"\(stitched.ordinal)\",\(place)")
        }
        if elapsed > 0, dialects.contains(.cueOutCont) {
            tags.append("#EXT-X-CUE-OUT-CONT:ElapsedTime=\(elapsed),Duration=\(seconds)")
        }
        if elapsed == 0, hasCues { tags.append(index == nil ? "#EXT-X-CUE-IN" : "#EXT-X-CUE-OUT:\(seconds)") }
        return tags
    }

    private var hasCues: Bool { schedule.plan.dialects.contains { [.cueOut, .cueOutCont, .oatcls].contains($0) } }
}
