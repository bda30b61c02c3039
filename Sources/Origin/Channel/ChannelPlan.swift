import Profile

/// Plan of a live channel: a YAML mapping of optional sections.
///
/// An empty plan is the plain channel: one rendition per variant, whole segments, announced breaks.
struct ChannelPlan: Sendable, Equatable, ProfileFields {
    var interstitials: [InterstitialScript] = []
    var stitched: StitchedPlan?

    static let plain = ChannelPlan()

    /// Nil: whole segments, no blocking and no delta updates.
    var lowLatency: LowLatencyPlan?
    var renditions = RenditionsPlan()
    var variables = VariablesPlan()
    /// Nil: one pathway without a name.
    var steering: SteeringPlan?

    static let usual = plain

    static func fields(_ f: inout FieldTable<Self>) {
        f["lowLatency", \.lowLatency, .section] = "How the media playlists are delivered."
        f["renditions", \.renditions, .section] = "Media that is not inside the variants."
        f["variables", \.variables, .section] = "EXT-X-DEFINE in the channel's playlists."
        f["steering", \.steering, .section] =
            "Several pathways, and a manifest that says which one to take."
        f.add(
            "interstitials",
            "Interstitials that the live playlists schedule.",
            schema: .list(of: InterstitialScript.schema()),
            read: { $1.interstitials = InterstitialScript.list(reading: $0, at: "interstitials") }
        )
        f["stitched", \.stitched, .section] = "Breaks that the channel itself carries."
    }

    static func read(_ text: String) throws(PlanError) -> ChannelPlan { try PlanError.reading(text) }

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
