import AdServing
import HLS

/// Breaks that are stitched into the channel: ad segments replace its own, marked in one or several dialects.
struct StitchedPlan: Sendable, Equatable {
    /// How a break is marked; none of the cue tags is standardised, each is what packagers write.
    enum Dialect: String, CaseIterable, Sendable {
        /// `#EXT-X-CUE-OUT:30` and `#EXT-X-CUE-IN`.
        case cueOut = "cue-out"
        /// The same, with `#EXT-X-CUE-OUT-CONT:ElapsedTime=2,Duration=30` on every further segment.
        case cueOutCont = "cue-out-cont"
        /// `#EXT-OATCLS-SCTE35:` with the splice in base64 before a cue-out.
        case oatcls
        /// `#EXT-X-SPLICEPOINT-SCTE35:` with the splice in base64 at either end.
        case splicepoint
        /// `#EXT-X-SCTE35:CUE="…",CUE-OUT=YES`, `CUE-OUT=CONT` and `CUE-IN=YES`.
        case scte35
        /// EXT-X-DATERANGE with SCTE35-OUT, later SCTE35-IN (bis-22 4.4.5.1.4).
        case dateRange = "daterange"
    }

    /// Who sees the same ads.
    enum Variation: String, CaseIterable, Sendable {
        case none
        /// Sixteen different decisions, chosen by session.
        case session
        /// The same for all whom ads are aimed at alike.
        case aim
    }

    /// Starts as planned; they are moved to the next segment boundary.
    var schedule: BreakSchedule
    var duration: Duration
    var adDuration: Duration
    /// Empty where nothing marks a break.
    var dialects: [Dialect]
    var varies = Variation.none

    /// Reads the section `stitched`; nil where it is absent or wrong.
    static func read(in root: PlanNode) -> StitchedPlan? {
        guard let node = root["stitched"] else { return nil }
        node.refuseUnknownKeys(allowed: ["every", "offset", "at", "duration", "adDuration", "dialect", "varies"])
        let hour = Duration.seconds(PodLimits.maximumSeconds)
        let duration = node.duration("duration", .seconds(1)...hour) ?? .seconds(30)
        let ads = node.duration("adDuration", .seconds(1)...hour) ?? .seconds(10)
        let dialects: [Dialect] = node.choices("dialect", orNone: "none") ?? [.cueOut]
        let varies: Variation? = node.choice("varies")
        guard let schedule = schedule(node, duration: duration) else { return nil }
        return StitchedPlan(
            schedule: schedule,
            duration: duration,
            adDuration: ads,
            dialects: dialects,
            varies: varies ?? .none
        )
    }

    private static func schedule(_ node: PlanNode, duration: Duration) -> BreakSchedule? {
        let day = Duration.seconds(86_400)
        // Both ends move to segment boundaries, of eight seconds at most, and content must be left between two breaks.
        let shortest = duration + .seconds(16)
        if let at = node["at"] {
            if node["every"] != nil { node.note("give every or at, not both") }
            let starts = at.instants().sorted()
            for (first, second) in zip(starts, starts.dropFirst()) where second < first + shortest {
                at.note("breaks must be at least 16 s apart")
            }
            return starts.isEmpty ? nil : .list(starts, duration: duration)
        }
        guard let every = node.duration("every", .seconds(1)...day) else {
            if node["every"] == nil { node.note("stitched needs every or at") }
            return nil
        }
        if every < shortest { node.note("every must be at least 16 s longer than duration") }
        let offset = node.duration("offset", .zero...day) ?? .zero
        return .every(
            interval: every,
            epoch: WallTime(microseconds: 0),
            firstOffset: offset,
            duration: duration
        )
    }
}
