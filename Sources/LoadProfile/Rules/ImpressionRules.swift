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
        let loadsChannel = plan.playback.segments == .content || plan.playback.segments == .all
        reading.rule(
            "playback.segments",
            "breaks.stitched",
            isBroken: loadsChannel && plan.breaks.recognisesStitched && plan.impressions != .allowed,
            message: "\(plan.playback.segments.rawValue) loads the ads that are stitched into the channel, "
                + "which may count as views",
            allowed: "none or ads, or impressions: allowed"
        )
    }
}
