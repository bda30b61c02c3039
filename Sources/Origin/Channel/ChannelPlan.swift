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
    /// Throws `ChannelPlanError` with every mistake in it.
    static func read(_ text: String) throws(ChannelPlanError) -> ChannelPlan {
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
        guard mistakes.all.isEmpty else { throw ChannelPlanError(mistakes: mistakes.all.sorted { $0.line < $1.line }) }
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

    /// Throws what does not go together with the channel's settings, all of it at once.
    func validate(on configuration: OriginConfiguration) throws(OriginConfigurationError) {
        let mistakes = lowLatency?.mistakes(configuration) ?? []
        guard mistakes.isEmpty else {
            throw OriginConfigurationError(
                mistakes: mistakes.map { .init(.channelPlanPath, file: configuration.channelPlanPath, $0) }
            )
        }
    }
}

/// Every mistake in a channel plan at once, each with its line.
package struct ChannelPlanError: Error, Equatable, CustomStringConvertible {
    /// A mistake and where it stands.
    package struct Mistake: Equatable, Sendable {
        /// Counted from 1.
        package let line: Int
        /// What is wrong and what is allowed.
        package let message: String
    }

    /// In the order of their lines, never empty.
    package let mistakes: [Mistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }
}
