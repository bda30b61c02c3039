import AdServing

@testable import Profile

extension LoadPlan {
    /// One viewer, a break every 20 s of 10 s each, named alike for all, asked for at its instant.
    static func forTests(_ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        var plan = LoadPlan.usual
        (plan.name, plan.seed, plan.duration) = ("test", 7, .seconds(60))
        plan.target = .podServing(
            PodServingPlan(contentURL: ScriptedCrowd.contentURL, adServer: ScriptedCrowd.server, session: .forTests)
        )
        plan.audience = AudiencePlan(viewers: 1, ramp: .zero)
        plan.audience.pictureInPicture = PictureInPicturePlan(stay: .seconds(5), rule: .deferred)
        plan.breaks.source = .every(interval: .seconds(20), offset: .zero)
        plan.connection = .forTests
        // What is asked is when players ask.
        (plan.generator.loops, plan.generator.slot) = (1, .zero)
        change(&plan)
        return plan
    }

    var session: SessionPlan {
        switch target {
        case .embedded(let origin): origin.session
        case .podServing(let target): target.session
        case .mediaTailor, .eyevinnProxy, .urlTemplates: .usual
        }
    }
}

extension SessionPlan {
    static let forTests = SessionPlan(
        networkCode: "21775744923",
        customAssetKey: "sgai-hls-live",
        authTokenValidity: .seconds(60)
    )
}

extension EmbeddedOriginPlan {
    static let forTests = EmbeddedOriginPlan(sessionValidity: .seconds(600), session: .forTests)
}

extension ConnectionPlan {
    static let forTests = ConnectionPlan(
        connectTimeout: .seconds(2),
        firstByteTimeout: .seconds(5),
        totalTimeout: .seconds(10),
        maximumBodyBytes: 1 << 20,
        maximumRedirects: 3,
        traceShare: 0
    )
}

extension Persona {
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
}
