extension PlanRules {
    func judgeImpressions() {
        if case .sink(let server) = plan.impressions, let address = WebAddress(server) {
            reading.rule(
                "impressionSink",
                "target",
                isBroken: !address.isPermitted(by: plan.target.authorisedHosts),
                message: "the host \(ShownValue.of(address.host)) may not be asked",
                allowed: "loopback and what the target's authorisedHosts names"
            )
        }
        reading.rule(
            "impressionSink",
            "impressions",
            isBroken: reading.isGiven("impressionSink") && reading.isGiven("impressions"),
            message: "says already what becomes of impressions",
            allowed: "one of impressions and impressionSink"
        )
        judgeChannelSegments()
    }

    /// A viewer that loads the channel also loads the ads stitched into it.
    ///
    /// Unmarked ads are known to be free of charge only for podswarm's own origin.
    private func judgeChannelSegments() {
        var isOwn = false
        if case .embedded = plan.target { isOwn = true }
        let loadsChannel = plan.playback.segments == .content || plan.playback.segments == .all
        let isMarked = plan.breaks.recognisesStitched
        reading.rule(
            "playback.segments",
            "breaks.stitched",
            "impressions",
            "impressionSink",
            "target",
            isBroken: loadsChannel && (isMarked || !isOwn) && plan.impressions != .allowed,
            message: "\(plan.playback.segments.rawValue) loads "
                + (isMarked ? "the ads that are stitched into" : "also ads that nobody marked in")
                + " the channel, which may count as views",
            allowed: "none or ads, or impressions: allowed"
        )
    }
}
