import HLS

struct StitchedMarkup: ChannelAdditions {
    /// For ads that vary by session; 0 is the common one.
    static let decisions: UInt8 = 16
    /// For a planned fault only.
    static let mismatch: UInt8 = 17

    let schedule: StitchedSchedule
    private let seed: UInt64
    private let catalogue: CreativeCatalogue
    private let lead: Duration

    init(_ schedule: StitchedSchedule, seed: UInt64, lead: Duration) {
        (self.schedule, self.seed, self.lead) = (schedule, seed, lead)
        catalogue = CreativeCatalogue(seed: seed)
    }

    /// Text has no ads but keeps the discontinuities: they are equal in all renditions (bis-22 6.2.4).
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment? {
        if let place = schedule.place(of: number) {
            var added = AddedSegment(isDiscontinuity: place.beginsAd, otherTags: tags(at: place))
            guard !rendition.isText else { return added }
            let folder = folder(place, salt: UInt8(truncatingIfNeeded: view))
            added.stem = "\(folder)/\(place.numberInAd)"
            added.map = "\(folder)/init.mp4"
            return added
        }
        return schedule.breakEnding(before: number).map {
            AddedSegment(isDiscontinuity: true, otherTags: inTags($0))
        }
    }

    func discontinuities(before number: UInt64) -> UInt64 { schedule.discontinuities(before: number) }

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
        return "stitched/\(start)/\(place.ad)-\(catalogue.names[decision.creative(at: place.ad)])"
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
}

extension StitchedMarkup {
    private func tags(at place: StitchedSchedule.Place) -> [String] {
        place.index == 0 ? outTags(place.stitched) : continuationTags(place)
    }

    private func outTags(_ stitched: StitchedSchedule.Break) -> [String] {
        let dialects = schedule.plan.dialects
        let splice = Base64.text(splice(stitched, isOut: true).bytes)
        let seconds = Int64(stitched.count) * Int64(schedule.timeline.segmentSeconds)
        var tags: [String] = []
        if dialects.contains(.oatcls) { tags.append("#EXT-OATCLS-SCTE35:\(splice)") }
        if dialects.contains(.splicepoint) { tags.append("#EXT-X-SPLICEPOINT-SCTE35:\(splice)") }
        if dialects.contains(.scte35) {
            tags.append("#EXT-X-SCTE35:CUE=\"\(splice)\",ID=\"\(stitched.ordinal)\",TIME=0,CUE-OUT=YES")
        }
        if hasCues { tags.append("#EXT-X-CUE-OUT:\(seconds)") }
        return tags
    }

    private func continuationTags(_ place: StitchedSchedule.Place) -> [String] {
        let dialects = schedule.plan.dialects
        let each = Int64(schedule.timeline.segmentSeconds)
        let (elapsed, seconds) = (Int64(place.index) * each, Int64(place.stitched.count) * each)
        var tags: [String] = []
        if dialects.contains(.scte35) {
            let splice = Base64.text(splice(place.stitched, isOut: true).bytes)
            let identity = "ID=\"\(place.stitched.ordinal)\",ELAPSED=\(elapsed)"
            tags.append("#EXT-X-SCTE35:CUE=\"\(splice)\",\(identity),CUE-OUT=CONT")
        }
        if dialects.contains(.cueOutCont) {
            tags.append("#EXT-X-CUE-OUT-CONT:ElapsedTime=\(elapsed),Duration=\(seconds)")
        }
        return tags
    }

    private func inTags(_ stitched: StitchedSchedule.Break) -> [String] {
        let dialects = schedule.plan.dialects
        let splice = Base64.text(splice(stitched, isOut: false).bytes)
        var tags: [String] = []
        if dialects.contains(.splicepoint) { tags.append("#EXT-X-SPLICEPOINT-SCTE35:\(splice)") }
        if dialects.contains(.scte35) {
            tags.append("#EXT-X-SCTE35:CUE=\"\(splice)\",ID=\"\(stitched.ordinal)\",CUE-IN=YES")
        }
        if hasCues { tags.append("#EXT-X-CUE-IN") }
        return tags
    }

    private var hasCues: Bool { schedule.plan.dialects.contains { [.cueOut, .cueOutCont, .oatcls].contains($0) } }
}
