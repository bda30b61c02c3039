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
