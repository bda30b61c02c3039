extension Persona {
    /// The player of a profile without personas: the profile's `playback`, the connection's own deadlines and no retries.
    package static func ofProfile(_ playback: PlaybackPlan) -> Persona {
        var persona = Persona.usual
        persona.name = "profile"
        persona.reload.afterChange = playback.reload == .lastSegment ? .lastSegment : .targetDuration
        persona.start.point = .holdBack
        persona.interstitials.preload = .randomPoint
        return persona
    }
}

extension LoadPlan {
    /// Whether each viewer is due for each break, except for those that report a reason.
    ///
    /// A player without interstitial support reports nothing about them.
    package var everybodyIsDue: Bool {
        !breaks.playsInterstitials || !audience.personas.contains { $0.persona.interstitials.trigger.kind == .never }
    }
}
