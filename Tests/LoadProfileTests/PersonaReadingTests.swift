import Testing

@testable import Profile

@Suite struct PersonaReadingTests {
    private func plan(_ audience: String, breaks: String = "{interstitials: true}") throws -> LoadPlan {
        try Samples.plan(Samples.profile(audience: "{viewers: 10, \(audience)}", breaks: breaks))
    }

    @Test func sharesAreTakenAndTheRestIsDivided() throws {
        let personas = try plan("personas: [{persona: hlsjs, share: 40%}, media3, shaka]").audience.personas
        #expect(personas.map(\.persona.name) == ["hlsjs", "media3", "shaka"])
        #expect(personas.map { ($0.share * 1000).rounded() } == [400, 300, 300])
        #expect(personas[1].persona == Persona.known("media3"))
    }

    /// A value for each fact, other than that of `strict`.
    private static let overrides: [(path: String, value: String, shown: String)] =
        [
            ("browser", "true", "true"), ("keys", "rendition", "rendition"),
            ("reload.afterChange", "target-duration", "target-duration"),
            ("reload.unchanged", "last-segment", "last-segment"), ("reload.clock", "completion", "completion"),
            ("reload.renditionsTogether", "true", "true"), ("reload.stuckAfter", "0", "never"),
            ("lowLatency.blocking", "never", "never"), ("lowLatency.skip", "always", "always"),
            ("lowLatency.skipsDateRanges", "false", "false"), ("lowLatency.dropsDirectivesAfter", "2.5", "2.5"),
            ("lowLatency.retriesWithoutDirectives", "false", "false"), ("lowLatency.hints", "false", "false"),
            ("lowLatency.renditionReports", "false", "false"), ("lowLatency.sortsParameters", "false", "false"),
            ("lowLatency.tuneInTargets", "1.5", "1.5"), ("start.point", "hold-back", "hold-back"),
            ("start.targets", "2", "2"), ("interstitials.trigger", "discovery", "discovery"),
            ("interstitials.lookAhead", "7s", "7s"), ("interstitials.leadTargets", "2", "2"),
            ("interstitials.lead", "4s", "4s"), ("interstitials.preload", "ignored", "ignored"),
            ("interstitials.dates", "first-tag", "first-tag"),
            ("interstitials.primaryID", "false", "false"), ("interstitials.startOffset", "false", "false"),
            ("interstitials.oneListAtATime", "true", "true"), ("interstitials.assetsTogether", "true", "true"),
            ("interstitials.textDurations", "false", "false"), ("interstitials.relativeAssets", "false", "false"),
            ("interstitials.incompleteAssets", "true", "true"), ("interstitials.beacons", "false", "false"),
            ("pathways.steering", "false", "false"),
            ("pathways.penalty", "60s", "1m"), ("maximumDownloads", "2", "2"),
            ("lowLatency.retryWait", "100ms", "100ms"),
            ("outage.leavesFirst", "[no-answer, timeout]", "no-answer timeout"),
            ("outage.leavesLast", "[server-error, other-status]", "server-error other-status"),
            ("outage.penalty", "30s", "30s"), ("outage.forgives", "true", "true"), ("outage.noneLeft", "stop", "stop"),
            ("outage.pause", "100ms", "100ms"), ("outage.freshPause", "5s", "5s"), ("outage.stopsDryAfter", "3", "3"),
            ("outage.noChannel", "stop", "stop"), ("outage.segment", "ask-on", "ask-on"),
            ("outage.segmentPause", "1s", "1s"),
        ]
        + ["multivariant", "playlist", "segment", "assetList", "asset", "steering"].flatMap { kind in
            [
                ("\(kind).connect", "1s", "1s"), ("\(kind).firstByte", "2s", "2s"), ("\(kind).total", "3s", "3s"),
                ("\(kind).retriesClientErrors", "true", "true"),
            ]
                + ["afterTimeout", "afterError", "afterNoAnswer"].flatMap { rule in
                    [
                        ("\(kind).\(rule).retries", "4", "4"), ("\(kind).\(rule).wait", "5s", "5s"),
                        ("\(kind).\(rule).growth", "linear", "linear"), ("\(kind).\(rule).factor", "3", "3"),
                        ("\(kind).\(rule).longestWait", "6s", "6s"), ("\(kind).\(rule).fuzz", "0.5", "0.5"),
                    ]
                }
        }

