import AdServing
import HLS
import Profile
import Values

/// An empty plan has one rendition per variant, whole segments, announced breaks.
struct ChannelPlan: Sendable, Equatable, ProfileFields {
    var interstitials: [InterstitialScript] = []
    var stitched: StitchedPlan?

    /// Nil: whole segments, no blocking and no delta updates.
    var lowLatency: LowLatencyPlan?
    var renditions = RenditionsPlan()
    var variables = VariablesPlan()
    /// Nil: one pathway without a name.
    var steering: SteeringPlan?

    static let fields = FieldList(ChannelPlan()) { f in
        f.add("lowLatency", \.lowLatency, .section)
        f.add("renditions", \.renditions, .section)
        f.add("variables", \.variables, .section)
        f.add("steering", \.steering, .section)
        f.add("interstitials", read: { $1.interstitials = InterstitialScript.list(reading: $0, at: "interstitials") })
        f.add("stitched", \.stitched, .section)
    }

    func validate(on configuration: OriginConfiguration) throws(OriginConfigurationError) {
        let mistakes = lowLatency?.mistakes(configuration) ?? []
        guard mistakes.isEmpty else {
            let field = "target.embedded.channel\(configuration.channelPlanPath.map { " \($0)" } ?? "")"
            throw OriginConfigurationError(mistakes: mistakes.map { "\(field): \($0)" })
        }
    }
}

struct RenditionsPlan: Sendable, Equatable, ProfileFields {
    var audio: [String] = []
    var subtitles: [String] = []

    static let fields = FieldList(RenditionsPlan()) { f in
        f.add("audio", \.audio, .list(of: .language, isLoose: true))
        f.add("subtitles", \.subtitles, .list(of: .language, isLoose: true))
    }

    func settle(_ section: ProfileSection) {
        for (key, words) in [("audio", audio), ("subtitles", subtitles)] {
            section.reading[section.fieldPath(key), if: words.count > 8 || Set(words).count < words.count] =
                "must be a list of at most 8 different languages such as [en, es]"
        }
    }
}

extension ScalarRule<String> {
    fileprivate static var language: ScalarRule {
        text("a language such as en").refusing { word in
            (2...8).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isUnreserved }
                ? nil : "is not a language"
        }
    }
}

/// EXT-X-DEFINE (bis-22 section 4.4.2.3).
struct VariablesPlan: Sendable, Equatable, ProfileFields {
    var base: String?
    /// Required for media; defined by NAME in the multivariant playlist, by QUERYPARAM in media playlists.
    var token: String?

    static let fields = FieldList(VariablesPlan()) { f in
        f.add("base", \.base, .variableName)
        f.add("token", \.token, .variableName)
    }

    func settle(_ section: ProfileSection) {
        section.reading[section.path, if: base != nil && base == token] = "base and token must be different names"
    }

    /// Lowest EXT-X-VERSION (bis-22 section 8).
    var mediaVersion: Int { token != nil ? 11 : base != nil ? 8 : 1 }
    var multivariantVersion: Int { token != nil || base != nil ? 8 : 1 }
}

extension ScalarRule<String> {
    /// bis-22 section 4.3; `_HLS_` is reserved.
    fileprivate static var variableName: ScalarRule {
        text("letters, digits, '-' and '_', not beginning with _HLS_").refusing { name in
            let isAllowed = name.utf8.allSatisfy {
                $0.isUnreserved && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~")
            }
            return isAllowed && !name.hasPrefix("_HLS_") ? nil : "cannot name a variable"
        }
    }
}

/// Delivery of media playlists (bis-22 section 6.2.5, appendix B).
struct LowLatencyPlan: Sendable, Equatable, ProfileFields {
    /// Allowed values of `_HLS_skip`.
    enum DeltaUpdates: String, Sendable, CaseIterable {
        case none
        /// Without old segments.
        case segments = "YES"
        /// As `segments`, and without old date ranges.
        case dateRanges = "v2"
    }

    var partDuration: Duration?
    var blocking = true
    var deltaUpdates = DeltaUpdates.none
    var preloadHints = true
    var renditionReports = true
    var holdBack: Duration?
    var partHoldBack: Duration?
    var goneHintEvery = 0

    /// Divide both clips and segments into whole frames.
    static let partDurations: [Duration] = [250, 500, 1_000, 2_000].map { .milliseconds($0) }

