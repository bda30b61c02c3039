import LoadProfile
import Players

extension Persona {
    /// Player of a profile without personas, with changes.
    static func forTests(_ change: (inout Persona) -> Void) -> Persona {
        var persona = Persona.ofProfile(LoadPlan.forTests().playback)
        persona.name = "test"
        change(&persona)
        return persona
    }
}

extension LoadPlan {
    /// Plan without breaks, whose viewers all have one player.
    static func watching(
        _ persona: Persona = .forTests { _ in },
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> LoadPlan {
        .forTests {
            $0.audience.personas = [PersonaShare(persona, share: 1)]
            $0.breaks.source = .none
            $0.playback.pollsMetadata = false
            change(&$0)
        }
    }

    /// Breaks as before, and all viewers with a player that is changed.
    static func withPersona(_ change: (inout Persona) -> Void, _ more: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan
    {
        .forTests {
            var persona = Persona.ofProfile($0.playback)
            change(&persona)
            $0.audience.personas = [PersonaShare(persona, share: 1)]
            more(&$0)
        }
    }
}