    /// What a trigger needs so that its own number may stand beside it.
    private static let triggers = [
        "interstitials.lookAhead": "buffered-or-edge", "interstitials.leadTargets": "playhead-targets",
        "interstitials.lead": "playhead",
    ]

    @Test func everyFactCanBeOverriddenByItsPathAndNothingElseChanges() throws {
        #expect(Self.overrides.map(\.path).sorted() == PersonaFact.all.map(\.path).sorted())
        var digests: Set<String> = [try plan("personas: [strict]").digest]
        for (path, value, shown) in Self.overrides {
            let names = path.split(separator: ".").map(String.init)
            var field = "\(names.last ?? ""): \(value)"
            if let trigger = Self.triggers[path] { field += ", trigger: \(trigger)" }
            for name in names.dropLast().reversed() { field = "\(name): {\(field)}" }
            let changed = try plan("personas: [{persona: strict, \(field)}]")
            let persona = try #require(changed.audience.personas.first?.persona)
            for fact in PersonaFact.all {
                let standing = fact.text(Persona.known("strict"))
                if fact.path == path {
                    #expect(fact.text(persona) == shown, "\(path)")
                    #expect(shown != standing, "\(path)")
                } else if Self.triggers[path] == nil || fact.path != "interstitials.trigger" {
                    #expect(fact.text(persona) == standing, "\(fact.path) beside \(path)")
                }
            }
            #expect(digests.insert(changed.digest).inserted, "\(path)")
        }
    }

    @Test func retriesAloneSetAllKinds() throws {
        let persona = try plan("personas: [{persona: hlsjs, assetList: {total: 5s, retries: 2}}]").audience.personas[0]
        let rule = persona.persona.requests.assetList
        #expect(rule.total == .seconds(5))
        #expect([rule.afterTimeout, rule.afterError, rule.afterNoAnswer].map(\.retries) == [2, 2, 2])
        #expect(rule.afterError.firstWait == .seconds(1))
    }

    @Test func retriesMayHaveNoEnd() throws {
        let audience = try plan("personas: [{persona: hlsjs, playlist: {afterNoAnswer: {retries: -1}}}]").audience
        let rule = audience.personas[0].persona.requests.playlist
        #expect(rule.afterNoAnswer.isEndless)
        #expect(rule.afterNoAnswer.wait(before: 1_000, chance: 0) == .seconds(8))
        #expect(rule.afterError.retries == 2)
    }

    @Test func whatPeopleDoWhoSeeNothingIsRead() throws {
        #expect(try plan("ramp: 1s").audience.abandonment == nil)
        #expect(try plan("abandonment: {}").audience.abandonment == AbandonmentPlan())
        let read = try plan("abandonment: {afterStall: 9s, afterStop: 3s, reopen: {share: 60%, after: 4s}}")
        let expected = AbandonmentPlan(
            afterStall: .seconds(9),
            afterStop: .seconds(3),
            reopenShare: 0.6,
            reopenAfter: .seconds(4)
        )
        #expect(read.audience.abandonment == expected)
    }

    @Test func audioRenditionsArePlayedByPersonasUnlessTheProfileSaysOtherwise() throws {
        #expect(try !plan("ramp: 1s").playback.playsAudioRendition)
        #expect(try plan("personas: [hlsjs]").playback.playsAudioRendition)
        let silent = try Samples.plan(set: "audience.personas=[hlsjs]", "playback.renditions.audio=false")
        #expect(!silent.playback.playsAudioRendition && !silent.playback.playsSubtitles)
    }

    @Test func whoSkipsAndSeeksIsRead() throws {
        let audience = try plan("skips: {share: 5%, rate: 2}, seeks: {share: 2%, every: 90s, distance: 20s}").audience
        #expect(audience.skips == NavigationPlan(share: 0.05, every: .seconds(60), rate: 2))
        #expect(audience.seeks == NavigationPlan(share: 0.02, every: .seconds(90), distance: .seconds(20)))
        #expect(try plan("skips: {share: 0%}").audience.skips == nil)
    }

    @Test func aChannelThatBringsItsBreaksNeedsNoSource() throws {
        let scheduled = try plan("ramp: 1s")
        #expect(scheduled.breaks.source == .none)
        #expect(scheduled.breaks.playsInterstitials)
        #expect(try plan("ramp: 1s", breaks: "{stitched: true}").breaks.recognisesStitched)
        let both = try plan("ramp: 1s", breaks: "{interstitials: true, source: {every: 20s}}")
        #expect(both.breaks.source == .every(interval: .seconds(20), offset: .zero))
    }
}
