import AdServing

@testable import Profile

extension LoadPlan {
    /// One viewer, a break every 20 s of 10 s each, named alike for all, asked for at its instant.
    static func forTests(_ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        var plan = LoadPlan(
            name: "test",
            summary: "",
            seed: 7,
            duration: .seconds(60),
            target: .podServing(
                PodServingPlan(
                    contentURL: "http://127.0.0.1:8080/live/main/multivariant.m3u8",
                    adServer: "http://127.0.0.1:8080",
                    backupAdServer: nil,
                    authorisedHosts: [],
                    session: .forTests
                )
            ),
            audience: AudiencePlan(
                viewers: 1,
                ramp: .zero,
                churnPerMinute: 0,
                pictureInPicture: PictureInPicturePlan(
                    share: 0,
                    every: .seconds(60),
                    stay: .seconds(5),
                    rule: .deferred
                )
            ),
            playback: PlaybackPlan(
                variant: .first,
                reload: .lastSegment,
                segments: .none,
                sendsVerificationPings: true,
                pollsMetadata: true,
                playoutLimit: nil
            ),
            breaks: BreakPlan(
                source: .every(interval: .seconds(20), offset: .zero),
                podIdentifier: .synchronised,
                identifierTemplate: "break-{start}",
                podDuration: .seconds(10),
                trigger: .rendezvous,
                lead: .zero,
                jitter: .zero,
                grace: .seconds(1),
                preconnect: .zero
            ),
            pods: PodPlan(match: .all, repeatShare: 0, durationTolerance: .milliseconds(100)),
            connection: .forTests,
            generator: GeneratorPlan(
                loops: 1,
                maximumLateness: .milliseconds(100),
                maximumLoopDelay: .milliseconds(500),
                maximumResidentBytes: 1 << 32,
                spin: .zero,
                // What is asked is when players ask.
                slot: .zero
            ),
            windows: WindowPlan(),
            thresholds: [],
            abort: [],
            abortAfter: .zero,
            allowedFindings: [:],
            digest: ""
        )
        change(&plan)
        return plan
    }

    /// Says of a target that its metadata lists whole media ids.
    mutating func listWholeMediaIDs() {
        guard case .podServing(var server) = target else { return }
        server.mediaIDs = .whole
        target = .podServing(server)
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
        adTagParameters: [:],
        authTokenKey: nil,
        authTokenValidity: .seconds(60),
        custParams: nil,
        scte35: nil
    )
}

extension EmbeddedOriginPlan {
    static let forTests = EmbeddedOriginPlan(
        usesTLS: false,
        segmentDuration: .seconds(2),
        windowSegments: 6,
        variantCount: 2,
        adDuration: .seconds(5),
        announcesBreaks: true,
        sessionValidity: .seconds(600),
        metadataPollingFrequency: .seconds(10),
        faultPlanPath: nil,
        session: .forTests
    )
}

extension ConnectionPlan {
    static let forTests = ConnectionPlan(
        version: .http1,
        transport: .auto,
        verifiesTLS: true,
        caFile: nil,
        clientCertificateFile: nil,
        clientKeyFile: nil,
        headers: [:],
        acceptsCompression: true,
        sourceAddresses: [],
        connectTimeout: .seconds(2),
        firstByteTimeout: .seconds(5),
        totalTimeout: .seconds(10),
        maximumBodyBytes: 1 << 20,
        maximumRedirects: 3,
        maximumHandshakes: 256,
        traceShare: 0
    )
}

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
