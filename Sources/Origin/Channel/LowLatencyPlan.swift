import HLS

/// The channel plan's `lowLatency` section: how the media playlists are delivered (bis-22 section 6.2.5, appendix B).
struct LowLatencyPlan: Sendable, Equatable {
    /// What `_HLS_skip` may ask for.
    enum DeltaUpdates: String, Sendable, CaseIterable {
        case none
        /// Segments are left out.
        case segments = "YES"
        /// Old date ranges as well.
        case dateRanges = "v2"
    }

    /// Length of a partial segment; nil: the channel has none.
    var partDuration: Duration?
    /// Whether requests with `_HLS_msn` are held until the playlist has what they name.
    var blocking = true
    var deltaUpdates = DeltaUpdates.none
    /// Whether the next part is announced.
    var preloadHints = true
    var renditionReports = true
    /// HOLD-BACK; nil leaves it out, so that it is three target durations.
    var holdBack: Duration?
    /// PART-HOLD-BACK; nil is three part targets.
    var partHoldBack: Duration?
    /// In each segment whose number is a multiple of this, the first hinted part never comes, as when an ad ends early;
    /// with 0 hints always come true.
    var goneHintEvery = 0

    /// Lengths that cut both clips and segments into whole frames.
    static let partDurations: [Duration] = [250, 500, 1_000, 2_000].map { .milliseconds($0) }

    static func read(_ node: PlanNode) -> LowLatencyPlan {
        node.refuseUnknownKeys(allowed: [
            "partDuration", "blocking", "deltaUpdates", "preloadHints", "renditionReports", "holdBack",
            "partHoldBack", "goneHintEvery",
        ])
        var plan = LowLatencyPlan()
        plan.partDuration = node.duration("partDuration", .milliseconds(250)...(.seconds(2)))
        if let part = plan.partDuration, !partDurations.contains(part) {
            node["partDuration"]?.note("partDuration must be one of 250ms, 500ms, 1s and 2s")
        }
        plan.blocking = node.boolean("blocking") ?? plan.blocking
        plan.deltaUpdates = node.choice("deltaUpdates") ?? plan.deltaUpdates
        plan.preloadHints = node.boolean("preloadHints") ?? plan.preloadHints
        plan.renditionReports = node.boolean("renditionReports") ?? plan.renditionReports
        plan.holdBack = node.duration("holdBack", .seconds(3)...(.seconds(600)))
        plan.partHoldBack = node.duration("partHoldBack", .milliseconds(500)...(.seconds(600)))
        plan.goneHintEvery = node.integer("goneHintEvery", 0...1_000_000) ?? plan.goneHintEvery
        return plan
    }

    /// Whether parts are announced before they are there.
    var hintsParts: Bool { partDuration != nil && preloadHints }

    /// What is wrong with the section on a channel with these settings.
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