    static let fields = FieldList(LowLatencyPlan()) { f in
        let part = ScalarRule<Duration>.duration(.milliseconds(250) ... .seconds(2))
            .refusing(allowed: "250ms, 500ms, 1s, 2s") { partDurations.contains($0) ? nil : "is not a length of parts" }
        f.add("partDuration", \.partDuration, part)
        f.add("blocking", \.blocking, .boolean)
        f.add("deltaUpdates", \.deltaUpdates, .choice)
        f.add("preloadHints", \.preloadHints, .boolean)
        f.add("renditionReports", \.renditionReports, .boolean)
        f.add("holdBack", \.holdBack, .duration(.seconds(3) ... .seconds(600)))
        f.add("partHoldBack", \.partHoldBack, .duration(.milliseconds(500) ... .seconds(600)))
        f.add("goneHintEvery", \.goneHintEvery, .integer(0...1_000_000))
    }

    var hintsParts: Bool { partDuration != nil && preloadHints }

    func mistakes(_ configuration: OriginConfiguration) -> [String] {
        var mistakes: [String] = []
        let segment = configuration.segmentDuration
        if let partDuration {
            if partDuration >= segment || segment.wholeMicroseconds % partDuration.wholeMicroseconds != 0 {
                mistakes.append("lowLatency.partDuration: \(partDuration) does not divide a segment of \(segment)")
            }
            if let partHoldBack, partHoldBack < partDuration * 2 {
                mistakes.append("lowLatency.partHoldBack: \(partHoldBack) is not at least two part durations")
            }
        }
        if let holdBack, holdBack < segment * 3 {
            mistakes.append("lowLatency.holdBack: \(holdBack) is not at least three segment durations")
        }
        if deltaUpdates != .none, configuration.windowSegments <= Self.skipBoundarySegments {
            mistakes.append(
                "lowLatency.deltaUpdates: a window of \(configuration.windowSegments) segments leaves nothing to skip; "
                    + "delta updates need more than \(Self.skipBoundarySegments)"
            )
        }
        return mistakes
    }

    /// CAN-SKIP-UNTIL in target durations, at the minimum (bis-22 section 4.4.3.8).
    static let skipBoundarySegments = 6
}

/// Content steering (bis-22 section 7).
struct SteeringPlan: Sendable, Equatable, ProfileFields {
    var pathways = ["a", "b"]
    var ttl: Duration = .seconds(300)
    /// Nil: the first pathway stays first.
    var switchEvery: Duration?
    var tooMany = 0.0
    var retryAfter: Duration = .seconds(10)

    static let fields = FieldList(SteeringPlan()) { f in
        f.add("pathways", \.pathways, .list(of: .pathway, isLoose: true))
        f.add("ttl", \.ttl, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("switchEvery", \.switchEvery, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("tooMany", \.tooMany, .share)
        f.add("retryAfter", \.retryAfter, .duration(.seconds(1) ... .seconds(3_600)))
    }

    func settle(_ section: ProfileSection) {
        let field = section.fieldPath("pathways")
        let isFit = (1...8).contains(pathways.count) && Set(pathways).count == pathways.count
        section.reading[field, if: !isFit && section.reading.isWhollySound(field)] =
            "must be a list of one to 8 different names such as [a, b]"
    }
}

extension ScalarRule<String> {
    fileprivate static var pathway: ScalarRule {
        text("a name of letters, digits, '-', '_' and '.'").refusing { name in
            name.utf8.allSatisfy { $0.isUnreserved && $0 != 0x7E } ? nil : "cannot name a pathway"
        }
    }
}

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
    static let fields = FieldList(StitchedPlan()) { f in
        let length = ScalarRule<Duration>.duration(.seconds(1) ... .seconds(PodLayout.maximumSeconds))
        f.include(\.times)
        f.add("duration", \.duration, length)
        f.add("adDuration", \.adDuration, length)
        f.add(
            "dialect",
            read: { section, plan in
                if section.says("none", at: "dialect") {
                    plan.dialects = []
                } else if let words = section.list("dialect", of: ScalarRule<Dialect>.choice, isLoose: true) {
                    plan.dialects = words.map(\.value)
                }
            }
        )
        f.add("varies", \.varies, .choice)
    }

    mutating func settle(_ section: ProfileSection) {
        schedule = times.schedule(duration: duration) ?? schedule
        times.judge(section, "stitched needs every or at")
        // Both ends move to segment boundaries, of eight seconds at most, and content must be left between two breaks.
        let shortest = duration + .seconds(16)
        let starts = (times.at ?? []).sorted()
        section["at", if: zip(starts, starts.dropFirst()).contains { $1 < $0 + shortest }] =
            "breaks must be at least 16 s apart"
        section["every", if: times.every.map { $0 < shortest } ?? false] =
            "must be at least 16 s longer than duration"
        section["dialect", if: Set(dialects).count < dialects.count] = "must not name a dialect twice"
    }
}
