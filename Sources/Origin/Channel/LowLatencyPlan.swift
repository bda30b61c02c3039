import HLS
import Profile

/// The channel plan's `lowLatency` section: delivery of the media playlists (bis-22 section 6.2.5, appendix B).
struct LowLatencyPlan: Sendable, Equatable, ProfileFields {
    /// Delta updates that `_HLS_skip` may request.
    enum DeltaUpdates: String, Sendable, CaseIterable {
        case none
        /// Without old segments.
        case segments = "YES"
        /// Without old date ranges as well.
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

    /// Lengths that divide both clips and segments into whole frames.
    static let partDurations: [Duration] = [250, 500, 1_000, 2_000].map { .milliseconds($0) }

    static let usual = LowLatencyPlan()

    static func fields(_ f: inout FieldTable<Self>) {
        let part = ScalarRule<Duration>.duration(.milliseconds(250) ... .seconds(2))
            .refusing(allowed: "250ms, 500ms, 1s, 2s") {
                partDurations.contains($0) ? nil : "is not a length of parts"
            }
        f["partDuration", \.partDuration, part] =
            "Length of a partial segment; left out, the channel has none."
        f["blocking", \.blocking, .boolean] =
            "Whether requests with `_HLS_msn` are held until the playlist has what they name."
        f["deltaUpdates", \.deltaUpdates, .choice] = "What `_HLS_skip` may ask for."
        f["preloadHints", \.preloadHints, .boolean] = "Whether the next part is announced."
        f["renditionReports", \.renditionReports, .boolean] = "Whether playlists tell of each other."
        f["holdBack", \.holdBack, .duration(.seconds(3) ... .seconds(600))] =
            "HOLD-BACK; left out, it is three target durations."
        f["partHoldBack", \.partHoldBack, .duration(.milliseconds(500) ... .seconds(600))] =
            "PART-HOLD-BACK; left out, three part targets."
        f["goneHintEvery", \.goneHintEvery, .integer(0...1_000_000)] =
            "In each segment whose number is a multiple of this, the first hinted part never comes, as when an ad ends "
            + "early; with 0 hints always come true."
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

    /// CAN-SKIP-UNTIL in target durations, the least that is allowed (bis-22 section 4.4.3.8).
    static let skipBoundarySegments = 6
}
