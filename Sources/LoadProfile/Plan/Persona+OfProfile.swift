package import Players

extension Persona {
    /// The player of a profile that names no personas: what its `playback` says, with the connection's own deadlines and
    /// no retries.
    package static func ofProfile(_ playback: PlaybackPlan) -> Persona {
        Persona(
            name: "profile",
            reload: ReloadFacts(
                afterChange: playback.reload == .lastSegment ? .lastSegment : .targetDuration,
                unchanged: .halfTarget,
                clock: .loadStart
            ),
            lowLatency: .none,
            start: StartFacts(point: .holdBack),
            interstitials: InterstitialFacts(trigger: .buffered, preload: .randomPoint),
            requests: RequestFacts(all: RequestRule())
        )
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
