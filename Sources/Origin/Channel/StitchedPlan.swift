import AdServing
import HLS
import Profile

struct StitchedPlan: Sendable, Equatable {
    /// Packagers' tags: none is standardised.
    enum Dialect: String, CaseIterable, Sendable {
        /// `#EXT-X-CUE-OUT:30` and `#EXT-X-CUE-IN`.
        case cueOut = "cue-out"
        /// `#EXT-X-CUE-OUT-CONT:ElapsedTime=2,Duration=30` on further segments.
        case cueOutCont = "cue-out-cont"
        /// `#EXT-OATCLS-SCTE35:` with the splice in base64, before a cue-out.
        case oatcls
        /// `#EXT-X-SPLICEPOINT-SCTE35:` with the splice in base64, at either end.
        case splicepoint
        /// `#EXT-X-SCTE35:CUE="…",CUE-OUT=YES`, `CUE-OUT=CONT` and `CUE-IN=YES`.
        case scte35
        /// SCTE35-OUT, later SCTE35-IN (bis-22 4.4.5.1.4).
        case dateRange = "daterange"
    }

    enum Variation: String, CaseIterable, Sendable {
        case none
        /// Sixteen decisions, chosen by session.
        case session
        /// One decision for each aim.
        case aim
    }

    /// Starts move to the next segment boundary.
    var schedule = BreakSchedule.list([], duration: .seconds(30))
    var duration = Duration.seconds(30)
    var adDuration = Duration.seconds(10)
    /// Empty for unmarked breaks.
    var dialects = [Dialect.cueOut]
    var varies = Variation.none
    var times = PlannedTimes.usual
}

extension StitchedPlan: ProfileFields {
    static let usual = StitchedPlan()

    static func fields(_ f: inout FieldTable<Self>) {
        let length = ScalarRule<Duration>.duration(.seconds(1) ... .seconds(PodLimits.maximumSeconds))
        f.include(\.times)
        f["duration", \.duration, length] = "Length of a break."
        f["adDuration", \.adDuration, length] = "Length of each ad."
        f.add(
            "dialect",
            "How a break is marked: `none`, or a list.",
            schema: .list(of: ScalarRule<Dialect>.choice.schema),
            read: { section, plan in
                if section.says("none", at: "dialect") {
                    plan.dialects = []
                } else if let words = section.list("dialect", of: ScalarRule<Dialect>.choice, isLoose: true) {
                    plan.dialects = words.map(\.value)
                }
            }
        )
        f["varies", \.varies, .choice] = "Viewers that see the same ads."
    }

    mutating func settle(_ section: ProfileSection) {
        schedule = times.schedule(duration: duration) ?? schedule
        times.judge(section, "stitched needs every or at")
        // Both ends move to segment boundaries, of eight seconds at most, and content must be left between two breaks.
        let shortest = duration + .seconds(16)
        let starts = (times.at ?? []).sorted()
        section.rule("at", isBroken: zip(starts, starts.dropFirst()).contains { $1 < $0 + shortest }) {
            "breaks must be at least 16 s apart"
        }
        section.rule("every", isBroken: times.every.map { $0 < shortest } ?? false) {
            "must be at least 16 s longer than duration"
        }
        section.rule("dialect", isBroken: Set(dialects).count < dialects.count) { "must not name a dialect twice" }
    }
}
