package import Players

extension Persona {
    /// The player of a profile that names no personas: what its `playback` says, with the connection's own deadlines and
    /// no retries.
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
    /// Whether each viewer is due for each break, but for those that say why they are not.
    ///
    /// A player that knows no interstitials says nothing of them.
    package var everybodyIsDue: Bool {
        !breaks.playsInterstitials || !audience.personas.contains { $0.persona.interstitials.trigger.kind == .never }
    }
}
