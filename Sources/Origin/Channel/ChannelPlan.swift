/// What the live channel does besides going on: a YAML mapping of sections, all of them optional.
///
/// An empty plan is the plain channel: one rendition per variant, whole segments, announced breaks.
struct ChannelPlan: Sendable, Equatable {
    /// Interstitials that the live playlists schedule.
    var interstitials: [InterstitialScript] = []
    /// Breaks that the channel itself carries; nil has none.
    var stitched: StitchedPlan?

    /// The channel without anything special.
    static let plain = ChannelPlan()

    /// Nil: whole segments, no blocking and no delta updates.
    var lowLatency: LowLatencyPlan?
    var renditions = RenditionsPlan()
    var variables = VariablesPlan()
    /// Nil: one pathway without a name.
    var steering: SteeringPlan?

    /// The plan that a text describes.
    ///
    /// Throws `PlanError` with every mistake in it.
    static func read(_ text: String) throws(PlanError) -> ChannelPlan {
        let mistakes = PlanMistakes()
        var plan = ChannelPlan()
        if let root = PlanNode(yaml: text, mistakes: mistakes) {
            root.refuseUnknownKeys(allowed: sections)
            plan.lowLatency = root["lowLatency"].map(LowLatencyPlan.read)
            if let section = root["renditions"] { plan.renditions = RenditionsPlan.read(section) }
            if let section = root["variables"] { plan.variables = VariablesPlan.read(section) }
            plan.steering = root["steering"].map(SteeringPlan.read)
            plan.interstitials = InterstitialScript.list(in: root)
            plan.stitched = StitchedPlan.read(in: root)
        }
        try mistakes.throwAll()
        return plan
    }

    private static let sections = [
        "lowLatency",
        "renditions",
        "variables",
        "steering",
        "interstitials",
        "stitched",
    ]

    /// Throws every conflict with the channel's settings, all at once.
    func validate(on configuration: OriginConfiguration) throws(OriginConfigurationError) {
        let mistakes = lowLatency?.mistakes(configuration) ?? []
        guard mistakes.isEmpty else {
            throw OriginConfigurationError(
                mistakes: mistakes.map { .init(.channelPlanPath, file: configuration.channelPlanPath, $0) }
            )
        }
    }
}
